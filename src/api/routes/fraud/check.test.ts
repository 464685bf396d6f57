import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { buildClassification } from '../../../../tests/support/build-classification.ts';
import { buildRuleHit } from '../../../../tests/support/build-rule-hit.ts';
import { address } from '../../../../tests/support/build-transaction.ts';
import {
  asOfFakeSlot,
  fakeApiDeps,
  MINT,
  REVIEW_KEY,
} from '../../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader, sendAs } from '../../../../tests/support/fake-api-server.ts';
import type { JudgedClassification } from '../../../model/fraud-review.ts';
import { OPERATOR } from '../../../model/rule-change.ts';
import { asSlot, type Slot } from '../../../model/units.ts';
import type { FraudQuery } from '../../fraud-repository.ts';
import { FraudCheckBody, presentCheck } from '../../present/present-classification.ts';

const url = `/v1/fraud/check?token_address=${MINT}`;

function serverWith(judged: readonly JudgedClassification[] = [], firstSlot: Slot | null = null) {
  const asked: FraudQuery[] = [];
  const deps = fakeApiDeps();
  const server = fakeApiServer({
    chain: {
      ...deps.chain,
      coverage: async () => ({ ...(await deps.chain.coverage()), firstSlot }),
    },
    fraud: {
      ...deps.fraud,
      check: async (query) => {
        asked.push(query);
        return asOfFakeSlot(judged);
      },
    },
  });
  return { server, asked };
}

describe('GET /v1/fraud/check', () => {
  test('returns the reported findings, with no field dropped by the schema', async () => {
    const judged = [{ classification: buildClassification(), status: 'confirmed' as const }];
    const response = await getAsReader(serverWith(judged).server, url);
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(JSON.stringify(presentCheck(MINT, judged)));
    expect(Value.Check(FraudCheckBody, response.json())).toBe(true);
  });

  test('returns a token without findings', async () => {
    const response = await getAsReader(serverWith().server, url);
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(
      `{"token_address":"${MINT}","is_fraudulent":false,"risk_score":0,` +
        '"classification_count":0,"classifications":[]}',
    );
  });

  test('reads the current state, or that of a stored slot', async () => {
    const { server, asked } = serverWith([], asSlot(299_999_999));
    await getAsReader(server, url);
    const past = await getAsReader(server, `${url}&as_of_slot=299999999`);
    const newest = await getAsReader(server, `${url}&as_of_slot=300000000`);
    expect(asked.map(({ asOfSlot }) => asOfSlot)).toEqual([null, 299_999_999, 300_000_000]);
    expect(past.headers['x-slot']).toBe('299999999');
    expect(newest.headers['x-slot']).toBe('300000000');
  });

  test.each([299_999_998, 300_000_001])('refuses slot %i, which is not stored', async (slot) => {
    const { server, asked } = serverWith([], asSlot(299_999_999));
    const refusal = await getAsReader(server, `${url}&as_of_slot=${slot}`);
    expect(refusal.statusCode).toBe(422);
    expect(refusal.json()).toEqual({
      code: 422,
      message:
        'as_of_slot must be from 299999999, the oldest retained slot, to 300000000, the newest.',
    });
    expect(asked).toHaveLength(0);
  });

  test('returns hostile labels and descriptions unchanged, as JSON', async () => {
    const text = '"</script>\u202e\\ \u0000 😀';
    const base = buildClassification();
    const evidence = base.finding.evidence.map((item) => ({ ...item, description: text }));
    const wallets = base.finding.wallets.map((wallet) => ({ ...wallet, labels: [text] }));
    const classification = buildClassification({ finding: { evidence, wallets } });
    const response = await getAsReader(
      serverWith([{ classification, status: 'active' }]).server,
      url,
    );
    const [listed] = response.json().classifications;
    expect(listed.evidence[0].description).toBe(text);
    expect(listed.involved_wallets[0].labels).toEqual([text]);
  });

  test.each([
    ['', 400, 'token_address is required.'],
    ['?token_address=', 400, 'token_address is empty.'],
    [`?token_address=${MINT}&token_address=${MINT}`, 400, 'token_address is given more than once.'],
    ['?token_address=0OIl', 422, 'token_address must be the base58 text of a 32-byte address.'],
    [
      `?token_address=${MINT}&as_of_slot=-1`,
      400,
      'as_of_slot must be a whole number from 0 to 9007199254740991.',
    ],
    [`?token_address=${address('nowhere')}`, 404, 'This token is not known.'],
  ])('refuses %s', async (query, code, message) => {
    const { server, asked } = serverWith();
    const response = await getAsReader(server, `/v1/fraud/check${query}`);
    expect(response.statusCode).toBe(code);
    expect(response.body).toBe(JSON.stringify({ code, message }));
    expect(asked).toEqual([]);
  });

  test('adds hits of rules of the account and the operator that are asked for', async () => {
    const asked: [FraudQuery, readonly string[]][] = [];
    const { fraud } = fakeApiDeps();
    const hits = [buildRuleHit({ kind: 'fraud', wallets: [address('member')] })];
    const server = fakeApiServer({
      fraud: {
        ...fraud,
        checkWithHits: async (...query) => {
          asked.push(query);
          return asOfFakeSlot({ findings: [], hits });
        },
      },
    });
    const response = await getAsReader(server, `${url}&author=built_in,account,operator`);
    expect(asked).toEqual([[{ mint: MINT, asOfSlot: null }, ['account of reader', OPERATOR]]]);
    expect(Value.Check(FraudCheckBody, response.json())).toBe(true);
    expect(response.json()).toMatchObject({
      // What a rule says is no verdict of the service.
      ...{ is_fraudulent: false, risk_score: 0, classification_count: 0, classifications: [] },
      rule_hits: [
        { rule_id: 'dip@1+0123456789abcdef', author: 'account', wallets: [address('member')] },
      ],
    });
  });

  test('requires the scope read', async () => {
    const { server } = serverWith();
    expect((await sendAs(server, 'GET', url)).statusCode).toBe(401);
    expect((await sendAs(server, 'GET', url, REVIEW_KEY)).statusCode).toBe(403);
  });
});
