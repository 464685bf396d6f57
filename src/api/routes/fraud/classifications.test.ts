import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { buildClassification } from '../../../../tests/support/build-classification.ts';
import { buildRuleHit } from '../../../../tests/support/build-rule-hit.ts';
import {
  asOfFakeSlot,
  CLASSIFICATION,
  fakeApiDeps,
  MINT,
  SLOT,
  WALLET,
} from '../../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader } from '../../../../tests/support/fake-api-server.ts';
import type { FindingPage, FindingPosition, FindingQuery } from '../../../model/finding-page.ts';
import { OPERATOR } from '../../../model/rule-change.ts';
import type { AskedAuthors } from '../../../model/rule-hit-page.ts';
import { CLASSIFICATION_EXAMPLE } from '../../present/classification-example.ts';
import { FindingListBody } from '../../present/finding-list-body.ts';

const url = '/v1/fraud/classifications';

function serverWith(page: FindingPage = { findings: [], next: null }) {
  const asked: FindingQuery[] = [];
  const list = async (query: FindingQuery) => {
    asked.push(query);
    return asOfFakeSlot(page);
  };
  return { server: fakeApiServer({ fraud: { ...fakeApiDeps().fraud, list } }), asked };
}

const REPORTED: FindingQuery = {
  fraudTypes: null,
  levels: ['critical', 'high', 'medium'],
  statuses: ['active', 'reviewed', 'confirmed'],
  ...{ fromMs: null, toMs: null, mint: null, wallet: null },
  ...{ orderBy: 'detection', orderDir: 'desc', limit: 100, after: null },
};

describe('GET /v1/fraud/classifications', () => {
  test('returns classifications as a fraud check does, by default the reported ones', async () => {
    const found = { classification: buildClassification(), status: 'confirmed' as const };
    const { server, asked } = serverWith({ findings: [found], next: null });
    const response = await getAsReader(server, url);
    expect(response.statusCode).toBe(200);
    expect(response.headers['x-slot']).toBe(String(SLOT));
    expect(Value.Check(FindingListBody.schema, response.json())).toBe(true);
    const body = response.json();
    expect(body.next_cursor).toBeNull();
    expect(body.classifications).toMatchObject([
      { id: CLASSIFICATION, status: 'confirmed', confidence_level: 'high' },
    ]);
    expect(Object.keys(body.classifications[0])).toEqual(Object.keys(CLASSIFICATION_EXAMPLE));
    expect(asked).toEqual([REPORTED]);
  });

  test('reads every filter', async () => {
    const { server, asked } = serverWith();
    const query =
      'type=fake_dump,wash_volume&level=low&status=archived,active&from=2025-01-15&to=2025-01-16' +
      `&token_address=${MINT}&wallet_address=${WALLET}&order_by=value_at_risk&order_dir=asc&limit=7`;
    expect((await getAsReader(server, `${url}?${query}`)).statusCode).toBe(200);
    expect(asked).toEqual([
      {
        fraudTypes: ['fake_dump', 'wash_volume'],
        levels: ['low'],
        statuses: ['archived', 'active'],
        fromMs: Date.UTC(2025, 0, 15),
        toMs: Date.UTC(2025, 0, 16),
        mint: MINT,
        wallet: WALLET,
        ...{ orderBy: 'value_at_risk', orderDir: 'asc', limit: 7, after: null },
      },
    ]);
  });

  test.each<FindingPosition>([
    { key: 250_000_000n, id: CLASSIFICATION },
    { key: null, id: CLASSIFICATION },
    { key: 2n ** 127n - 1n, id: CLASSIFICATION },
  ])('continues after a cursor of $key with another limit', async (next) => {
    const { server, asked } = serverWith({ findings: [], next });
    const filters = 'status=active,archived';
    const { next_cursor: cursor } = (await getAsReader(server, `${url}?${filters}`)).json();
    // The order of a list of choices does not matter.
    const again = `${url}?status=archived,active&limit=5&cursor=${cursor}`;
    expect((await getAsReader(server, again)).statusCode).toBe(200);
    expect(asked[1]).toMatchObject({ after: next, limit: 5 });
  });

  test.each(['order_by=confidence', 'order_dir=asc', 'level=low', `wallet_address=${WALLET}`])(
    'refuses a cursor of a list without %s',
    async (filter) => {
      const { server } = serverWith({ findings: [], next: { key: 1n, id: CLASSIFICATION } });
      const { next_cursor: cursor } = (await getAsReader(server, url)).json();
      const response = await getAsReader(server, `${url}?${filter}&cursor=${cursor}`);
      expect(response.json()).toEqual({
        code: 400,
        message: 'cursor must be one returned by an earlier page.',
      });
    },
  );

  test.each([
    ['limit=0', 400, 'limit must be a whole number from 1 to 500.'],
    ['limit=501', 400, 'limit must be a whole number from 1 to 500.'],
    ['cursor=abc', 400, 'cursor must be one returned by an earlier page.'],
    ['type=rug', 422, /^type must be a comma-separated list of traditional_bundle, /],
    ['level=certain', 422, 'level must be a comma-separated list of critical, high, medium, low.'],
    ['status=open', 422, /^status must be a comma-separated list of active, reviewed, /],
    ['from=yesterday', 422, /^from must be an ISO 8601 date/],
    ['from=2025-01-16&to=2025-01-16', 422, 'from must be before to.'],
    ['token_address=x', 422, 'token_address must be the base58 text of a 32-byte address.'],
    ['wallet_address=x', 422, 'wallet_address must be the base58 text of a 32-byte address.'],
    ['order_by=age', 422, /^order_by must be one of detection, confidence, value_at_risk/],
    ['order_dir=up', 422, /^order_dir must be one of asc, desc/],
  ])('refuses %s', async (query, code, message) => {
    const response = await getAsReader(serverWith().server, `${url}?${query}`);
    expect(response.statusCode).toBe(code);
    expect(response.json().code).toBe(code);
    expect(response.json().message).toMatch(message);
  });

  describe('with author', () => {
    function serverWithHits(next: FindingPosition | null = null) {
      const asked: [FindingQuery, AskedAuthors][] = [];
      const listWithHits = async (query: FindingQuery, authors: AskedAuthors) => {
        asked.push([query, authors]);
        const hits = [
          buildRuleHit({ kind: 'fraud', rowId: 4 }),
          buildRuleHit({ kind: 'fraud', rowId: 3, author: OPERATOR }),
        ];
        return asOfFakeSlot({ findings: [], hits, next });
      };
      const server = fakeApiServer({ fraud: { ...fakeApiDeps().fraud, listWithHits } });
      return { server, asked };
    }

    test.each([
      ['account', { isBuiltIn: false, ofRules: ['account of reader'] }],
      ['built_in,operator', { isBuiltIn: true, ofRules: [OPERATOR] }],
      ['operator,account,built_in', { isBuiltIn: true, ofRules: ['account of reader', OPERATOR] }],
    ])('asks for the hits of %s, of no other account', async (author, authors) => {
      const { server, asked } = serverWithHits();
      const response = await getAsReader(server, `${url}?author=${author}`);
      expect(response.statusCode).toBe(200);
      expect(asked).toEqual([[REPORTED, authors]]);
      expect(response.json().rule_hits).toMatchObject([
        { row_id: 4, rule_id: 'dip@1+0123456789abcdef', author: 'account', kind: 'fraud' },
        { row_id: 3, rule_id: 'dip@1+0123456789abcdef', author: 'operator' },
      ]);
      expect(Value.Check(FindingListBody.schema, response.json())).toBe(true);
      // The id of an account is nobody's business.
      expect(response.body).not.toContain('account of reader');
    });

    test('of built_in alone answers as without it', async () => {
      const { server, asked } = serverWith();
      const body = (await getAsReader(server, `${url}?author=built_in`)).body;
      expect(body).toBe((await getAsReader(server, url)).body);
      expect(body).toBe('{"classifications":[],"next_cursor":null}');
      expect(asked).toEqual([REPORTED, REPORTED]);
    });

    test('continues after a hit, and only for the same authors', async () => {
      const next = { key: 20n, id: 'h0000000000000003' };
      const { server, asked } = serverWithHits(next);
      const given = 'author=built_in,account';
      const { next_cursor: cursor } = (await getAsReader(server, `${url}?${given}`)).json();
      const same = await getAsReader(server, `${url}?author=account,built_in&cursor=${cursor}`);
      expect(same.statusCode).toBe(200);
      expect(asked[1]?.[0].after).toEqual(next);
      for (const other of ['author=account', 'author=built_in,operator', '']) {
        const refused = await getAsReader(server, `${url}?${other}&cursor=${cursor}`);
        expect(refused.statusCode).toBe(400);
      }
    });

    test.each(['', 'everyone', 'account,', 'account of reader'])(
      'is 422 for %j',
      async (author) => {
        const { server } = serverWithHits();
        const response = await getAsReader(server, `${url}?author=${encodeURIComponent(author)}`);
        expect(response.statusCode).toBe(422);
      },
    );
  });
});
