import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerFault } from '../support/api-fuzz/check-answer.ts';
import { type FuzzedApi, openFuzzedApi } from '../support/api-fuzz/open-fuzzed-api.ts';
import { type Operation, operationsOf } from '../support/api-fuzz/operations.ts';

/** Sequences; `MINTSCOPE_TEST_FUZZ_RUNS` sets the number. */
const RUNS = Number(process.env.MINTSCOPE_TEST_FUZZ_RUNS ?? 30);
const STEPS_MAX = 40;
const WEBHOOKS_MAX = 20;
const NOBODYS = '00000000-0000-4000-8000-00000000dead';

let api: FuzzedApi;
let operations: readonly Operation[] = [];
let run = 0;

beforeAll(async () => {
  api = await openFuzzedApi();
  operations = operationsOf((await api.app.inject('/openapi.json')).json());
});

afterAll(async () => await api.close());

/** The state of an account, as a client would remember it. */
class Account {
  readonly key: string;
  readonly triggers = new Map<string, string>();
  readonly webhooks: string[] = [];
  readonly removedWebhooks: string[] = [];
  /** The last delivery of a ping, by webhook. */
  readonly deliveries = new Map<string, string>();

  constructor(accountId: string) {
    this.key = api.service.store.keys.create({
      ...{ accountId, scopes: ['read', 'triggers:write', 'review:write'], label: '' },
      expiresAtMs: null,
    }).text;
  }
}

interface World {
  /** The second account is another customer's. */
  readonly accounts: readonly [Account, Account];
  readonly finding: string;
}

/** One step: sends a request, and fails when the answer is not what the model expects. */
interface Step {
  run(world: World): Promise<void>;
  toString(): string;
}

type Method = Operation['method'];

/** Sends as an account; the answer must be as documented, with one of the expected statuses. */
async function ask(
  { key }: Account,
  method: Method,
  url: string,
  expected: readonly number[],
  body?: object,
): Promise<LightMyRequestResponse> {
  const answer = await api.app.inject({
    ...{ method, url, headers: { 'x-api-key': key } },
    ...(body === undefined ? {} : { payload: body }),
  });
  const [path = ''] = url.split('?');
  const operation = operations.find(
    (one) =>
      one.method === method && new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  if (operation === undefined) throw new Error(`${method} ${path} is not documented`);
  const fault = answerFault(operation, answer);
  if (fault !== null) throw new Error(`${method} ${url}: ${fault}`);
  if (!expected.includes(answer.statusCode)) {
    throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}, not ${expected}`);
  }
  const maySecret = method === 'POST' && /webhooks$|rotate-secret$/.test(path);
  if (!maySecret && answer.body.includes('whsec_')) throw new Error(`${url} shows a secret`);
  return answer;
}

const whose = fc.constantFrom(0 as const, 1 as const);
const triggerName = fc.constantFrom('one', 'two', 'three', 'ä 🐈', '__proto__');
/** How a request says what the trigger watches. A token of any address is accepted. */
const targetForm = fc.constantFrom('short', 'pool', 'token');
const conditions = fc.array(
  fc.record({
    field: fc.constantFrom('number_of_buys', 'total_volume_usd', 'sol_amount'),
    operator: fc.constantFrom('gt', 'lt'),
    value: fc.constantFrom('0', '1', '250', '99999999'),
  }),
  { minLength: 1, maxLength: 3 },
);

const addTrigger = fc
  .record({ actor: whose, name: triggerName, pool: fc.nat(), form: targetForm, given: conditions })
  .map(
    ({ actor, name, pool, form, given }): Step => ({
      toString: () => `account ${actor} adds trigger ${name} ${JSON.stringify(given)}`,
      run: async ({ accounts }) => {
        const account = accounts[actor];
        const pair = api.pools[pool % api.pools.length];
        const kind = form === 'token' ? 'token_address' : 'pair_address';
        const content = JSON.stringify([{ [kind]: pair }, given]);
        const known = account.triggers.get(name);
        const expected = known === undefined || known === content ? 201 : 409;
        const target = form === 'short' ? { pair_address: pair } : { target: { [kind]: pair } };
        const body = { trigger_id: name, ...target, conditions: given };
        await ask(account, 'POST', '/v1/triggers/add', [expected], body);
        if (expected === 201) account.triggers.set(name, content);
      },
    }),
  );

const updateTrigger = fc.record({ actor: whose, name: triggerName, given: conditions }).map(
  ({ actor, name, given }): Step => ({
    toString: () => `account ${actor} updates trigger ${name}`,
    run: async ({ accounts }) => {
      const account = accounts[actor];
      const known = account.triggers.get(name);
      const body = { trigger_id: name, conditions: given };
      await ask(account, 'PUT', '/v1/triggers/update', [known === undefined ? 404 : 200], body);
      if (known === undefined) return;
      account.triggers.set(name, JSON.stringify([JSON.parse(known)[0], given]));
    },
  }),
);

const removeTrigger = fc.record({ actor: whose, name: triggerName, isInQuery: fc.boolean() }).map(
  ({ actor, name, isInQuery }): Step => ({
    toString: () => `account ${actor} removes trigger ${name}`,
    run: async ({ accounts }) => {
      const account = accounts[actor];
      const expected = account.triggers.delete(name) ? 200 : 404;
      const query = isInQuery ? `?trigger_id=${encodeURIComponent(name)}` : '';
      const body = isInQuery ? undefined : { trigger_id: name };
      await ask(account, 'DELETE', `/v1/triggers/remove${query}`, [expected], body);
    },
  }),
);

const listTriggers = whose.map(
  (actor): Step => ({
    toString: () => `account ${actor} lists its triggers`,
    run: async ({ accounts }) => {
      const answer = await ask(accounts[actor], 'GET', '/v1/triggers', [200]);
      const { triggers } = answer.json();
      const listed = triggers.map(
        ({ trigger_id: id, target, conditions: given }: Record<string, unknown>) => [
          id,
          JSON.stringify([target, given]),
        ],
      );
      expect(new Map(listed)).toEqual(accounts[actor].triggers);
    },
  }),
);

const addWebhook = whose.map(
  (actor): Step => ({
    toString: () => `account ${actor} adds a webhook`,
    run: async ({ accounts }) => {
      const account = accounts[actor];
      const expected = account.webhooks.length < WEBHOOKS_MAX ? 201 : 409;
      const body = { url: 'https://example.com/hook', event_types: ['signal.given'] };
      const answer = await ask(account, 'POST', '/v1/webhooks', [expected], body);
      if (expected === 201) account.webhooks.push(answer.json().id);
    },
  }),
);

/** A webhook's id: an existing one, a removed one, another account's, or an unknown one. */
const which = fc.record({
  kind: fc.constantFrom('live', 'live', 'removed', 'foreign', 'nobody'),
  index: fc.nat(),
});

function webhookOf(
  own: Account,
  other: Account,
  { kind, index }: { readonly kind: string; readonly index: number },
): { readonly id: string; readonly isOwn: boolean } {
  const lists: Record<string, readonly string[]> = {
    live: own.webhooks,
    removed: own.removedWebhooks,
    foreign: other.webhooks,
  };
  const list = lists[kind] ?? [];
  const id = list[index % Math.max(1, list.length)];
  return { id: id ?? NOBODYS, isOwn: kind === 'live' && id !== undefined };
}

const WEBHOOK_CALLS = [
  ['GET', '', 200],
  ['POST', '/rotate-secret', 200],
  ['POST', '/enable', 200],
  ['POST', '/test', 202],
  ['GET', '/deliveries', 200],
  ['DELETE', '', 200],
] as const satisfies readonly (readonly [Method, string, number])[];

const callWebhook = fc.record({ actor: whose, which, call: fc.constantFrom(...WEBHOOK_CALLS) }).map(
  ({ actor, which: named, call: [method, end, success] }): Step => ({
    toString: () => `account ${actor}: ${method} webhook (${named.kind})${end}`,
    run: async ({ accounts }) => {
      const own = accounts[actor];
      const { id, isOwn } = webhookOf(own, accounts[1 - actor] as Account, named);
      const answer = await ask(own, method, `/v1/webhooks/${id}${end}`, [isOwn ? success : 404]);
      if (!isOwn) return;
      if (end === '/test') own.deliveries.set(id, answer.json().id);
      if (method !== 'DELETE') return;
      own.webhooks.splice(own.webhooks.indexOf(id), 1);
      own.removedWebhooks.push(id);
    },
  }),
);

const redeliver = fc.record({ actor: whose, which }).map(
  ({ actor, which: named }): Step => ({
    toString: () => `account ${actor} has a delivery of a webhook (${named.kind}) sent again`,
    run: async ({ accounts }) => {
      const own = accounts[actor];
      const other = accounts[1 - actor] as Account;
      const { id, isOwn } = webhookOf(own, other, named);
      const delivery = own.deliveries.get(id) ?? other.deliveries.get(id);
      const expected = isOwn && delivery !== undefined ? 202 : 404;
      const url = `/v1/webhooks/${id}/deliveries/${delivery ?? NOBODYS}/redeliver`;
      await ask(own, 'POST', url, [expected]);
    },
  }),
);

const listWebhooks = whose.map(
  (actor): Step => ({
    toString: () => `account ${actor} lists its webhooks`,
    run: async ({ accounts }) => {
      const answer = await ask(accounts[actor], 'GET', '/v1/webhooks', [200]);
      const ids = answer.json().webhooks.map(({ id }: { readonly id: string }) => id);
      expect(ids.toSorted()).toEqual(accounts[actor].webhooks.toSorted());
    },
  }),
);

/** The transitions that CONTRACT §2.7 allows. */
const REVIEW_STEPS: Readonly<Record<string, readonly string[]>> = {
  active: ['reviewed', 'archived'],
  reviewed: ['confirmed', 'false_positive', 'archived'],
  confirmed: ['archived'],
  false_positive: ['archived'],
  archived: ['archived'],
};

const review = fc
  .record({
    actor: whose,
    to: fc.constantFrom('reviewed', 'confirmed', 'false_positive', 'reviewed', 'archived'),
  })
  .map(
    ({ actor, to }): Step => ({
      toString: () => `account ${actor} calls the finding ${to}`,
      run: async ({ accounts, finding }) => {
        const url = `/v1/fraud/classifications/${finding}`;
        const { status: from } = (await ask(accounts[actor], 'GET', url, [200])).json();
        const expected = REVIEW_STEPS[from]?.includes(to) ? 200 : 409;
        const answer = await ask(accounts[actor], 'POST', `${url}/review`, [expected], {
          status: to,
        });
        if (expected === 200) expect(answer.json().status).toBe(to);
        else expect((await ask(accounts[actor], 'GET', url, [200])).json().status).toBe(from);
      },
    }),
  );

const step = fc.oneof(
  ...[addTrigger, updateTrigger, removeTrigger, listTriggers],
  { weight: 2, arbitrary: addWebhook },
  { weight: 4, arbitrary: callWebhook },
  ...[redeliver, listWebhooks, review],
);

describe('A-10 A-12 A-13 sequences of requests of two accounts', () => {
  test(
    'A-04 are answered as a client expects: removed things and those of others are not found',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: STEPS_MAX, size: 'max' }), async (steps) => {
          run++;
          const world: World = {
            accounts: [new Account(`own ${run}`), new Account(`other ${run}`)],
            finding: api.findings[run % api.findings.length] ?? '',
          };
          for (const each of steps) await each.run(world);
        }),
        { numRuns: RUNS },
      );
    },
    120_000 + RUNS * 5_000,
  );

  test('an account may have webhooks up to the limit, and one more once one is removed', async () => {
    const account = new Account('many webhooks');
    const body = { url: 'https://example.com/hook', event_types: ['signal.given'] };
    let id = '';
    for (let count = 0; count < WEBHOOKS_MAX; count++) {
      id = (await ask(account, 'POST', '/v1/webhooks', [201], body)).json().id;
    }
    await ask(account, 'POST', '/v1/webhooks', [409], body);
    await ask(account, 'DELETE', `/v1/webhooks/${id}`, [200]);
    await ask(account, 'POST', '/v1/webhooks', [201], body);
  });
});
