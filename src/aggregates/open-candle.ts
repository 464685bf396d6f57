import { BASE_CANDLE_MS, type Candle, type OpenHighLowClose } from '../model/derived.ts';
import type { Address, RawAmount, Slot } from '../model/units.ts';
import { addTrade, type CandleSums, createSums, presentSums, withPrice } from './candle-sums.ts';
import { mayPrice, type SettlingTrade } from './settling-trade.ts';

export interface OpenCandleIdentity {
  readonly scope: Address;
  readonly openTimeMs: number;
  /** False for a mint: no quote prices, no quote volume. */
  readonly isPool: boolean;
  readonly baseDecimals: number;
}

/** Price ranges in quote and in USD. */
interface Ranges {
  readonly quote: OpenHighLowClose | null;
  readonly usd: OpenHighLowClose | null;
}

const NO_RANGES: Ranges = { quote: null, usd: null };

/**
 * One base candle that may still change: sums of all its trades, the price ranges of its settled
 * trades, and those of all. A new trade extends the latter; only a changed label recomputes them.
 */
export class OpenCandle {
  readonly scope: Address;
  readonly openTimeMs: number;
  readonly endTimeMs: number;
  private readonly identity: OpenCandleIdentity;
  private readonly sums: CandleSums = createSums();
  private settled = NO_RANGES;
  private current = NO_RANGES;
  /** Trades that may set this candle's prices, by arrival. */
  private readonly unsettled: SettlingTrade[] = [];
  private hasEnded = false;
  private supplyRaw: RawAmount | null = null;
  private slot = 0 as Slot;

  constructor(identity: OpenCandleIdentity) {
    this.identity = identity;
    this.scope = identity.scope;
    this.openTimeMs = identity.openTimeMs;
    this.endTimeMs = identity.openTimeMs + BASE_CANDLE_MS;
  }

  get isFinal(): boolean {
    return this.hasEnded && this.unsettled.length === 0;
  }

  add(trade: SettlingTrade, setsPrice: boolean, supplyRaw: RawAmount | null): void {
    addTrade(this.sums, trade.priced);
    this.supplyRaw = supplyRaw;
    // A trade that is settled when it comes is excluded for good.
    if (!setsPrice || trade.isSettled) return;
    this.unsettled.push(trade);
    this.current = this.withTrade(this.current, trade);
  }

  /** Recomputes the prices after a label changed. Returns true when they did. */
  reprice(): boolean {
    let ranges = this.settled;
    for (const trade of this.unsettled) ranges = this.withTrade(ranges, trade);
    const { quote, usd } = this.current;
    this.current = ranges;
    return !isSame(quote, ranges.quote) || !isSame(usd, ranges.usd);
  }

  /** Takes over the trades that are settled, in order: a later one waits for an earlier. */
  commit(): void {
    let count = 0;
    for (const trade of this.unsettled) {
      if (!trade.isSettled) break;
      this.settled = this.withTrade(this.settled, trade);
      count++;
    }
    this.unsettled.splice(0, count);
  }

  /** The candle's time is over: nothing is added any more. */
  end(): void {
    this.hasEnded = true;
  }

  /** The candle as of `slot`, in which it changed. */
  present(slot: Slot): Candle {
    this.slot = slot;
    const { scope, openTimeMs, isPool, baseDecimals } = this.identity;
    return {
      scope,
      openTimeMs,
      quote: this.current.quote,
      usd: this.current.usd,
      ...presentSums(this.sums, isPool),
      baseDecimals,
      supplyRaw: this.supplyRaw,
      isFinal: this.isFinal,
      slot: this.slot,
    };
  }

  digestRow(): string {
    const { quote, usd, ...rest } = this.present(this.slot);
    const ranges = [quote, usd].map((range) =>
      range === null ? '' : `${range.open}:${range.high}:${range.low}:${range.close}`,
    );
    return ['candle', ...Object.values(rest).map(String), ...ranges, this.unsettled.length].join(
      ' ',
    );
  }

  private withTrade(ranges: Ranges, trade: SettlingTrade): Ranges {
    if (!mayPrice(trade)) return ranges;
    const { price, priceUsd } = trade.priced;
    return {
      quote:
        price === null || !this.identity.isPool ? ranges.quote : withPrice(ranges.quote, price),
      usd: priceUsd === null ? ranges.usd : withPrice(ranges.usd, priceUsd),
    };
  }
}

function isSame(one: OpenHighLowClose | null, other: OpenHighLowClose | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.open === other.open &&
    one.high === other.high &&
    one.low === other.low &&
    one.close === other.close
  );
}
