import { UndoLog } from '../../lib/undo-log.ts';
import type { UndoStep } from '../../lib/undo-steps.ts';
import { BASE_CANDLE_MS, type Candle } from '../../model/derived.ts';
import {
  type Address,
  asSlot,
  type PriceE18,
  type RawAmount,
  type Slot,
} from '../../model/units.ts';
import {
  addTrade,
  type CandleFrame,
  type CandleSums,
  createSums,
  presentCandle,
} from './candle-sums.ts';
import type { CandleTrade, OpenCandleState } from './open-candle-state.ts';
import {
  isSameRanges,
  NO_RANGES,
  type PriceRanges,
  pricingTradeOf,
  withTrade,
} from './price-ranges.ts';
import { mayPrice, type SettlingTrade } from './settling-trade.ts';

export type OpenCandleIdentity = Pick<
  OpenCandleState,
  'scope' | 'openTimeMs' | 'isPool' | 'baseDecimals'
>;

/**
 * One base candle that can still change: the sums of all its trades, the price ranges of its
 * settled trades, and the ranges of all trades. A new trade extends the latter; only a changed
 * label recomputes them.
 */
export class OpenCandle implements CandleFrame {
  readonly scope: Address;
  readonly openTimeMs: number;
  readonly endTimeMs: number;
  readonly baseDecimals: number;
  supplyRaw: RawAmount | null = null;
  slot = asSlot(0);
  hasEnded = false;
  private readonly isPool: boolean;
  private readonly sums: CandleSums = createSums();
  private settled: PriceRanges = NO_RANGES;
  private current: PriceRanges = NO_RANGES;
  /** Trades that may set this candle's prices, from the first unsettled one on. */
  private readonly unsettled: CandleTrade[] = [];
  private readonly undo: UndoLog;
  // The undo record that saved this object, or in which it was created. Not part of the state.
  #record: number;

  constructor(
    { scope, openTimeMs, isPool, baseDecimals }: OpenCandleIdentity,
    undo = new UndoLog(),
  ) {
    this.undo = undo;
    this.#record = undo.record;
    this.scope = scope;
    this.openTimeMs = openTimeMs;
    this.endTimeMs = openTimeMs + BASE_CANDLE_MS;
    this.baseDecimals = baseDecimals;
    this.isPool = isPool;
  }

  static restore(stored: OpenCandleState, undo: UndoLog): OpenCandle {
    const restored = new OpenCandle(stored, undo);
    // It exists without being created in the open record.
    restored.#record = 0;
    restored.supplyRaw = stored.supplyRaw;
    restored.slot = stored.slot;
    Object.assign(restored.sums, stored.sums);
    restored.settled = stored.settled;
    restored.current = stored.current;
    restored.unsettled.push(...stored.unsettled);
    restored.hasEnded = stored.hasEnded;
    return restored;
  }

  /** The state to store; `restore` returns an equal object for it. */
  get state(): OpenCandleState {
    const { scope, openTimeMs, isPool, baseDecimals, supplyRaw, slot } = this;
    const { sums, settled, current, unsettled, hasEnded } = this;
    return {
      scope,
      openTimeMs,
      isPool,
      baseDecimals,
      supplyRaw,
      slot,
      sums,
      settled,
      current,
      unsettled,
      hasEnded,
    };
  }

  get isFinal(): boolean {
    return this.hasEnded && this.unsettled.length === 0;
  }

  add(trade: SettlingTrade, setsPrice: boolean, supplyRaw: RawAmount | null): void {
    this.keep();
    addTrade(this.sums, trade.priced, this.isPool);
    this.supplyRaw = supplyRaw;
    // The exclusion of a trade that is already settled is permanent.
    if (!setsPrice || (trade.isSettled && !mayPrice(trade))) return;
    const { number, priced } = trade;
    const isExcluded = !mayPrice(trade);
    const added = { number, ...pricingTradeOf(priced), isExcluded, isSettled: false };
    this.unsettled.push(added);
    this.current = this.extended(this.current, added);
  }

  /** Sets the label of a trade that is not settled. Call `reprice` after all labels of a slot. */
  relabel(trade: SettlingTrade): void {
    this.keep();
    const isExcluded = !mayPrice(trade);
    for (const [index, each] of this.unsettled.entries()) {
      if (each.number === trade.number) this.replace(index, { ...each, isExcluded });
    }
  }

  /** Recomputes the prices after a label changed. Returns true when the prices changed. */
  reprice(): boolean {
    const before = this.current;
    this.keep();
    this.current = this.unsettled.reduce(
      (ranges, trade) => this.extended(ranges, trade),
      this.settled,
    );
    return !isSameRanges(before, this.current);
  }

  /** Commits a settled trade in order of arrival: it waits for earlier unsettled ones. */
  commit({ number }: SettlingTrade): void {
    // Trades are mostly settled in order of arrival, so it is the first one.
    const index = this.unsettled.findIndex((each) => each.number === number && !each.isSettled);
    const known = this.unsettled[index];
    if (known === undefined) return;
    this.keep();
    if (index > 0) {
      this.replace(index, { ...known, isSettled: true });
      return;
    }
    this.commitFirst(known);
    while (this.unsettled[0]?.isSettled) this.commitFirst(this.unsettled[0]);
  }

  /** Ends the candle: no more trades are added. */
  end(): void {
    this.keep();
    this.hasEnded = true;
  }

  /** The candle as of `slot`, in which it changed. */
  present(slot: Slot): Candle {
    this.keep();
    this.slot = slot;
    return this.record;
  }

  /** The candle as of its last change. */
  get record(): Candle {
    return presentCandle(this, this.current, this.sums);
  }

  /** Its own last price in USD; null if none of its trades may set one. */
  get closeUsd(): PriceE18 | null {
    return this.current.usd?.close ?? null;
  }

  /** Saves all mutable fields, once per undo record, before the first change. */
  private keep(): void {
    const { undo, supplyRaw, slot, settled, current, hasEnded } = this;
    const { record } = undo;
    if (record === 0 || this.#record === record) return;
    this.#record = record;
    undo.fields(this, { supplyRaw, slot, settled, current, hasEnded });
    undo.fields(this.sums, { ...this.sums });
    undo.length(this.unsettled);
  }

  private commitFirst(first: CandleTrade): void {
    this.undo.step(FIRST_TRADE, this.unsettled, first);
    this.unsettled.shift();
    this.settled = this.extended(this.settled, first);
  }

  private replace(index: number, trade: CandleTrade): void {
    this.undo.step(TRADE_AT, this.unsettled, index, this.unsettled[index] as CandleTrade);
    this.unsettled[index] = trade;
  }

  private extended(ranges: PriceRanges, trade: CandleTrade): PriceRanges {
    return trade.isExcluded ? ranges : withTrade(ranges, trade, this.isPool);
  }
}

/** The trades had one more at the front. */
const FIRST_TRADE: UndoStep<[unsettled: CandleTrade[], trade: CandleTrade]> = {
  revert: (unsettled, trade) => void unsettled.unshift(trade),
  repeater: (unsettled) => () => void unsettled.shift(),
};

/** The trades had another one at this index. */
const TRADE_AT: UndoStep<[unsettled: CandleTrade[], index: number, trade: CandleTrade]> = {
  revert(unsettled, index, trade) {
    unsettled[index] = trade;
  },
  repeater(unsettled, index) {
    const present = unsettled[index] as CandleTrade;
    return () => {
      unsettled[index] = present;
    };
  },
};
