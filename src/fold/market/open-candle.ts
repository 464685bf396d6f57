import { UndoLog } from '../../lib/undo-log.ts';
import { BASE_CANDLE_MS, type Candle } from '../../model/derived.ts';
import { type Address, asSlot, type RawAmount, type Slot } from '../../model/units.ts';
import {
  addTrade,
  type CandleFrame,
  type CandleSums,
  createSums,
  presentCandle,
} from './candle-sums.ts';
import { isSameRanges, NO_RANGES, type PriceRanges, withTrade } from './price-ranges.ts';
import { mayPrice, type SettlingTrade } from './settling-trade.ts';

export interface OpenCandleIdentity {
  readonly scope: Address;
  readonly openTimeMs: number;
  /** False for a mint: no quote prices, no quote volume. */
  readonly isPool: boolean;
  readonly baseDecimals: number;
}

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
  private readonly isPool: boolean;
  private readonly sums: CandleSums = createSums();
  private settled: PriceRanges = NO_RANGES;
  private current: PriceRanges = NO_RANGES;
  /** Unsettled trades that may set this candle's prices, in order of arrival. */
  private readonly unsettled: SettlingTrade[] = [];
  private hasEnded = false;
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

  get isFinal(): boolean {
    return this.hasEnded && this.unsettled.length === 0;
  }

  add(trade: SettlingTrade, setsPrice: boolean, supplyRaw: RawAmount | null): void {
    this.keep();
    addTrade(this.sums, trade.priced, this.isPool);
    this.supplyRaw = supplyRaw;
    // The exclusion of a trade that is already settled is permanent.
    if (!setsPrice || (trade.isSettled && !mayPrice(trade))) return;
    this.unsettled.push(trade);
    this.current = this.extended(this.current, trade);
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

  /** Commits settled trades in order; a settled trade waits for earlier unsettled ones. */
  commit(): void {
    let count = 0;
    while (this.unsettled[count]?.isSettled) count++;
    if (count === 0) return;
    this.keep();
    this.undo.head(this.unsettled, count);
    const settled = this.unsettled.splice(0, count);
    this.settled =
      this.unsettled.length === 0
        ? this.current
        : settled.reduce((ranges, trade) => this.extended(ranges, trade), this.settled);
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
    return presentCandle(this, this.current, this.sums);
  }

  digestRow(): string {
    const { quote, usd, ...rest } = this.present(this.slot);
    const ranges = [quote, usd].map((range) =>
      range === null ? '' : `${range.open}:${range.high}:${range.low}:${range.close}`,
    );
    return ['candle', ...Object.values(rest), ...ranges, this.unsettled.length].join(' ');
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

  private extended(ranges: PriceRanges, trade: SettlingTrade): PriceRanges {
    return mayPrice(trade) ? withTrade(ranges, trade.priced, this.isPool) : ranges;
  }
}
