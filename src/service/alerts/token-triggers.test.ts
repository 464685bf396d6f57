import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { ACCOUNT, BUSY, ofToken } from '../../../tests/support/build-trigger.ts';
import { fakePool, fakeToken, MINT, OTHER_MINT } from '../../../tests/support/fake-api-deps.ts';
import type { TriggerEvent } from '../../model/trigger.ts';
import { type Address, asSlot, type Slot } from '../../model/units.ts';
import { openControlPlane } from '../../store/control/control-plane.ts';
import { FiringLog } from '../../store/control/firings.ts';
import { StoredTriggers } from '../../store/control/triggers.ts';
import { inTransaction } from '../../store/sqlite/sqlite-transaction.ts';
import type { TriggerChanges } from './judged-targets.ts';
import { TriggerService } from './trigger-service.ts';

const CURVE = address('bonding curve');
const AMM = address('pool after the migration');
const NAMES = new Map([
  [CURVE, 'curve'],
  [AMM, 'amm'],
]);

/** What a slot does to the token: the buys that pools have after it, and a new primary pool. */
interface Change {
  readonly curve?: number;
  readonly amm?: number;
  readonly primary?: Address;
}

/** The chain of one token with a curve and a pool to which it migrates. */
class FakeChain {
  finalSlot = -1;
  slots: TriggerChanges[] = [];

  readonly engine = {
    chain: this,
    get lastSlot(): Slot | null {
      return this.chain.slots.at(-1)?.slot ?? null;
    },
    pool(pool: Address) {
      const records = this.chain.slots.flatMap(({ pools }) => pools);
      return records.findLast((record) => record.pool === pool) ?? null;
    },
    token(mint: Address) {
      const records = this.chain.slots.flatMap(({ tokens }) => tokens ?? []);
      return records.findLast((record) => record.mint === mint) ?? null;
    },
  };

  /** Adds a slot that no service follows. */
  add(number: number, { curve, amm, primary }: Change): TriggerChanges {
    const slot = asSlot(number);
    const pools = [
      ...(curve === undefined ? [] : [fakePool({ pool: CURVE, buyCount: curve, slot })]),
      ...(amm === undefined ? [] : [fakePool({ pool: AMM, buyCount: amm, slot })]),
    ];
    const tokens = primary === undefined ? [] : [fakeToken({ primaryPool: primary, slot })];
    const changes = { slot, pools, tokens };
    this.slots.push(changes);
    return changes;
  }
}

let database: DatabaseSync;
let chain: FakeChain;
let events: string[];

beforeEach(() => {
  database = openControlPlane(':memory:');
  chain = new FakeChain();
  events = [];
});

afterEach(() => {
  database.close();
});

const lineOf = (event: TriggerEvent) =>
  event.kind === 'fired'
    ? `fired at ${event.firing.slot} on ${NAMES.get(event.firing.figures.pool)}`
    : `retracted at ${event.retraction.slot}`;

function open(): TriggerService {
  const store = {
    triggers: new StoredTriggers(database, () => 0),
    firings: new FiringLog(database, () => 0),
    together: <Result>(work: () => Result) => inTransaction(database, work),
  };
  return new TriggerService(chain, store, (all) => events.push(...all.map(lineOf)));
}

/** A service with one trigger: more than ten buys in the primary pool of the token. */
function watching(operator: 'gt' | 'crosses_above' = 'gt'): TriggerService {
  const service = open();
  const conditions = [{ ...BUSY, operator }];
  service.add({ accountId: ACCOUNT, triggerId: 'busy', target: ofToken(MINT), conditions });
  return service;
}

const apply = (service: TriggerService, slot: number, change: Change) =>
  service.onApplied(chain.add(slot, change));

function undo(service: TriggerService): void {
  const newest = chain.slots.pop();
  if (newest !== undefined) service.onReverted(newest);
}

/** Slots up to this one are final and stored. */
function storeTo(service: TriggerService, slot: number): void {
  chain.finalSlot = slot;
  service.onBeforeWrite();
}

describe('a trigger of a token', () => {
  test('fires for the primary pool only, and names it', () => {
    const service = watching();
    apply(service, 1, { curve: 3, amm: 11, primary: CURVE });
    apply(service, 2, { amm: 12 });
    expect(events).toEqual([]);
    apply(service, 3, { curve: 11 });
    apply(service, 4, { curve: 12, amm: 13 });
    expect(events).toEqual(['fired at 3 on curve']);
  });

  test('is armed by a migration to a pool of which it is not true, and fires for that pool', () => {
    const service = watching();
    apply(service, 1, { curve: 11, primary: CURVE });
    apply(service, 2, { amm: 1, primary: AMM });
    apply(service, 3, { curve: 20 });
    apply(service, 4, { amm: 11 });
    expect(events).toEqual(['fired at 1 on curve', 'fired at 4 on amm']);
  });

  test('does not fire for a migration between pools of which it is true', () => {
    const service = watching();
    apply(service, 1, { curve: 11, primary: CURVE });
    apply(service, 2, { amm: 12, primary: AMM });
    apply(service, 3, { curve: 2 });
    expect(events).toEqual(['fired at 1 on curve']);
    apply(service, 4, { amm: 9 });
    apply(service, 5, { amm: 11 });
    expect(events).toEqual(['fired at 1 on curve', 'fired at 5 on amm']);
  });

  test.each(['gt', 'crosses_above'] as const)(
    'with %s fires with the slot that makes a pool primary, also one that the slot does not change',
    (operator) => {
      const service = watching(operator);
      apply(service, 1, { curve: 3, amm: 11, primary: CURVE });
      apply(service, 5, { primary: AMM });
      expect(events).toEqual(['fired at 5 on amm']);
      const [event] = service.events({ accountId: ACCOUNT, since: 0, limit: 1 }).events;
      expect(event).toMatchObject({ firing: { comparisons: [{ compared: '11' }] } });
    },
  );

  test('of a crossing does not fire for the pool that is there when it is added', () => {
    chain.add(1, { curve: 11, primary: CURVE });
    const service = watching('crosses_above');
    apply(service, 2, { amm: 12, primary: AMM });
    expect(events).toEqual([]);
    apply(service, 3, { amm: 9 });
    apply(service, 4, { amm: 11 });
    expect(events).toEqual(['fired at 4 on amm']);
  });

  test('fires when it is added to a token of which it is true, with the slot that changed it', () => {
    chain.add(1, { curve: 11, primary: CURVE });
    chain.add(2, {});
    watching();
    expect(events).toEqual(['fired at 1 on curve']);
  });

  test('is false while the token is unknown or has no pool', () => {
    const service = watching();
    apply(service, 1, { curve: 11 });
    const tokens = [fakeToken({ slot: asSlot(2) }), fakeToken({ mint: OTHER_MINT })];
    chain.slots.push({ slot: asSlot(2), pools: [], tokens });
    service.onApplied({ slot: asSlot(2), pools: [], tokens });
    expect(events).toEqual([]);
    apply(service, 3, { primary: CURVE });
    expect(events).toEqual(['fired at 3 on curve']);
  });

  test('keeps its target when its conditions change', () => {
    const service = watching();
    apply(service, 1, { curve: 6, primary: CURVE });
    const name = { accountId: ACCOUNT, triggerId: 'busy' };
    const outcome = service.update(name, { conditions: [{ ...BUSY, value: '5' }] });
    expect(outcome).toMatchObject({ trigger: { target: ofToken(MINT) } });
    expect(events).toEqual(['fired at 1 on curve']);
  });
});

describe('a fork over the migration of a token', () => {
  test('restores the state of the pool before: what had fired for it does not fire again', () => {
    const service = watching();
    apply(service, 1, { curve: 11, primary: CURVE });
    apply(service, 2, { amm: 1, primary: AMM });
    undo(service);
    apply(service, 3, { curve: 12 });
    expect(events).toEqual(['fired at 1 on curve']);
    apply(service, 4, { curve: 9 });
    apply(service, 5, { curve: 11 });
    expect(events).toEqual(['fired at 1 on curve', 'fired at 5 on curve']);
  });

  test('retracts the firing of the migration once the chain passes without it', () => {
    const service = watching();
    apply(service, 1, { curve: 3, primary: CURVE });
    apply(service, 2, { amm: 11, primary: AMM });
    undo(service);
    apply(service, 3, { curve: 4 });
    expect(events).toEqual(['fired at 2 on amm', 'retracted at 2']);
    apply(service, 4, { amm: 11, primary: AMM });
    expect(events.slice(2)).toEqual(['fired at 4 on amm']);
  });

  test('keeps the firing of a migration that comes back in the same slot', () => {
    const service = watching();
    apply(service, 1, { curve: 3, primary: CURVE });
    apply(service, 3, { amm: 11, primary: AMM });
    undo(service);
    apply(service, 2, { curve: 4 });
    apply(service, 3, { amm: 11, primary: AMM });
    apply(service, 4, {});
    expect(events).toEqual(['fired at 3 on amm']);
  });

  test('that takes back the first pool makes it false, so that it fires for the next', () => {
    const service = watching();
    apply(service, 1, { curve: 11, primary: CURVE });
    undo(service);
    apply(service, 2, {});
    apply(service, 3, { curve: 11, primary: CURVE });
    expect(events).toEqual(['fired at 1 on curve', 'retracted at 1', 'fired at 3 on curve']);
  });
});

describe('a start with a trigger of a token', () => {
  test('fires for a migration that nobody judged, with its slot', () => {
    const first = watching();
    apply(first, 1, { curve: 3, amm: 11, primary: CURVE });
    storeTo(first, 1);
    chain.add(2, { primary: AMM });
    chain.add(3, {});
    chain.finalSlot = 3;
    open();
    expect(events).toEqual(['fired at 2 on amm']);
    open();
    expect(events).toEqual(['fired at 2 on amm']);
  });

  test('neither repeats nor retracts a firing of a migration that was stored', () => {
    const first = watching();
    apply(first, 1, { curve: 3, amm: 11, primary: CURVE });
    apply(first, 2, { primary: AMM });
    storeTo(first, 2);
    const second = open();
    apply(second, 3, { amm: 12 });
    expect(events).toEqual(['fired at 2 on amm']);
  });

  test('keeps the firing of a migration that is applied again after a kill', () => {
    const first = watching();
    apply(first, 1, { curve: 3, amm: 11, primary: CURVE });
    storeTo(first, 1);
    apply(first, 2, { primary: AMM });
    chain.slots.pop();
    const second = open();
    apply(second, 2, { primary: AMM });
    apply(second, 3, {});
    expect(events).toEqual(['fired at 2 on amm']);
  });

  test('retracts the firing of a migration on a branch that another process did not store', () => {
    const first = watching();
    apply(first, 1, { curve: 3, amm: 11, primary: CURVE });
    storeTo(first, 1);
    apply(first, 2, { primary: AMM });
    chain.slots.pop();
    chain.add(3, {});
    chain.finalSlot = 3;
    open();
    expect(events).toEqual(['fired at 2 on amm', 'retracted at 2']);
  });
});

test('an engine that was computed again fires for the primary pool that it chooses instead', () => {
  const service = watching();
  apply(service, 1, { curve: 3, amm: 11, primary: CURVE });
  chain.slots = [];
  chain.add(1, { curve: 3, amm: 11, primary: AMM });
  service.onReplaced();
  expect(events).toEqual(['fired at 1 on amm']);
  chain.slots = [];
  chain.add(1, { curve: 3, amm: 11, primary: CURVE });
  service.onReplaced();
  apply(service, 2, { primary: AMM });
  expect(events).toEqual(['fired at 1 on amm', 'fired at 2 on amm']);
});
