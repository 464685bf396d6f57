import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BUSY, ofPool, ofToken } from '../../../tests/support/build-trigger.ts';
import {
  fakePool,
  fakeToken,
  OTHER_POOL,
  POOL,
  SLOT,
} from '../../../tests/support/fake-api-deps.ts';
import type { Condition, TriggerTarget } from '../../model/trigger.ts';
import type { Address } from '../../model/units.ts';
import { openControlPlane } from '../../store/control/control-plane.ts';
import { FiringLog } from '../../store/control/firings.ts';
import { StoredTriggers } from '../../store/control/triggers.ts';
import { inTransaction } from '../../store/sqlite/sqlite-transaction.ts';
import { TriggerService } from './trigger-service.ts';

const TRIGGERS_MAX = 3;
const RUNS = Number(process.env.MINTSCOPE_TRIGGER_RUNS ?? 2_000);
const TIMEOUT_MS = 60_000 + RUNS * 30;
const someId = fc.constantFrom('a', 'b', 'c', 'd');
const someConditions = fc
  .integer({ min: 1, max: 3 })
  .map((value): readonly Condition[] => [{ ...BUSY, value: String(value) }]);
const someRequest = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    triggerId: someId,
    // A pool and a token of one address are two targets.
    target: fc.constantFrom(ofPool(POOL), ofPool(OTHER_POOL), ofToken(POOL)),
    conditions: someConditions,
  }),
  fc.record({
    kind: fc.constant('update' as const),
    triggerId: someId,
    conditions: someConditions,
  }),
  fc.record({ kind: fc.constant('remove' as const), triggerId: someId }),
  fc.record({ kind: fc.constant('list' as const) }),
);
type Request = typeof someRequest extends fc.Arbitrary<infer Value> ? Value : never;

interface Plain {
  readonly target: TriggerTarget;
  readonly conditions: readonly Condition[];
}

let database: DatabaseSync;

beforeAll(() => {
  database = openControlPlane(':memory:');
});

afterAll(() => {
  database.close();
});

/** The answers of a plain map of the account's triggers. */
function expected(plain: Map<string, Plain>, request: Request): unknown {
  if (request.kind === 'list') {
    return [...plain].map(([triggerId, { target, conditions }]) => [triggerId, target, conditions]);
  }
  const { triggerId } = request;
  const known = plain.get(triggerId);
  if (request.kind === 'add') {
    const { target, conditions } = request;
    if (known === undefined) {
      if (plain.size >= TRIGGERS_MAX) return 'full';
      plain.set(triggerId, { target, conditions });
      return 'done';
    }
    const isSame = JSON.stringify(known) === JSON.stringify({ target, conditions });
    return isSame ? 'done' : 'taken';
  }
  if (known === undefined) return 'unknown';
  if (request.kind === 'remove') plain.delete(triggerId);
  else plain.set(triggerId, { ...known, conditions: request.conditions });
  return 'done';
}

function answered(service: TriggerService, accountId: string, request: Request): unknown {
  switch (request.kind) {
    case 'add': {
      const { triggerId, target, conditions } = request;
      return service.add({ accountId, triggerId, target, conditions }).kind;
    }
    case 'update':
      return service.update({ accountId, triggerId: request.triggerId }, request).kind;
    case 'remove':
      return service.remove({ accountId, triggerId: request.triggerId }).kind;
    case 'list':
      return service
        .page({ accountId, offset: 0, limit: 100 })
        .triggers.map(({ triggerId, target, conditions }) => [triggerId, target, conditions]);
  }
}

test(
  'A-13 requests of many clients are answered like a map, in any order of processing',
  async () => {
    const state = {
      engine: {
        lastSlot: SLOT,
        pool: (pool: Address) => fakePool({ pool, buyCount: 2 }),
        token: () => fakeToken({ primaryPool: POOL }),
      },
      finalSlot: SLOT,
    };
    let account = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.array(someRequest, { maxLength: 6 }), { minLength: 1, maxLength: 4 }),
        async (scheduler, clients) => {
          const accountId = `account ${++account}`;
          const triggers = new StoredTriggers(database, () => 0, { triggersMax: TRIGGERS_MAX });
          const store = {
            triggers,
            firings: new FiringLog(database, () => 0),
            together: <Result>(work: () => Result) => inTransaction(database, work),
          };
          const service = new TriggerService(state, store, () => undefined);
          const plain = new Map<string, Plain>();
          const work = clients.map(async (requests) => {
            for (const request of requests) {
              await scheduler.schedule(Promise.resolve(), request.kind);
              expect([request, answered(service, accountId, request)]).toEqual([
                request,
                expected(plain, request),
              ]);
            }
          });
          await scheduler.waitFor(Promise.all(work));
          expect(service.size).toBe(plain.size);
          for (const triggerId of plain.keys()) service.remove({ accountId, triggerId });
        },
      ),
      { numRuns: RUNS },
    );
  },
  TIMEOUT_MS,
);
