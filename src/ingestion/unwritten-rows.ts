import type { BundledTransaction, Candle, PricedSwap, SlotChanges } from '../model/derived.ts';
import type { Classification } from '../model/fraud.ts';
import type { IndicatorMinute } from '../model/indicators.ts';
import type { RuleHit } from '../model/rule-hit.ts';
import type { Outcome, Signal } from '../model/signal.ts';
import { newestFirst, positionOf } from '../model/trade.ts';
import type { Address, Slot } from '../model/units.ts';

/** Folded slots that are not stored yet, oldest first, at the time of the call. */
export type UnwrittenSlots = () => readonly { readonly changes: SlotChanges }[];

/** The changes of a slot, by lookup key. */
interface SlotIndex {
  readonly candles: ReadonlyMap<Address, readonly Candle[]>;
  readonly swaps: ReadonlyMap<Address, readonly PricedSwap[]>;
  /** The slot's own swaps in order of execution, by wallet, pool and mint. */
  readonly trades: ReadonlyMap<Address, readonly PricedSwap[]>;
  readonly bundles: ReadonlyMap<Address, readonly BundledTransaction[]>;
  readonly indicators: ReadonlyMap<Address, readonly IndicatorMinute[]>;
  readonly classifications: ReadonlyMap<Address, readonly Classification[]>;
}

/**
 * Rows that are folded but not stored yet. Reads take these first and the database afterwards: rows
 * written in between are then in both, and none is missing.
 *
 * A slot is indexed at its first lookup; the index is released together with the slot.
 */
export class UnwrittenRows {
  readonly slots: UnwrittenSlots;
  private readonly indexes: WeakMap<SlotChanges, SlotIndex>;

  /** `indexes` are shared with other lists of the same slots. */
  constructor(slots: UnwrittenSlots, indexes = new WeakMap<SlotChanges, SlotIndex>()) {
    this.slots = slots;
    this.indexes = indexes;
  }

  /** The rows that are unwritten now, whatever is folded, reverted or stored afterwards. */
  frozen(): UnwrittenRows {
    const slots = this.slots();
    return new UnwrittenRows(() => slots, this.indexes);
  }

  /** The newest state of each changed candle of a pool or mint, by open time. */
  candles(scope: Address): ReadonlyMap<number, Candle> {
    const newest = new Map<number, Candle>();
    for (const index of this.all()) {
      for (const candle of index.candles.get(scope) ?? []) newest.set(candle.openTimeMs, candle);
    }
    return newest;
  }

  /** The newest label of each swap of a pool, or of all pools of a mint, by `swapKey`. */
  swaps(scope: Address): ReadonlyMap<string, PricedSwap> {
    const newest = new Map<string, PricedSwap>();
    for (const index of this.all()) {
      for (const priced of index.swaps.get(scope) ?? []) newest.set(swapKey(priced), priced);
    }
    return newest;
  }

  /**
   * The swaps of a wallet, a pool or a mint, newest first. What trades show of a swap is decided at
   * the end of its slot, so later labels do not matter.
   */
  *trades(scope: Address): Generator<PricedSwap> {
    for (const index of this.all().reverse()) {
      yield* (index.trades.get(scope) ?? []).toReversed();
    }
  }

  /** Bundled transactions of a mint, in order of execution. */
  bundles(mint: Address): readonly BundledTransaction[] {
    return this.all().flatMap((index) => index.bundles.get(mint) ?? []);
  }

  /** The newest state of each minute of a pool, by its start. */
  indicators(pool: Address): ReadonlyMap<number, IndicatorMinute> {
    const newest = new Map<number, IndicatorMinute>();
    for (const index of this.all()) {
      for (const minute of index.indicators.get(pool) ?? []) newest.set(minute.minuteMs, minute);
    }
    return newest;
  }

  /** Versions of classifications of a mint, oldest first. */
  classifications(mint: Address): readonly Classification[] {
    return this.all().flatMap((index) => index.classifications.get(mint) ?? []);
  }

  /** The newest version of a classification. */
  classification(id: string): Classification | null {
    const isIt = (one: Classification) => one.id === id;
    const newest = this.slots().findLast(({ changes }) => changes.classifications.some(isIt));
    return newest?.changes.classifications.findLast(isIt) ?? null;
  }

  /** The newest version of each changed classification, by id. */
  newestClassifications(): ReadonlyMap<string, Classification> {
    const newest = new Map<string, Classification>();
    for (const { changes } of this.slots()) {
      for (const one of changes.classifications) newest.set(one.id, one);
    }
    return newest;
  }

  /** Signals, random minutes included, in order of number. */
  signals(): readonly Signal[] {
    return this.slots().flatMap(({ changes }) => changes.signals);
  }

  /** Hits of rules, in order of number. */
  ruleHits(): readonly RuleHit[] {
    return this.slots().flatMap(({ changes }) => changes.ruleHits);
  }

  /** The newest outcome of each signal whose outcome differs from the database, by number. */
  outcomes(): ReadonlyMap<number, Outcome> {
    const newest = new Map<number, Outcome>();
    for (const { changes } of this.slots()) {
      for (const outcome of changes.outcomes) newest.set(outcome.rowId, outcome);
    }
    return newest;
  }

  /** All slots before this one are stored; null if all slots are. */
  get firstSlot(): Slot | null {
    return this.slots()[0]?.changes.slot ?? null;
  }

  private all(): SlotIndex[] {
    return this.slots().map(({ changes }) => {
      const known = this.indexes.get(changes);
      if (known !== undefined) return known;
      const index = indexOf(changes);
      this.indexes.set(changes, index);
      return index;
    });
  }
}

/** Identity of a swap across its states. */
export function swapKey({ signature, swap }: PricedSwap): string {
  return `${signature}/${swap.outerIx}/${swap.innerIx}/${swap.pool}`;
}

function indexOf(changes: SlotChanges): SlotIndex {
  const { slot, candles, swaps, bundles, indicators, classifications } = changes;
  const own = swaps.filter((priced) => priced.slot === slot).sort(inOrderOfExecution);
  return {
    candles: grouped(candles, ({ scope }) => [scope]),
    swaps: grouped(swaps, ({ swap }) => [swap.pool, swap.baseMint]),
    trades: grouped(own, ({ swap }) => [
      swap.pool,
      swap.baseMint,
      ...(swap.trader === null ? [] : [swap.trader]),
    ]),
    bundles: grouped(bundles, ({ mint }) => [mint]),
    indicators: grouped(indicators, ({ record }) => [record.pool]),
    classifications: grouped(classifications, ({ finding }) => [finding.mint]),
  };
}

function inOrderOfExecution(one: PricedSwap, other: PricedSwap): number {
  return newestFirst(positionOf(other), positionOf(one));
}

function grouped<Row>(
  rows: readonly Row[],
  groupsOf: (row: Row) => readonly Address[],
): Map<Address, Row[]> {
  const groups = new Map<Address, Row[]>();
  for (const row of rows) {
    for (const name of groupsOf(row)) {
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [row]);
      else group.push(row);
    }
  }
  return groups;
}
