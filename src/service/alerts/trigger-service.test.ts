import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BUSY, ofPool } from '../../../tests/support/build-trigger.ts';
import { fakePool, OTHER_POOL, POOL } from '../../../tests/support/fake-api-deps.ts';
import { StoreError } from '../../model/errors.ts';
import type { PoolRecord } from '../../model/pool-record.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import { numberOf, type TriggerEvent, type TriggerOperator } from '../../model/trigger.ts';
import { type Address, asSlot, type Slot } from '../../model/units.ts';
import { openControlPlane } from '../../store/control/control-plane.ts';
import { FiringLog } from '../../store/control/firings.ts';
import { StoredTriggers } from '../../store/control/triggers.ts';
import { inTransaction } from '../../store/sqlite/sqlite-transaction.ts';
import type { TriggerChanges } from './judged-targets.ts';
import { TriggerService } from './trigger-service.ts';

const ACCOUNT = 'one';
const REQUEST = { accountId: ACCOUNT, triggerId: 'busy', target: ofPool(POOL), conditions: [BUSY] };
const NAME = { accountId: ACCOUNT, triggerId: 'busy' };

/** A chain of slots, each of which sets the number of buys of the pool. */
class FakeChain {
  finalSlot = -1;
  private readonly slots: TriggerChanges[] = [];

  readonly engine = {
    chain: this,
    get lastSlot(): Slot | null {
      return this.chain.slots.at(-1)?.slot ?? null;
    },
    pool(address: Address): PoolRecord | null {
      const records = this.chain.slots.flatMap(({ pools }) => pools);
      return records.findLast(({ pool }) => pool === address) ?? null;
    },
    token(address: Address): TokenRecord | null {
      const records = this.chain.slots.flatMap(({ tokens }) => tokens ?? []);
      return records.findLast(({ mint }) => mint === address) ?? null;
    },
  };

  apply(service: TriggerService, slot: number, buyCount: number, pool = POOL): void {
    const pools = [fakePool({ pool, buyCount, slot: asSlot(slot) })];
    const changes = { slot: asSlot(slot), pools };
    this.slots.push(changes);
    service.onApplied(changes);
  }

  undo(service: TriggerService): void {
    const newest = this.slots.pop();
    if (newest !== undefined) service.onReverted(newest);
  }

  /** Another process stores a slot, without notification. */
  store(slot: number, buyCount: number, pool = POOL): void {
    this.slots.push({
      slot: asSlot(slot),
      pools: [fakePool({ pool, buyCount, slot: asSlot(slot) })],
    });
    this.finalSlot = slot;
  }

  /** The process was killed: slots that are not final are gone. */
  dropTail(): void {
    while ((this.slots.at(-1)?.slot ?? -1) > this.finalSlot) this.slots.pop();
  }
}

let folder: string;
let database: DatabaseSync;
let chain: FakeChain;
let published: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trigger-service-'));
  database = openControlPlane(join(folder, 'control.sqlite'));
  chain = new FakeChain();
  published = [];
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const store = () => ({
  triggers: new StoredTriggers(database),
  firings: new FiringLog(database),
  together: <Result>(work: () => Result) => inTransaction(database, work),
});
const lineOf = (event: TriggerEvent) =>
  event.kind === 'fired'
    ? `fired ${event.firing.number} at ${event.firing.slot}`
    : `retracted ${event.retraction.firedNumber} as ${event.retraction.number}`;
const open = () =>
  new TriggerService(chain, store(), (events) => published.push(...events.map(lineOf)));
const kept = (service: TriggerService) =>
  service.events({ accountId: ACCOUNT, since: 0, limit: 100 }).events.map(numberOf);

describe('A-04 the trigger service', () => {
  test('publishes a firing in the slot that makes its trigger true, once until it becomes false', () => {
    const service = open();
    service.add(REQUEST);
    for (const [slot, buys] of [
      [5, 10],
      [6, 11],
      [7, 12],
      [8, 3],
      [9, 20],
    ] as const) {
      chain.apply(service, slot, buys);
    }
    expect(published).toEqual(['fired 1 at 6', 'fired 2 at 9']);
    expect(kept(service)).toEqual([1, 2]);
    expect(service.counts).toEqual({ fired: 2, retracted: 0 });
  });

  test('fires for a figure that crosses a value, not for one that is there already', () => {
    const service = open();
    const conditionOf = (operator: TriggerOperator) => [{ ...BUSY, operator }];
    chain.apply(service, 1, 11);
    service.add({ ...REQUEST, conditions: conditionOf('crosses_above') });
    service.add({ ...REQUEST, triggerId: 'quiet', conditions: conditionOf('crosses_below') });
    chain.apply(service, 2, 12);
    expect(published).toEqual([]);
    chain.apply(service, 3, 9);
    expect(published).toEqual(['fired 1 at 3']);
    // An equal figure is on neither side: it does not go back.
    chain.apply(service, 4, 10);
    chain.apply(service, 5, 11);
    expect(published).toEqual(['fired 1 at 3', 'fired 2 at 5']);
    service.update(NAME, { conditions: conditionOf('crosses_below') });
    service.update(NAME, { conditions: conditionOf('crosses_above') });
    chain.apply(service, 6, 13);
    expect(published).toHaveLength(2);
    expect(service.events({ accountId: ACCOUNT, since: 1, limit: 1 }).events).toMatchObject([
      {
        firing: {
          triggerId: 'busy',
          comparisons: [{ ...BUSY, operator: 'crosses_above', compared: '11' }],
        },
      },
    ]);
  });

  test('retracts a crossing of a lost branch, and fires for that of the other branch', () => {
    const service = open();
    service.add({ ...REQUEST, conditions: [{ ...BUSY, operator: 'crosses_above' }] });
    chain.apply(service, 1, 5);
    chain.apply(service, 2, 11);
    chain.undo(service);
    chain.apply(service, 2, 6);
    chain.apply(service, 3, 12);
    expect(published).toEqual(['fired 1 at 2', 'retracted 1 as 2', 'fired 3 at 3']);
  });

  /** More than ten purchases are a crossing; there must be fewer than twenty, too. */
  const MIXED = [
    { ...BUSY, operator: 'crosses_above' as const },
    { ...BUSY, operator: 'lt' as const, value: '20' },
  ];

  test('fires for a crossing while the other conditions are true, not when they become true later', () => {
    const service = open();
    service.add({ ...REQUEST, conditions: MIXED });
    for (const [slot, buys] of [
      [1, 5],
      // It crosses while another condition is false,
      [2, 25],
      // which becomes true without a crossing.
      [3, 15],
      [4, 5],
      [5, 12],
      [6, 13],
    ] as const) {
      chain.apply(service, slot, buys);
    }
    expect(published).toEqual(['fired 1 at 5']);
    service.update(NAME, { conditions: MIXED });
    chain.apply(service, 7, 14);
    expect(published).toHaveLength(1);
  });

  test('fires for a crossing among conditions as the chain stands after a fork', () => {
    const service = open();
    service.add({ ...REQUEST, conditions: MIXED });
    chain.apply(service, 1, 5);
    chain.apply(service, 2, 25);
    chain.undo(service);
    chain.apply(service, 2, 15);
    chain.undo(service);
    chain.apply(service, 2, 25);
    chain.apply(service, 3, 15);
    expect(published).toEqual(['fired 1 at 2', 'retracted 1 as 2']);
  });

  test('does not fire after a stop for what may have crossed before another condition became true', () => {
    const service = open();
    chain.store(1, 5);
    service.add({ ...REQUEST, conditions: MIXED });
    chain.store(2, 25);
    open();
    chain.store(3, 15);
    open();
    expect(published).toEqual([]);
  });

  test('finds a crossing that another process stored while it was stopped', () => {
    const service = open();
    chain.store(1, 11);
    service.add({ ...REQUEST, conditions: [{ ...BUSY, operator: 'crosses_above' }] });
    chain.store(2, 3);
    open();
    expect(published).toEqual([]);
    chain.store(3, 12);
    open();
    expect(published).toEqual(['fired 1 at 3']);
    open();
    expect(published).toEqual(['fired 1 at 3']);
  });

  test('stores a firing before publishing it', () => {
    const seen: number[] = [];
    const service: TriggerService = new TriggerService(chain, store(), () => {
      seen.push(...kept(service));
    });
    service.add(REQUEST);
    chain.apply(service, 6, 11);
    expect(seen).toEqual([1]);
  });

  test('fires a trigger that is already true when added, with the slot that made it true', () => {
    const service = open();
    chain.apply(service, 5, 11);
    chain.apply(service, 6, 1, OTHER_POOL);
    expect(service.add(REQUEST).kind).toBe('done');
    expect(service.add(REQUEST).kind).toBe('done');
    expect(published).toEqual(['fired 1 at 5']);
  });

  test('fires again with new conditions that are true, and not with the same ones', () => {
    const service = open();
    chain.apply(service, 5, 11);
    service.add(REQUEST);
    service.update(NAME, { conditions: [BUSY] });
    service.update(NAME, { conditions: [{ ...BUSY, value: '20' }] });
    service.update(NAME, { conditions: [BUSY] });
    expect(published).toEqual(['fired 1 at 5', 'fired 2 at 5']);
  });

  test('drops a removed trigger, and keeps its firings', () => {
    const service = open();
    chain.apply(service, 5, 11);
    service.add(REQUEST);
    expect(service.remove(NAME)).toMatchObject({ kind: 'done', trigger: { triggerId: 'busy' } });
    expect(service.remove(NAME)).toEqual({ kind: 'unknown' });
    chain.apply(service, 6, 1);
    chain.apply(service, 7, 11);
    expect([published, kept(service), service.size]).toEqual([['fired 1 at 5'], [1], 0]);
  });

  test('retracts a firing whose slot was reverted, and fires again on the other branch', () => {
    const service = open();
    service.add(REQUEST);
    chain.apply(service, 6, 11);
    chain.undo(service);
    expect(published).toEqual(['fired 1 at 6']);
    chain.apply(service, 7, 12);
    expect(published).toEqual(['fired 1 at 6', 'retracted 1 as 2', 'fired 3 at 7']);
  });

  test('keeps a firing whose slot is applied again, as when a late slot is inserted', () => {
    const service = open();
    service.add(REQUEST);
    chain.apply(service, 7, 11);
    chain.undo(service);
    chain.apply(service, 6, 4);
    chain.apply(service, 7, 11);
    chain.apply(service, 8, 12);
    expect(published).toEqual(['fired 1 at 7']);
  });

  test('does not fire again when a fork reverts what made it false', () => {
    const service = open();
    service.add(REQUEST);
    chain.apply(service, 6, 11);
    chain.apply(service, 7, 3);
    chain.undo(service);
    chain.apply(service, 7, 12);
    expect(published).toEqual(['fired 1 at 6']);
  });

  test('keeps the firing of an added trigger that is also true without the slot', () => {
    const service = open();
    chain.apply(service, 6, 11);
    chain.apply(service, 7, 12);
    service.add(REQUEST);
    chain.undo(service);
    chain.apply(service, 8, 13);
    expect(published).toEqual(['fired 1 at 7']);
  });

  test('does not retract final firings', () => {
    const service = open();
    service.add(REQUEST);
    chain.apply(service, 6, 11);
    chain.finalSlot = 6;
    chain.apply(service, 7, 3);
    chain.undo(service);
    chain.apply(service, 8, 3);
    expect(published).toEqual(['fired 1 at 6']);
  });

  test('has the same firing with the same number after a kill, when the tail is applied again', () => {
    const before = open();
    before.add(REQUEST);
    chain.apply(before, 6, 3);
    chain.finalSlot = 6;
    chain.apply(before, 7, 11);
    chain.dropTail();
    const after = open();
    chain.apply(after, 7, 11);
    chain.apply(after, 8, 12);
    expect(published).toEqual(['fired 1 at 7']);
    expect(kept(after)).toEqual([1]);
  });

  test('retracts after a kill a firing that the chain does not repeat', () => {
    const before = open();
    before.add(REQUEST);
    chain.apply(before, 7, 11);
    chain.dropTail();
    const after = open();
    chain.apply(after, 7, 3);
    expect(published).toEqual(['fired 1 at 7', 'retracted 1 as 2']);
  });

  test('knows after a start which triggers were true, and does not fire them again', () => {
    const before = open();
    before.add(REQUEST);
    chain.apply(before, 6, 11);
    chain.finalSlot = 6;
    const after = open();
    chain.apply(after, 7, 12);
    expect(published).toEqual(['fired 1 at 6']);
  });

  test('fires at a start a trigger that became true while the service was down, with the slot that made it true', () => {
    open().add(REQUEST);
    chain.store(5, 11);
    chain.store(6, 1, OTHER_POOL);
    const after = open();
    open();
    expect(published).toEqual(['fired 1 at 5']);
    expect([kept(after), after.counts]).toEqual([[1], { fired: 1, retracted: 0 }]);
  });

  test('fires it at a start after another start was killed before storing it', () => {
    open().add(REQUEST);
    chain.store(5, 11);
    database.exec(
      "CREATE TEMP TRIGGER full BEFORE INSERT ON trigger_firings BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    expect(open).toThrow(StoreError);
    database.exec('DROP TRIGGER full');
    open();
    open();
    expect(published).toEqual(['fired 1 at 5']);
  });

  test('does not repeat a firing of a tail that another process stored', () => {
    const before = open();
    before.add(REQUEST);
    chain.apply(before, 5, 3);
    chain.finalSlot = 5;
    before.onBeforeWrite();
    chain.apply(before, 6, 11);
    chain.dropTail();
    chain.store(6, 11);
    chain.store(7, 12);
    open();
    expect(published).toEqual(['fired 1 at 6']);
  });

  test('retracts at a start a firing of a tail, if another branch was stored', () => {
    const before = open();
    before.add(REQUEST);
    chain.apply(before, 5, 3);
    chain.finalSlot = 5;
    before.onBeforeWrite();
    chain.apply(before, 6, 11);
    chain.dropTail();
    chain.store(6, 4);
    open();
    expect(published).toEqual(['fired 1 at 6', 'retracted 1 as 2']);
  });

  test('fires under new rules only what was not true under the previous rules', () => {
    const before = open();
    before.add(REQUEST);
    before.add({ ...REQUEST, triggerId: 'busier', conditions: [{ ...BUSY, value: '20' }] });
    chain.apply(before, 5, 11);
    chain.finalSlot = 5;
    before.onBeforeWrite();
    chain.finalSlot = -1;
    chain.dropTail();
    chain.store(5, 25);
    open();
    open();
    expect(published).toEqual(['fired 1 at 5', 'fired 2 at 5']);
  });

  test('fires nothing at the first start that stores truths', () => {
    chain.store(5, 11);
    store().triggers.add(REQUEST);
    open();
    open();
    expect(published).toEqual([]);
  });

  test('stores the truths of a firing together with it, and does not fire them at a start', () => {
    const service = open();
    service.add(REQUEST);
    chain.apply(service, 6, 3);
    const refolded = new FakeChain();
    refolded.store(6, 11);
    Object.assign(chain.engine, { chain: refolded });
    chain.finalSlot = 6;
    service.onReplaced();
    open();
    expect(published).toEqual(['fired 1 at 6']);
  });

  test('recognises after a refold that a trigger is no longer true', () => {
    const service = open();
    service.add(REQUEST);
    chain.apply(service, 6, 11);
    const refolded = new FakeChain();
    refolded.store(6, 3);
    Object.assign(chain.engine, { chain: refolded });
    chain.finalSlot = 6;
    service.onReplaced();
    refolded.store(7, 12);
    open();
    expect(published).toEqual(['fired 1 at 6', 'fired 2 at 7']);
  });

  test('fires what a refold of the same slots makes true', () => {
    const service = open();
    service.add(REQUEST);
    chain.apply(service, 6, 3);
    const refolded = new FakeChain();
    const quiet = new TriggerService(refolded, store(), () => undefined);
    refolded.apply(quiet, 6, 3);
    Object.assign(chain.engine, { chain: refolded });
    service.onReplaced();
    expect(published).toEqual([]);
    refolded.apply(quiet, 6, 11);
    published = [];
    service.onReplaced();
    expect(published).toEqual(['fired 2 at 6']);
  });

  test('leaves everything unchanged when a change cannot be stored', () => {
    const service = open();
    chain.apply(service, 6, 15);
    database.exec('PRAGMA query_only = 1');
    expect(() => service.add(REQUEST)).toThrow(StoreError);
    database.exec('PRAGMA query_only = 0');
    expect([service.size, published]).toEqual([0, []]);
    service.add({ ...REQUEST, conditions: [{ ...BUSY, value: '20' }] });
    database.exec(
      "CREATE TEMP TRIGGER full BEFORE INSERT ON trigger_firings BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    expect(() => service.update(NAME, { conditions: [BUSY] })).toThrow(StoreError);
    database.exec('DROP TRIGGER full');
    chain.apply(service, 7, 21);
    expect(published).toEqual(['fired 1 at 7']);
  });

  test('returns to each account only its own events', () => {
    const service = open();
    service.add(REQUEST);
    expect(service.update({ ...NAME, accountId: 'two' }, { conditions: [BUSY] })).toEqual({
      kind: 'unknown',
    });
    expect(service.remove({ ...NAME, accountId: 'two' })).toEqual({ kind: 'unknown' });
    chain.apply(service, 6, 11);
    expect(service.events({ accountId: 'two', since: 0, limit: 9 }).events).toEqual([]);
    expect(service.page({ accountId: 'two', limit: 9, offset: 0 })).toEqual({
      triggers: [],
      total: 0,
    });
  });
});
