import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { buildRuleHit } from '../../../tests/support/build-rule-hit.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import {
  asOfFakeSlot,
  fakeApiDeps,
  MINT,
  REVIEW_KEY,
  SLOT,
} from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader, sendAs } from '../../../tests/support/fake-api-server.ts';
import { OPERATOR } from '../../model/rule-change.ts';
import type { HitRange } from '../../model/rule-hit-page.ts';
import { HitPageBody } from '../present/present-rule.ts';

const url = `/v1/token/${MINT}/rule-hits`;
const NEXT = { key: 20n, id: 'h0000000000000003' };

function serverWith(next: HitRange['after'] = null) {
  const asked: HitRange[] = [];
  const server = fakeApiServer({
    rules: {
      ...fakeApiDeps().rules,
      hitPage: async (range) => {
        asked.push(range);
        const hits = [buildRuleHit(), buildRuleHit({ rowId: 3, author: OPERATOR, kind: 'label' })];
        return asOfFakeSlot({ hits, next });
      },
    },
  });
  return { server, asked };
}

const ALL: HitRange = {
  ...{ authors: ['account of reader', OPERATOR], kinds: null, levels: null },
  ...{ fromMs: null, toMs: null, mint: MINT, wallet: null, throughSlot: null },
  ...{ orderBy: 'detection', orderDir: 'desc', after: null, limit: 100 },
};

describe('GET /v1/token/{token_address}/rule-hits', () => {
  test('lists the hits of the account and of the operator, marked by author', async () => {
    const { server, asked } = serverWith();
    const response = await getAsReader(server, url);
    expect(response.statusCode).toBe(200);
    expect(asked).toEqual([ALL]);
    expect(Value.Check(HitPageBody.schema, response.json())).toBe(true);
    expect(response.json().next_cursor).toBeNull();
    expect(response.json().hits).toMatchObject([
      { author: 'account', rule_id: 'dip@1+0123456789abcdef', kind: 'alert' },
      { author: 'operator', kind: 'label' },
    ]);
    expect(response.headers['x-slot']).toBe(String(SLOT));
    expect(response.body).not.toContain('account of reader');
  });

  test('reads every filter', async () => {
    const { server, asked } = serverWith();
    const query = 'author=operator&kind=fraud,label&from=2025-01-15&to=2025-01-16&limit=7';
    expect((await getAsReader(server, `${url}?${query}`)).statusCode).toBe(200);
    expect(asked).toEqual([
      {
        ...ALL,
        ...{ authors: [OPERATOR], kinds: ['fraud', 'label'], limit: 7 },
        ...{ fromMs: Date.UTC(2025, 0, 15), toMs: Date.UTC(2025, 0, 16) },
      },
    ]);
  });

  test('continues after a cursor of the same request with another limit', async () => {
    const { server, asked } = serverWith(NEXT);
    const { next_cursor: cursor } = (await getAsReader(server, url)).json();
    const answer = await getAsReader(server, `${url}?limit=5&cursor=${cursor}`);
    expect(answer.statusCode).toBe(200);
    expect(asked[1]?.after).toEqual(NEXT);
    for (const query of ['author=account', 'kind=fraud', 'from=2025-01-15']) {
      const refused = await getAsReader(server, `${url}?${query}&cursor=${cursor}`);
      expect(refused.statusCode).toBe(400);
    }
  });

  test.each([
    ['/v1/token/0OIl/rule-hits', 400],
    [`/v1/token/${address('nowhere')}/rule-hits`, 404],
    [`${url}?author=account,`, 422],
    [`${url}?kind=rug_pull`, 422],
    [`${url}?from=2025-01-16&to=2025-01-16`, 422],
    [`${url}?limit=501`, 400],
    [`${url}?cursor=abc`, 400],
  ])('refuses %s with %i', async (path, status) => {
    const { server } = serverWith();
    expect((await getAsReader(server, path)).statusCode).toBe(status);
  });

  test('requires the scope read', async () => {
    const { server } = serverWith();
    expect((await sendAs(server, 'GET', url)).statusCode).toBe(401);
    expect((await sendAs(server, 'GET', url, REVIEW_KEY)).statusCode).toBe(403);
  });
});
