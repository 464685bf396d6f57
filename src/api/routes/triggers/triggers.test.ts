import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { BUSY, buildFiring, buildTrigger } from '../../../../tests/support/build-trigger.ts';
import {
  fakeApiDeps,
  MINT,
  POOL,
  READ_KEY,
  WRITE_KEY,
} from '../../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, sharedApiServer } from '../../../../tests/support/fake-api-server.ts';
import { NO_WIDER_FIGURES } from '../../../model/pool-figures.ts';
import type { HitCondition, TriggerOutcome } from '../../../model/trigger.ts';
import { asLamports, asRawAmount, asSlot, asUsdNano } from '../../../model/units.ts';
import type { ApiDeps } from '../../deps.ts';
import { presentTriggerEvent, TriggerEventBody } from '../../present/present-trigger.ts';

const BODY = { trigger_id: 'busy pool', pair_address: POOL, conditions: [BUSY] };
const RECORD = {
  trigger_id: 'busy pool',
  pair_address: POOL,
  conditions: [{ field: 'number_of_buys', operator: 'gt', value: '10' }],
  status: 'active',
  created_at: '1970-01-01T00:00:01.000Z',
  updated_at: '1970-01-01T00:00:01.000Z',
  target: { pair_address: POOL },
};
const OF_TOKEN = { ...BODY, pair_address: undefined, target: { token_address: MINT } };

/** A server whose triggers answer with one outcome, and the calls they received. */
function answering(outcome: TriggerOutcome) {
  const asked: unknown[] = [];
  const note = <Answer>(question: unknown, answer: Answer): Answer => {
    asked.push(question);
    return answer;
  };
  const triggers: ApiDeps['triggers'] = {
    add: async (request) => note(request, outcome),
    update: async (name, conditions) => note({ ...name, ...conditions }, outcome),
    remove: async (name) => note(name, outcome),
    page: async (query) => note(query, { triggers: [buildTrigger()], total: 3 }),
    events: async (query) => note(query, { events: [], lost: null, lastNumber: 0 }),
  };
  return { asked, server: fakeApiServer({ triggers }) };
}

const DONE: TriggerOutcome = { kind: 'done', trigger: buildTrigger() };
const ADD = { method: 'POST', url: '/v1/triggers/add' } as const;
const UPDATE = { method: 'PUT', url: '/v1/triggers/update' } as const;
const REMOVE = { method: 'DELETE', url: '/v1/triggers/remove' } as const;
const headers = { 'x-api-key': WRITE_KEY };
const JSON_TYPE = { ...headers, 'content-type': 'application/json' };

/** The whole message, or a pattern of it. */
function said(message: string | RegExp): unknown {
  return typeof message === 'string' ? message : expect.stringMatching(message);
}

function withCondition(overrides: Record<string, unknown>) {
  return { ...BODY, conditions: [BUSY, { ...BUSY, ...overrides }] };
}

describe('POST /v1/triggers/add', () => {
  test('answers 201 with the record, of the account of the key', async () => {
    const { asked, server } = answering(DONE);
    const answer = await server.inject({ ...ADD, headers, payload: { ...BODY, other: 1 } });
    expect([answer.statusCode, answer.json()]).toEqual([201, RECORD]);
    expect(Object.keys(answer.json())).toEqual(Object.keys(RECORD));
    expect(asked).toEqual([
      {
        accountId: 'account of writer',
        triggerId: 'busy pool',
        target: { kind: 'pool', address: POOL },
        conditions: [{ field: 'number_of_buys', operator: 'gt', value: '10' }],
      },
    ]);
  });

  test.each([
    ['a body that is no object', [BODY], 'The request body must be a JSON object.'],
    ['null', null, 'The request body must be a JSON object.'],
    ['no trigger_id', { ...BODY, trigger_id: undefined }, 'trigger_id is required.'],
    [
      'neither pair_address nor target',
      { ...BODY, pair_address: undefined },
      'pair_address or target is required.',
    ],
    [
      'both of them',
      { ...BODY, target: { pair_address: POOL } },
      'pair_address and target must not be given together.',
    ],
    [
      'an empty target',
      { ...OF_TOKEN, target: {} },
      'target.pair_address or token_address is required.',
    ],
    [
      'a target of another kind',
      { ...OF_TOKEN, target: { wallet_address: MINT } },
      'target.pair_address or token_address is required.',
    ],
    [
      'a target of two kinds',
      { ...OF_TOKEN, target: { pair_address: POOL, token_address: MINT } },
      'target.pair_address and token_address must not be given together.',
    ],
    ['a text as target', { ...OF_TOKEN, target: MINT }, 'target must be an object.'],
    ['a list as target', { ...OF_TOKEN, target: [MINT] }, 'target must be an object.'],
    ['null as target', { ...OF_TOKEN, target: null }, 'target must be an object.'],
    [
      'a number as token_address',
      { ...OF_TOKEN, target: { token_address: 7 } },
      'target.token_address must be a string.',
    ],
    [
      'no address of a token',
      { ...OF_TOKEN, target: { token_address: '0'.repeat(32) } },
      /^target\.token_address must be the base58 text of a 32-byte address\.$/,
    ],
    [
      'an empty address of a token',
      { ...OF_TOKEN, target: { token_address: '' } },
      'target.token_address is empty.',
    ],
    ['no conditions', { ...BODY, conditions: undefined }, 'conditions is required.'],
    ['a number as trigger_id', { ...BODY, trigger_id: 7 }, 'trigger_id must be a string.'],
    ['an empty trigger_id', { ...BODY, trigger_id: '' }, /^trigger_id must be a text of 1 to 64/],
    ['a long trigger_id', { ...BODY, trigger_id: 'x'.repeat(65) }, /^trigger_id must be a text/],
    ['a control character', { ...BODY, trigger_id: 'a\u0000b' }, /^trigger_id must be a text/],
    ['null as pair_address', { ...BODY, pair_address: null }, 'pair_address must be a string.'],
    ['no address', { ...BODY, pair_address: 'abc' }, /^pair_address must be the base58 text/],
    ['conditions as a text', { ...BODY, conditions: 'gt' }, 'conditions must be an array.'],
    ['no condition', { ...BODY, conditions: [] }, 'conditions must be 1 to 32 objects.'],
    ['33 of them', { ...BODY, conditions: Array(33).fill(BUSY) }, /must be 1 to 32 objects/],
    ['a condition as text', { ...BODY, conditions: ['x'] }, 'conditions[0] must be an object.'],
    [
      'a condition without value',
      withCondition({ value: undefined }),
      /^conditions\[1\]\.value is/,
    ],
    ['a number as value', withCondition({ value: 5 }), 'conditions[1].value must be a string.'],
    [
      'an inherited name',
      withCondition({ field: undefined }),
      /^conditions\[1\]\.field is required/,
    ],
  ])('answers 400 for %s', async (_, payload, message) => {
    const { asked, server } = answering(DONE);
    const answer = await server.inject({
      ...ADD,
      headers: JSON_TYPE,
      payload: JSON.stringify(payload),
    });
    expect(answer.json()).toEqual({ code: 400, message: said(message) });
    expect([answer.statusCode, asked]).toEqual([400, []]);
  });

  test.each([
    ['a field', { field: 'price' }, /^conditions\[1\]\.field must be one of sol_amount, /],
    [
      'an operator',
      { operator: 'gte' },
      /^conditions\[1\]\.operator must be one of gt, lt, crosses_above, crosses_below\.$/,
    ],
    ['a sign', { value: '-1' }, /^conditions\[1\]\.value must be a whole number without sign/],
    ['an exponent', { field: 'sol_amount', value: '1e3' }, /value must be a decimal number/],
    ['a part of a count', { value: '1.5' }, /value must be a whole number/],
    ['19 digits behind the point', { field: 'sol_amount', value: `0.${'1'.repeat(19)}` }, /18/],
    ['31 digits', { field: 'sol_amount', value: '1'.repeat(31) }, /at most 30 digits/],
  ])('answers 422 for the invalid %s', async (_, overrides, message) => {
    const { server } = answering(DONE);
    const answer = await server.inject({ ...ADD, headers, payload: withCondition(overrides) });
    expect(answer.json()).toEqual({ code: 422, message: said(message) });
  });

  test.each(['crosses_above', 'crosses_below'] as const)(
    'accepts %s alone and with other conditions',
    async (operator) => {
      const { asked, server } = answering(DONE);
      const condition = { field: 'price_usd', operator, value: '0.000000000000000001' };
      const send = async (conditions: readonly unknown[]) =>
        await server.inject({ ...ADD, headers, payload: { ...BODY, conditions } });
      const lists = [[condition], [condition, BUSY], [BUSY, condition]];
      for (const conditions of lists) expect((await send(conditions)).statusCode).toBe(201);
      expect(asked).toMatchObject(lists.map((conditions) => ({ conditions })));
    },
  );

  test('answers 400 before 422: any wrong shape is reported first', async () => {
    const { server } = answering(DONE);
    const conditions = [{ ...BUSY, field: 'nonsense' }, { field: 'sol_amount' }];
    const answer = await server.inject({ ...ADD, headers, payload: { ...BODY, conditions } });
    expect(answer.statusCode).toBe(400);
  });

  test.each([
    ['the id is taken', { kind: 'taken' }, /^This trigger_id is already used/],
    ['the account is full', { kind: 'full', triggersMax: 7 }, /^This account has 7 triggers/],
  ] as const)('answers 409 when %s', async (_, outcome, message) => {
    const answer = await answering(outcome).server.inject({ ...ADD, headers, payload: BODY });
    expect(answer.json()).toEqual({ code: 409, message: expect.stringMatching(message) });
  });

  test('answers 400 for a missing target before 422 for an invalid condition', async () => {
    const { server } = answering(DONE);
    const payload = { ...withCondition({ operator: '>' }), pair_address: undefined };
    const answer = await server.inject({ ...ADD, headers, payload });
    expect(answer.json()).toEqual({ code: 400, message: 'pair_address or target is required.' });
  });

  test('accepts a token as target, and answers without a pool', async () => {
    const trigger = buildTrigger({ target: { kind: 'token', address: MINT } });
    const { asked, server } = answering({ kind: 'done', trigger });
    const answer = await server.inject({ ...ADD, headers, payload: OF_TOKEN });
    expect([answer.statusCode, answer.json()]).toEqual([
      201,
      { ...RECORD, pair_address: null, target: { token_address: MINT } },
    ]);
    expect(asked).toMatchObject([{ target: { kind: 'token', address: MINT } }]);
  });

  test('accepts a pool as target like pair_address', async () => {
    const { asked, server } = answering(DONE);
    const payload = { ...OF_TOKEN, target: { pair_address: POOL, other: 1 } };
    const answer = await server.inject({ ...ADD, headers, payload });
    expect([answer.statusCode, answer.json()]).toEqual([201, RECORD]);
    expect(asked).toMatchObject([{ target: { kind: 'pool', address: POOL } }]);
  });

  test('answers 415 and 413 for a body that is not JSON or too large', async () => {
    const { server } = answering(DONE);
    const plain = { ...headers, 'content-type': 'text/plain' };
    const form = await server.inject({ ...ADD, headers: plain, payload: 'x' });
    const large = await server.inject({
      ...ADD,
      headers: JSON_TYPE,
      payload: JSON.stringify({ ...BODY, more: 'x'.repeat(65_536) }),
    });
    expect([form.statusCode, large.statusCode]).toEqual([415, 413]);
  });
});

describe('conditions on hits of rules', () => {
  const ON_HIT = { field: 'rule_hit_confidence', operator: 'gt', value: '0.5', rule_id: 'dip' };
  const HIT: HitCondition = {
    field: 'rule_hit_confidence',
    operator: 'gt',
    value: '0.5',
    rule: 'dip',
    author: 'account',
  };

  test('are read, and answered with the author that they mean', async () => {
    const trigger = buildTrigger({ hits: [HIT] });
    const { asked, server } = answering({ kind: 'done', trigger });
    const payload = { ...BODY, conditions: [ON_HIT, BUSY] };
    const added = await server.inject({ ...ADD, headers, payload });
    expect(added.statusCode).toBe(201);
    expect(added.json().conditions).toEqual([BUSY, { ...ON_HIT, author: 'account' }]);
    const conditions = [{ ...ON_HIT, rule_id: 'dip@2+0123456789abcdef', author: 'operator' }];
    const change = { ...UPDATE, headers, payload: { trigger_id: 'busy pool', conditions } };
    expect((await server.inject(change)).statusCode).toBe(200);
    expect(asked).toMatchObject([
      { conditions: [BUSY], hits: [HIT] },
      { conditions: [], hits: [{ rule: 'dip@2+0123456789abcdef', author: 'operator' }] },
    ]);
  });

  test('are in firings with the version of the rule that passed', () => {
    const comparison = { ...HIT, compared: '0.75', ruleId: 'dip@2+0123456789abcdef' };
    const firing = buildFiring({ comparisons: [{ ...BUSY, compared: '11' }, comparison] });
    const shown = presentTriggerEvent({ kind: 'fired', firing });
    expect(shown).toMatchObject({
      conditions: [
        { ...BUSY, compared: '11' },
        { ...ON_HIT, compared: '0.75', rule_id: 'dip@2+0123456789abcdef', author: 'account' },
      ],
    });
    expect(Value.Check(TriggerEventBody, shown)).toBe(true);
  });

  test.each([
    ['no rule', [{ ...ON_HIT, rule_id: undefined }], /rule_id is required/],
    ['no id of a rule', [{ ...ON_HIT, rule_id: 'Dip' }], /rule_id must be the name of a rule/],
    ['a version without hash', [{ ...ON_HIT, rule_id: 'dip@2' }], /rule_id must be the name/],
    ['another author', [{ ...ON_HIT, author: 'account of two' }], /author must be one of/],
    ['a crossing', [{ ...ON_HIT, operator: 'crosses_above' }], /operator must be one of gt, lt/],
    ['a negative value', [{ ...ON_HIT, value: '-1' }], /value must/],
    [
      'a rule of a figure',
      [{ ...BUSY, rule_id: 'dip' }],
      /rule_id is for rule_hit_confidence only/,
    ],
    [
      'a crossing beside it',
      [ON_HIT, { ...BUSY, operator: 'crosses_below' }],
      /cannot combine rule_hit_confidence/,
    ],
  ])('are refused with %s', async (_, conditions, message) => {
    const { asked, server } = answering(DONE);
    const answer = await server.inject({ ...ADD, headers, payload: { ...BODY, conditions } });
    expect(answer.json()).toEqual({ code: 422, message: said(message) });
    expect(asked).toEqual([]);
  });
});

describe('PUT /v1/triggers/update', () => {
  const payload = { trigger_id: 'busy pool', conditions: [BUSY] };

  test('answers 200 with the record', async () => {
    const { asked, server } = answering(DONE);
    const answer = await server.inject({ ...UPDATE, headers, payload });
    expect([answer.statusCode, answer.json()]).toEqual([200, RECORD]);
    expect(asked).toMatchObject([{ accountId: 'account of writer', triggerId: 'busy pool' }]);
  });

  test('answers 404 for an unknown trigger', async () => {
    const { server } = answering({ kind: 'unknown' });
    const answer = await server.inject({ ...UPDATE, headers, payload });
    expect(answer.json()).toEqual({ code: 404, message: 'This account has no such trigger.' });
  });

  test.each([
    [400, { conditions: [BUSY] }],
    [400, { trigger_id: 'busy pool' }],
    [422, { ...payload, conditions: [{ ...BUSY, operator: '>' }] }],
  ])('answers %i for an invalid body', async (status, body) => {
    const answer = await answering(DONE).server.inject({ ...UPDATE, headers, payload: body });
    expect(answer.statusCode).toBe(status);
  });
});

describe('A-11 DELETE /v1/triggers/remove', () => {
  const removed = { ...RECORD, status: 'removed' };

  test.each([
    ['in the body', { payload: { trigger_id: 'busy pool' } }, ''],
    ['in the query', {}, '?trigger_id=busy%20pool'],
    ['in both', { payload: { trigger_id: 'busy pool' } }, '?trigger_id=busy%20pool'],
    [
      'in the query, of a body that a proxy dropped',
      { headers: JSON_TYPE },
      '?trigger_id=busy%20pool',
    ],
  ])('accepts the ID %s', async (_, request, query) => {
    const { asked, server } = answering(DONE);
    const answer = await server.inject({ ...REMOVE, url: REMOVE.url + query, headers, ...request });
    expect([answer.statusCode, answer.json()]).toEqual([200, removed]);
    expect(asked).toEqual([{ accountId: 'account of writer', triggerId: 'busy pool' }]);
  });

  test.each([
    ['without a name', {}, ''],
    ['with an empty body', { headers: JSON_TYPE }, ''],
    ['with a number', { payload: { trigger_id: 7 } }, ''],
    ['with a list', { payload: ['busy pool'] }, ''],
    ['with broken JSON', { headers: JSON_TYPE, payload: '{' }, ''],
    ['with an empty name', {}, '?trigger_id='],
    ['with two names', { payload: { trigger_id: 'one' } }, '?trigger_id=two'],
  ])('answers 400 %s', async (_, request, query) => {
    const { asked, server } = answering(DONE);
    const answer = await server.inject({ ...REMOVE, url: REMOVE.url + query, headers, ...request });
    expect([answer.statusCode, answer.json().code, asked]).toEqual([400, 400, []]);
  });

  test('answers 404 for an unknown trigger', async () => {
    const { server } = answering({ kind: 'unknown' });
    const answer = await server.inject({ ...REMOVE, headers, payload: { trigger_id: 'x' } });
    expect(answer.statusCode).toBe(404);
  });
});

describe('routes that change triggers', () => {
  test.each([ADD, UPDATE, REMOVE])('require a key with the scope: $method $url', async (route) => {
    const { asked, server } = answering(DONE);
    const reader = { 'x-api-key': READ_KEY };
    const statuses = [
      (await server.inject({ ...route, payload: {} })).statusCode,
      (await server.inject({ ...route, payload: {}, headers: reader })).statusCode,
    ];
    expect([statuses, asked]).toEqual([[401, 403], []]);
  });
});

describe('GET /v1/triggers', () => {
  test('lists a page of the triggers of the account', async () => {
    const { asked, server } = answering(DONE);
    const answer = await server.inject({
      url: '/v1/triggers?page=2&per_page=2',
      headers: { 'x-api-key': READ_KEY },
    });
    expect(answer.json()).toEqual({ triggers: [RECORD], total: 3, page: 2, per_page: 2, pages: 2 });
    expect(asked).toEqual([{ accountId: 'account of reader', limit: 2, offset: 2 }]);
  });

  test.each(['page=0', 'per_page=1001', 'page=x'])('answers 400 for %s', async (query) => {
    const url = `/v1/triggers?${query}`;
    const answer = await sharedApiServer().inject({ url, headers: { 'x-api-key': READ_KEY } });
    expect(answer.statusCode).toBe(400);
  });
});

describe('GET /v1/triggers/firings', () => {
  const read = (query: string, events: ApiDeps['triggers']['events']) => {
    const triggers = { ...fakeApiDeps().triggers, events };
    return fakeApiServer({ triggers }).inject({
      url: `/v1/triggers/firings${query}`,
      headers: { 'x-api-key': READ_KEY },
    });
  };

  test('returns firings and retractions by number, with the pool at that time', async () => {
    const firing = buildFiring({
      number: 41,
      slot: asSlot(9),
      retractedAtMs: 1_700_000_001_000,
      figures: {
        pool: POOL,
        tokenMint: MINT,
        tokenDecimals: 6,
        solLamports: asLamports(85_512_000_000n),
        tokenRaw: asRawAmount(1n),
        buyCount: 412,
        sellCount: 290,
        buyVolumeUsd: asUsdNano(51_207_110_000_000n),
        sellVolumeUsd: asUsdNano(5_000_000n),
        totalVolumeUsd: null,
        priceUsd: null,
        liquidityUsd: null,
        ...NO_WIDER_FIGURES,
      },
    });
    const retraction = {
      ...{ accountId: 'x', number: 42, triggerId: 'busy pool', slot: asSlot(9) },
      ...{ firedNumber: 41, retractedAtMs: 1_700_000_001_000 },
    };
    const asked: unknown[] = [];
    const answer = await read('?since=7&limit=2', async (query) => {
      asked.push(query);
      return {
        events: [
          { kind: 'fired', firing },
          { kind: 'retracted', retraction },
        ],
        lost: { from: 8, to: 40 },
        lastNumber: 50,
      };
    });
    expect(asked).toEqual([{ accountId: 'account of reader', since: 7, limit: 2 }]);
    expect(answer.json()).toEqual({
      firings: [
        {
          type: 'trigger_fired',
          trigger_id: 'busy pool',
          fired_at: '2023-11-14T22:13:20.000Z',
          pool: {
            pair_address: POOL,
            token_address: MINT,
            sol_amount: '85.512000000',
            token_amount: '0.000001',
            number_of_buys: 412,
            number_of_sells: 290,
            buy_volume_usd: '51207.11',
            sell_volume_usd: '0.01',
            total_volume_usd: null,
          },
          slot: 9,
          retracted_at: '2023-11-14T22:13:21.000Z',
          conditions: [{ field: 'number_of_buys', operator: 'gt', value: '10', compared: '11' }],
          seq: 41,
        },
        {
          type: 'trigger_retracted',
          trigger_id: 'busy pool',
          fired_seq: 41,
          slot: 9,
          retracted_at: '2023-11-14T22:13:21.000Z',
          seq: 42,
        },
      ],
      gap: { from_seq: 8, to_seq: 40 },
      last_seq: 50,
    });
  });

  test('is empty before anything fired', async () => {
    const nothing = { events: [], lost: null, lastNumber: 0 };
    const answer = await read('', async () => nothing);
    expect(answer.json()).toEqual({ firings: [], gap: null, last_seq: 0 });
  });

  test.each(['since=-1', 'since=1.5', 'limit=0', 'limit=1001', 'since=1&since=2'])(
    'answers 400 for %s',
    async (query) => {
      const answer = await read(`?${query}`, async () => ({
        events: [],
        lost: null,
        lastNumber: 0,
      }));
      expect(answer.statusCode).toBe(400);
    },
  );
});
