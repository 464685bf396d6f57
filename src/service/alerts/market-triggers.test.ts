import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildClassification } from '../../../tests/support/build-classification.ts';
import { ACCOUNT, BUSY, ofPool, ofToken } from '../../../tests/support/build-trigger.ts';
import {
  fakePool,
  fakeToken,
  MINT,
  OTHER_MINT,
  OTHER_POOL,
  POOL,
} from '../../../tests/support/fake-api-deps.ts';
import type { FigureSources } from '../../alerts/triggers/trigger-book.ts';
import { NO_WIDER_FIGURES } from '../../model/pool-figures.ts';
import type { PoolRecord } from '../../model/pool-record.ts';
import type { Condition, TriggerEvent } from '../../model/trigger.ts';
import { type Address, asSlot, type Slot } from '../../model/units.ts';
import { openControlPlane } from '../../store/control/control-plane.ts';
import { FiringLog } from '../../store/control/firings.ts';
import { StoredTriggers } from '../../store/control/triggers.ts';
import { inTransaction } from '../../store/sqlite/sqlite-transaction.ts';
import type { TriggerChanges } from './judged-targets.ts';
import { TriggerService } from './trigger-service.ts';

/** More than five percent up in five minutes. */
const UP: Condition = { field: 'price_change_5m', operator: 'gt', value: '0.05' };
const RISKY: Condition = { field: 'fraud_confidence', operator: 'gt', value: '0.8' };

/** A slot with the pool and figures of the market that it leaves. */
interface Block {
  readonly changes: TriggerChanges;
  readonly changeE4: bigint;
  readonly confidenceE4: bigint;
}

/** The chain and the market of one process. The market follows each slot before the triggers do. */
class FakeMarket implements FigureSources {
  blocks: Block[] = [];
  finalSlot = -1;
  isComplete = true;

  readonly engine = {
    market: this,
    get lastSlot(): Slot | null {
      return this.market.blocks.at(-1)?.changes.slot ?? null;
    },
    pool(address: Address): PoolRecord | null {
      const records = this.market.blocks.flatMap(({ changes }) => changes.pools);
      return records.findLast(({ pool }) => pool === address) ?? null;
    },
    token(address: Address) {
      const records = this.market.blocks.flatMap(({ changes }) => changes.tokens ?? []);
      return records.findLast(({ mint }) => mint === address) ?? null;
    },
  };

  isMarketComplete = () => this.isComplete;

  widerOf = () => {
    const { changeE4 = 0n, confidenceE4 = 0n } = this.blocks.at(-1) ?? {};
    return { ...NO_WIDER_FIGURES, priceChange5mE4: changeE4, fraudConfidenceE4: confidenceE4 };
  };
}

let database: DatabaseSync;
let market: FakeMarket;
let events: string[];

beforeEach(() => {
  database = openControlPlane(':memory:');
  market = new FakeMarket();
  events = [];
});

afterEach(() => {
  database.close();
});

const lineOf = (event: TriggerEvent) =>
  event.kind === 'fired'
    ? `${event.firing.triggerId} fired at ${event.firing.slot}`
    : `${event.retraction.triggerId} retracted at ${event.retraction.slot}`;

function open(): TriggerService {
  const store = {
    triggers: new StoredTriggers(database, () => 0),
    firings: new FiringLog(database, () => 0),
    together: <Result>(work: () => Result) => inTransaction(database, work),
  };
  const publish = (all: readonly TriggerEvent[]) => events.push(...all.map(lineOf));
  return new TriggerService(market, store, publish, market);
}

function add(service: TriggerService, conditions: readonly Condition[], triggerId = 'up'): void {
  service.add({ accountId: ACCOUNT, triggerId, target: ofPool(POOL), conditions });
}

/** A slot in which the pool is traded. */
function trade(service: TriggerService, slot: number, changeE4: bigint, buyCount = 0): void {
  const pools = [fakePool({ slot: asSlot(slot), buyCount })];
  apply(service, { slot: asSlot(slot), pools, classifications: [] }, { changeE4 });
}

/** A slot that changes findings of a mint and no pool. */
function find(service: TriggerService, slot: number, confidenceE4: bigint, mint = MINT): void {
  const { finding, ...rest } = buildClassification();
  const classifications = [{ ...rest, finding: { ...finding, mint } }];
  apply(service, { slot: asSlot(slot), pools: [], classifications }, { confidenceE4 });
}

function apply(service: TriggerService, changes: TriggerChanges, figures: Partial<Block>): void {
  const { changeE4 = 0n, confidenceE4 = 0n } = market.blocks.at(-1) ?? {};
  market.blocks.push({ changeE4, confidenceE4, ...figures, changes });
  service.onApplied(changes);
}

function undo(service: TriggerService): void {
  const newest = market.blocks.pop();
  if (newest !== undefined) service.onReverted(newest.changes);
}

/** Slots up to this one are final and stored. */
function storeTo(service: TriggerService, slot: number): void {
  market.finalSlot = slot;
  service.onBeforeWrite();
}

/** A new process begins at the last stored slot, with an incomplete market. */
function restart(): TriggerService {
  market.blocks = market.blocks.filter(({ changes }) => changes.slot <= market.finalSlot);
  market.isComplete = false;
  return open();
}

describe('a trigger on figures of the market', () => {
  test('fires once for a change of the price above its value, negative ones are below it', () => {
    const service = open();
    add(service, [UP]);
    for (const [slot, changeE4] of [
      ...([
        [1, 500n],
        [2, 501n],
        [3, 900n],
        [4, -900n],
        [5, 600n],
      ] as const),
    ] as const) {
      trade(service, slot, changeE4);
    }
    expect(events).toEqual(['up fired at 2', 'up fired at 5']);
  });

  test('that fired does not fire again after a restart, whenever the market is complete', () => {
    const first = open();
    add(first, [UP]);
    trade(first, 1, 600n);
    storeTo(first, 1);
    const second = restart();
    trade(second, 2, 700n);
    market.isComplete = true;
    trade(second, 3, 700n);
    expect(events).toEqual(['up fired at 1']);
    trade(second, 4, 100n);
    trade(second, 5, 600n);
    expect(events).toEqual(['up fired at 1', 'up fired at 5']);
  });

  test('that fired in a slot that was not stored is neither retracted nor fired again', () => {
    const first = open();
    add(first, [UP]);
    trade(first, 1, 0n);
    storeTo(first, 1);
    trade(first, 2, 600n);
    const second = restart();
    trade(second, 2, 600n);
    trade(second, 3, 600n);
    const third = restart();
    trade(third, 2, 600n);
    market.isComplete = true;
    trade(third, 3, 600n);
    expect(events).toEqual(['up fired at 2']);
  });

  test('that became true during a stop fires with the first slot of the complete market', () => {
    const first = open();
    add(first, [UP]);
    trade(first, 1, 0n);
    storeTo(first, 1);
    trade(first, 2, 0n);
    const second = restart();
    trade(second, 2, 600n);
    expect(events).toEqual([]);
    market.isComplete = true;
    // The slot changes neither the pool nor its findings.
    apply(second, { slot: asSlot(3), pools: [] }, {});
    expect(events).toEqual(['up fired at 3']);
  });

  test('keeps its state while the market is filled again for a replaced engine', () => {
    const service = open();
    add(service, [UP]);
    trade(service, 1, 600n);
    market.isComplete = false;
    service.onReplaced();
    trade(service, 2, 0n);
    trade(service, 3, 600n);
    market.isComplete = true;
    trade(service, 4, 600n);
    expect(events).toEqual(['up fired at 1']);
  });

  test('waits alone: other triggers of its pool are evaluated', () => {
    market.isComplete = false;
    const service = open();
    add(service, [UP, BUSY]);
    add(service, [BUSY], 'busy');
    trade(service, 1, 600n, 11);
    expect(events).toEqual(['busy fired at 1']);
  });

  test('added to an incomplete market fires for what is true then, unless it is a crossing', () => {
    market.isComplete = false;
    const service = open();
    trade(service, 1, 600n);
    add(service, [UP]);
    add(service, [{ ...UP, operator: 'crosses_above' }], 'crossing');
    expect(events).toEqual([]);
    market.isComplete = true;
    trade(service, 2, 600n);
    expect(events).toEqual(['up fired at 2']);
    trade(service, 3, 0n);
    trade(service, 4, 600n);
    expect(events.slice(1)).toEqual(['up fired at 4', 'crossing fired at 4']);
  });

  test('is retracted when its slot is reverted and the chain passes it without the change', () => {
    const service = open();
    add(service, [UP]);
    trade(service, 1, 0n);
    trade(service, 2, 600n);
    undo(service);
    trade(service, 2, 600n);
    expect(events).toEqual(['up fired at 2']);
    undo(service);
    trade(service, 3, 0n);
    expect(events).toEqual(['up fired at 2', 'up retracted at 2']);
  });
});

describe('a trigger on the confidence of fraud', () => {
  test('fires when a slot changes findings of its token and no pool', () => {
    const service = open();
    trade(service, 1, 0n);
    add(service, [RISKY], 'risky');
    find(service, 2, 8_000n);
    find(service, 3, 8_001n, OTHER_MINT);
    expect(events).toEqual([]);
    find(service, 4, 8_001n);
    find(service, 5, 9_000n);
    expect(events).toEqual(['risky fired at 4']);
    find(service, 6, 0n);
    find(service, 7, 9_000n);
    expect(events).toEqual(['risky fired at 4', 'risky fired at 7']);
  });

  test('is retracted with a slot of findings that the chain abandons', () => {
    const service = open();
    trade(service, 1, 0n);
    add(service, [RISKY], 'risky');
    find(service, 2, 9_000n);
    undo(service);
    trade(service, 3, 0n);
    expect(events).toEqual(['risky fired at 2', 'risky retracted at 2']);
  });

  test('of a token fires with its findings once it has a pool, and with the first one', () => {
    const service = open();
    const target = ofToken(MINT);
    service.add({ accountId: ACCOUNT, triggerId: 'risky', target, conditions: [RISKY] });
    find(service, 1, 9_000n);
    expect(events).toEqual([]);
    const tokens = [fakeToken({ slot: asSlot(2), primaryPool: POOL })];
    apply(service, { slot: asSlot(2), pools: [fakePool({ slot: asSlot(2) })], tokens }, {});
    find(service, 3, 8_000n);
    find(service, 4, 8_001n, OTHER_MINT);
    find(service, 5, 8_001n);
    expect(events).toEqual(['risky fired at 2', 'risky fired at 5']);
  });

  test('of a token keeps its state over a restart, until the market is complete', () => {
    const first = open();
    const tokens = [fakeToken({ slot: asSlot(1), primaryPool: POOL })];
    apply(first, { slot: asSlot(1), pools: [fakePool({ slot: asSlot(1) })], tokens }, {});
    first.add({ accountId: ACCOUNT, triggerId: 'up', target: ofToken(MINT), conditions: [UP] });
    trade(first, 2, 600n);
    storeTo(first, 2);
    const second = restart();
    trade(second, 3, 0n);
    market.isComplete = true;
    apply(second, { slot: asSlot(4), pools: [] }, { changeE4: 700n });
    expect(events).toEqual(['up fired at 2']);
    trade(second, 5, 0n);
    trade(second, 6, 600n);
    expect(events).toEqual(['up fired at 2', 'up fired at 6']);
  });

  test('does not fire for findings of a token without such triggers', () => {
    const service = open();
    trade(service, 1, 0n);
    service.add({
      accountId: ACCOUNT,
      triggerId: 'other',
      target: ofPool(OTHER_POOL),
      conditions: [RISKY],
    });
    find(service, 2, 9_000n);
    expect(events).toEqual([]);
  });
});
