import { describe, expect, test } from 'vitest';
import { address } from '../../../../tests/support/build-transaction.ts';
import { READ_KEY, REVIEW_KEY, WRITE_KEY } from '../../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../../tests/support/fake-api-server.ts';
import type { ListedRule, RuleHitListing, RulePublication } from '../../../model/rule-listing.ts';
import { asSlot, asUsdNano } from '../../../model/units.ts';
import type { ApiDeps } from '../../deps.ts';

const HASH = '0123456789abcdef'.repeat(4);

const RULE: ListedRule = {
  author: 'account of writer',
  name: 'dip',
  version: 2,
  hash: HASH,
  kind: 'signal',
  title: 'A dip',
  scope: 'pool_minute',
  content: '{}',
  isJudged: true,
};

const HIT: RuleHitListing = {
  rowId: 7,
  author: 'operator',
  name: 'dip',
  version: 2,
  hash: HASH,
  kind: 'signal',
  label: null,
  mint: address('mint'),
  pool: address('pool'),
  slot: asSlot(20),
  createdAtMs: 1_000,
  asOfSlot: asSlot(19),
  confidence: 0.75,
  reasons: ['Because.'],
  evidence: [
    { name: 'window.closes_15m', value: [1, 2] },
    { name: 'pool.venue', value: 'pump' },
    { name: 'token.name', value: null },
  ],
  priceUsd: null,
  signalRowId: 3,
  outcome: {
    slot: asSlot(30),
    athMarketCapUsd: asUsdNano(2_000_000_000n),
    maxDrawdownMarketCapUsd: asUsdNano(1_000_000_000n),
    roiE9: 50_000_000_000n,
    maxDrawdownE9: 0n,
  },
  wallets: [address('member')],
  signatures: [],
  links: [],
};

function answering(publication: RulePublication = { kind: 'changed', rule: RULE }) {
  const asked: unknown[] = [];
  const note = <Answer>(question: unknown, answer: Answer): Answer => {
    asked.push(question);
    return answer;
  };
  const rules: ApiDeps['rules'] = {
    list: async (accountId) => ({
      data: note(accountId, [
        { ...RULE, hitCount: 3 },
        { ...RULE, author: 'operator', hitCount: 0 },
      ]),
      slot: asSlot(40),
      timeMs: 5_000,
    }),
    publish: async (request) => note(request, publication),
    withdraw: async (request) => note(request, request.name === 'dip' ? RULE : null),
    hits: async (query) => note(query, { data: [HIT], slot: asSlot(40), timeMs: 5_000 }),
    hitPage: async (range) =>
      note(range, { data: { hits: [HIT], next: null }, slot: asSlot(40), timeMs: 5_000 }),
  };
  return { asked, server: fakeApiServer({ rules }) };
}

const headers = { 'x-api-key': WRITE_KEY };
const PUBLISH = { method: 'POST', url: '/v1/rules', headers } as const;

describe('POST /v1/rules', () => {
  test('answers 201 with the rule, published for the account of the key', async () => {
    const { asked, server } = answering();
    const answer = await server.inject({
      ...PUBLISH,
      payload: { rule: 'name: dip\nversion: 2\n' },
    });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({
      rule_id: 'dip@2+0123456789abcdef',
      author: 'account',
      is_judged: true,
    });
    // The id of an account is nobody's business.
    expect(answer.body).not.toContain('account of writer');
    expect(asked).toEqual([{ accountId: 'account of writer', text: 'name: dip\nversion: 2\n' }]);
  });

  test.each([
    [{ kind: 'refused', problems: ['when: One.', 'Two.'] }, 422, 'when: One. Two.'],
    [{ kind: 'old', version: 3 }, 409, 'version 3'],
    [{ kind: 'full', rulesMax: 100 }, 409, 'at most 100'],
  ] as const)('refuses what is %j', async (outcome, status, message) => {
    const { server } = answering(outcome as RulePublication);
    const answer = await server.inject({ ...PUBLISH, payload: { rule: 'x' } });
    expect([answer.statusCode, answer.json().code]).toEqual([status, status]);
    expect(answer.json().message).toContain(message);
  });

  test.each([
    [{}, 400],
    [{ rule: '' }, 400],
    [{ rule: 5 }, 400],
    [{ rule: 'x'.repeat(65_537) }, 400],
  ])('refuses a body that is no rule', async (payload, status) => {
    const { asked, server } = answering();
    const answer = await server.inject({ ...PUBLISH, payload });
    expect([answer.statusCode, asked]).toEqual([status, []]);
  });

  test('needs a key that may write', async () => {
    const { server } = answering();
    const read = { ...PUBLISH, headers: { 'x-api-key': READ_KEY }, payload: { rule: 'x' } };
    expect((await server.inject(read)).statusCode).toBe(403);
    expect((await server.inject({ ...read, headers: {} })).statusCode).toBe(401);
  });
});

describe('GET /v1/rules', () => {
  test('answers with the rules of the account and of the operator', async () => {
    const { asked, server } = answering();
    const answer = await server.inject({ url: '/v1/rules', headers });
    expect(answer.json().rules.map(({ author }: { author: string }) => author)).toEqual([
      'account',
      'operator',
    ]);
    expect(answer.json().rules[0].hit_count).toBe(3);
    expect(answer.headers['x-slot']).toBe('40');
    expect(asked).toEqual(['account of writer']);
    const reviewer = { 'x-api-key': REVIEW_KEY };
    expect((await server.inject({ url: '/v1/rules', headers: reviewer })).statusCode).toBe(403);
  });
});

describe('DELETE /v1/rules/{rule_id}', () => {
  test.each([
    ['dip', 200],
    ['dip@2+0123456789abcdef', 200],
    ['other', 404],
    ['Not-a-name', 400],
    ['dip@2', 400],
  ])('%s answers %i', async (id, status) => {
    const { server } = answering();
    const answer = await server.inject({ method: 'DELETE', url: `/v1/rules/${id}`, headers });
    expect(answer.statusCode).toBe(status);
  });
});

describe('GET /v1/rules/{rule_id}/hits', () => {
  test('answers with hits, of the account unless the operator is asked for', async () => {
    const { asked, server } = answering();
    const answer = await server.inject({
      url: '/v1/rules/dip@2+0123456789abcdef/hits?author=operator&limit=5&before_row_id=9',
      headers,
    });
    expect(answer.json()).toEqual({
      hits: [
        {
          row_id: 7,
          rule_id: 'dip@2+0123456789abcdef',
          author: 'operator',
          kind: 'signal',
          label: null,
          token_address: address('mint'),
          pair_address: address('pool'),
          created_at: '1970-01-01T00:00:01.000Z',
          slot: 20,
          as_of_slot: 19,
          confidence: 0.75,
          reasons: ['Because.'],
          evidence: [
            { name: 'window.closes_15m', value: [1, 2] },
            { name: 'pool.venue', value: 'pump' },
            { name: 'token.name', value: null },
          ],
          price_usd: null,
          signal_row_id: 3,
          outcome: {
            ath_market_cap_usd: '2.00',
            roi_percentage: '50.0000',
            max_drawdown_percentage: '0.0000',
          },
          wallets: [address('member')],
          signatures: [],
          links: [],
        },
      ],
    });
    await server.inject({ url: '/v1/rules/dip/hits', headers });
    expect(asked).toEqual([
      { author: 'operator', name: 'dip', hash: '0123456789abcdef', limit: 5, beforeRowId: 9 },
      { author: 'account of writer', name: 'dip', hash: null, limit: 100, beforeRowId: null },
    ]);
  });
});

describe('GET /v1/rules/{rule_id}/statistics', () => {
  test('asks for the signals of that rule alone', async () => {
    const asked: unknown[] = [];
    const { signals } = (await import('../../../../tests/support/fake-api-deps.ts')).fakeApiDeps();
    const server = fakeApiServer({
      signals: {
        ...signals,
        statistics: async (query) => {
          asked.push(query.model);
          return signals.statistics({ ...query, model: null });
        },
      },
    });
    const url = '/v1/rules/dip/statistics?from_date=2025-01-01';
    expect((await server.inject({ url, headers })).statusCode).toBe(200);
    await server.inject({ url: `${url}&author=operator`, headers });
    expect(asked).toEqual(['rule:account of writer/dip', 'rule:operator/dip']);
  });
});
