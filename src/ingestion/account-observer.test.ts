import { describe, expect, test } from 'vitest';
import {
  slotFacts,
  supplyChange,
  swapEvent,
  transactionFacts,
} from '../../tests/support/build-facts.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { itemSource } from '../../tests/support/item-source.ts';
import { fallbackSolUsd, START_MS } from '../../tests/support/master-fixture.ts';
import { MemoryStore } from '../../tests/support/memory-store.ts';
import type { SourceItem } from '../chain/source.ts';
import { DECODER_VERSION } from '../decoders/registry.ts';
import { Engine } from '../engine/engine.ts';
import type { MintObserved } from '../model/account-observation.ts';
import { SPL_TOKEN_PROGRAM } from '../model/program.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { type Address, asRawAmount, asSlot, type Slot } from '../model/units.ts';
import type { AccountObserver } from './account-observer.ts';
import { Ingestion } from './ingestion.ts';

const MINT = address('token-t');
const purchase = swapEvent({
  trader: address('buyer'),
  side: 'buy',
  baseRaw: 5_000_000n,
  quoteRaw: 1_000_000n,
});
const SUPPLY = asRawAmount(777_000_000n);

/** The reader of the oracle: knows the supply; the test sets the slot of its answer. */
class ScriptedObserver implements AccountObserver {
  readonly offered: [readonly Address[], number, boolean][] = [];
  readonly takenBack: [number, readonly number[]][] = [];
  ready: MintObserved[] = [];

  take(slot: Slot): MintObserved[] {
    const due = this.ready.filter(({ contextSlot }) => contextSlot <= slot);
    this.ready = this.ready.filter(({ contextSlot }) => contextSlot > slot);
    return due;
  }

  offer(mints: readonly Address[], slot: Slot, isAgain: boolean): void {
    this.offered.push([mints, slot, isAgain]);
  }

  revert(toSlot: Slot, observations: readonly MintObserved[]): void {
    this.takenBack.push([toSlot, observations.map(({ contextSlot }) => contextSlot)]);
    this.ready.push(...observations.filter(({ contextSlot }) => contextSlot <= toSlot));
  }
}

function observed(slot: number): MintObserved {
  return {
    ...{ kind: 'mintObserved', contextSlot: asSlot(slot), mint: MINT, decimals: 6 },
    ...{ tokenProgram: SPL_TOKEN_PROGRAM, supplyRaw: SUPPLY, extensions: [] },
    ...{ mintAuthority: null, freezeAuthority: null },
  };
}

/** A slot with a trade of a token whose creation is not in the log. */
function traded(slot: number, rest: Partial<SlotFacts> = {}): SlotFacts {
  const parent = { parentSlot: asSlot(slot - 1), previousBlockhash: `hash ${slot - 1}` };
  const transactions = [transactionFacts({ txIndex: 0, events: [purchase] })];
  return {
    ...slotFacts(slot, START_MS + slot * 400, transactions),
    ...parent,
    decoderVersion: DECODER_VERSION,
    blockhash: `hash ${slot}`,
    ...rest,
  };
}

const block = (facts: SlotFacts): SourceItem => ({ kind: 'facts', facts });
const final = (slot: number): SourceItem => ({ kind: 'final', slot: asSlot(slot) });

async function follow(items: Iterable<SourceItem>, observer: AccountObserver) {
  const store = new MemoryStore();
  const opened = store.open();
  const ingestion = await Ingestion.open({
    store: opened,
    createEngine: () => new Engine({ fallbackSolUsd, undoSlotsMax: 64 }),
    rules: 'rules',
  });
  await ingestion.ingest(itemSource(items, false), { observer, refoldAfterMs: 0, writeAfterMs: 0 });
  return { ingestion, log: opened.log, store };
}

const supplyOf = ({ engine }: Ingestion) => engine.token(MINT)?.supplyRaw;

describe('an account observer of a followed chain', () => {
  test('is offered the mints whose creation is not in the log, and its answer is stored with its slot', async () => {
    const observer = new ScriptedObserver();
    function* items(): Generator<SourceItem> {
      yield block(traded(10));
      observer.ready = [observed(11)];
      yield block(traded(11));
      yield block(traded(12));
      yield final(12);
    }
    const { ingestion, log, store } = await follow(items(), observer);
    expect(observer.offered).toEqual([[[MINT], 10, false]]);
    expect(supplyOf(ingestion)).toBe(SUPPLY);
    expect((await log.find(10))?.observations).toBeUndefined();
    expect((await log.find(11))?.observations).toEqual([observed(11)]);
    expect((await log.find(12))?.observations).toBeUndefined();
    store.close();
  });

  test('is offered a mint again when its answer was folded after the slot without success', async () => {
    const observer = new ScriptedObserver();
    // More burns since the account was read than are kept to roll its supply forward.
    const burns = transactionFacts({
      txIndex: 1,
      events: Array.from({ length: 70 }, (_, outerIx) =>
        supplyChange('burn', MINT, 1_000n, outerIx),
      ),
    });
    function* items(): Generator<SourceItem> {
      yield block(traded(10));
      observer.ready = [observed(10)];
      yield block(traded(11, { transactions: [...traded(11).transactions, burns] }));
      yield final(11);
    }
    const { store } = await follow(items(), observer);
    expect(observer.offered.map(([, slot, isAgain]) => [slot, isAgain])).toEqual([
      [10, false],
      [11, true],
    ]);
    store.close();
  });

  test('gets back observations of reverted slots, and returns them on the final branch', async () => {
    const observer = new ScriptedObserver();
    function* items(): Generator<SourceItem> {
      yield block(traded(10));
      observer.ready = [observed(10)];
      yield block(traded(11));
      yield { kind: 'undo', toSlot: asSlot(10), toBlockhash: 'hash 10' };
      yield block(traded(12, { parentSlot: asSlot(10), previousBlockhash: 'hash 10' }));
      yield final(12);
    }
    const { ingestion, log, store } = await follow(items(), observer);
    expect(observer.takenBack).toEqual([[10, [10]]]);
    expect((await log.find(12))?.observations).toEqual([observed(10)]);
    expect(supplyOf(ingestion)).toBe(SUPPLY);
    store.close();
  });

  test('gets back observations that were not final when its source ends', async () => {
    const observer = new ScriptedObserver();
    function* items(): Generator<SourceItem> {
      yield block(traded(10));
      yield final(10);
      observer.ready = [observed(10)];
      yield block(traded(11));
    }
    const { store } = await follow(items(), observer);
    expect(observer.takenBack).toEqual([[10, [10]]]);
    expect(observer.ready).toEqual([observed(10)]);
    store.close();
  });

  test('is not asked twice for slots refolded after a late one, which keep their observations', async () => {
    const observer = new ScriptedObserver();
    function* items(): Generator<SourceItem> {
      yield block(traded(10));
      observer.ready = [observed(12)];
      yield block(traded(12));
      yield block(traded(11));
      yield final(12);
    }
    const { ingestion, log, store } = await follow(items(), observer);
    expect(observer.takenBack).toEqual([]);
    expect((await log.find(11))?.observations).toBeUndefined();
    expect((await log.find(12))?.observations).toEqual([observed(12)]);
    expect(supplyOf(ingestion)).toBe(SUPPLY);
    store.close();
  });

  test('keeps its observations when a whole block replaces single transactions', async () => {
    const observer = new ScriptedObserver();
    const partial = traded(10, { isWhole: false, observations: [observed(9)] });
    const whole = traded(10, { observations: [observed(10)] });
    function* items(): Generator<SourceItem> {
      yield block(partial);
      yield block(traded(11));
      yield final(11);
      yield block(whole);
    }
    const { ingestion, log, store } = await follow(items(), observer);
    expect(ingestion.status.refolds).toBe(1);
    const held = await log.find(10);
    expect(held?.isWhole).toBe(true);
    expect(held?.observations).toEqual([observed(9), observed(10)]);
    store.close();
  });
});
