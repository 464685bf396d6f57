import type { Address } from '../../model/units.ts';
import { HIGHS_MS, MINUTE_MS, type PoolWindow } from './feature-windows.ts';
import type { MinuteBar, SmartMove } from './minute-bar.ts';

/** Returns the id of a wallet's entity: connected wallets belong to the same one. */
export type EntityOf = (wallet: Address) => string;

/** Dollars traded by organic wallets. */
export interface OrganicFlow {
  readonly buyUsd: number;
  readonly sellUsd: number;
}

/** The lowest price of the last hour and its minute. */
export interface LocalLow {
  readonly price: number;
  readonly minuteMs: number;
}

const LOW_MINUTES = 60;
/** Number of five-minute stretches that define the usual volume. */
const USUAL_STRETCHES = 12;

/**
 * A view of a pool's window at the end of a minute. Spans are in minutes and end with that minute;
 * minutes without a trade add nothing to sums, and a price remains valid until the next one.
 */
export class WindowReading {
  /** Start of the minute that ended. */
  readonly minuteMs: number;
  private readonly window: PoolWindow;
  private readonly entityOf: EntityOf;

  constructor(window: PoolWindow, minuteMs: number, entityOf: EntityOf) {
    this.window = window;
    this.minuteMs = minuteMs;
    this.entityOf = entityOf;
  }

  get close(): number | null {
    return this.priceAgo(0);
  }

  /** Closing price `minutes` minutes ago; null before the first price. */
  priceAgo(minutes: number): number | null {
    return this.lastBefore(minutes, (bar) => bar.close);
  }

  /** Closing price of the oldest minute in the window. */
  get firstClose(): number | null {
    return this.window.bars.find(({ close }) => close !== null)?.close ?? null;
  }

  /** Quote reserve `minutes` minutes ago, in the smallest unit. */
  quoteAgo(minutes: number): number | null {
    return this.lastBefore(minutes, (bar) => bar.quoteRaw);
  }

  /** Highest price of the `minutes` minutes before this one, excluding this one. */
  highBefore(minutes: number): number | null {
    const highs = this.barsBetween(minutes + 1, 1).flatMap(({ high }) => high ?? []);
    return highs.length === 0 ? null : Math.max(...highs);
  }

  /** The highest price of the last six hours, with a resolution of five minutes. */
  get sixHourHigh(): number | null {
    const highs = this.window.highs
      .filter(({ stretchMs }) => stretchMs > this.minuteMs - HIGHS_MS)
      .filter(({ stretchMs }) => stretchMs <= this.minuteMs)
      .map(({ high }) => high);
    return highs.length === 0 ? null : Math.max(...highs);
  }

  /** The lowest price of the last hour; of equal ones the newest. */
  get hourLow(): LocalLow | null {
    let found: LocalLow | null = null;
    for (const { low, minuteMs } of this.barsBetween(LOW_MINUTES)) {
      if (low === null || (found !== null && low > found.price)) continue;
      found = { price: low, minuteMs };
    }
    return found;
  }

  /** Null if the value of a trade of the span is unknown. */
  organicFlow(minutes: number): OrganicFlow | null {
    return flowOf(this.barsBetween(minutes));
  }

  /** Volume in dollars, organic or not; null as above. */
  volumeUsd(minutes: number): number | null {
    const bars = this.barsBetween(minutes);
    return isValued(bars) ? sum(bars, (bar) => bar.volumeUsd) : null;
  }

  /**
   * Median organic volume of the twelve five-minute stretches before the last five minutes, limited
   * to those since the pool's first trade; null if there is none or a value is unknown.
   */
  get usualOrganicUsd(): number | null {
    const volumes: number[] = [];
    for (let stretch = 1; stretch <= USUAL_STRETCHES; stretch++) {
      const from = 5 * (stretch + 1);
      if (this.minuteMs + MINUTE_MS - from * MINUTE_MS < this.window.firstMinuteMs) break;
      const flow = flowOf(this.barsBetween(from, from - 5));
      if (flow === null) return null;
      volumes.push(flow.buyUsd + flow.sellUsd);
    }
    return medianOf(volumes);
  }

  /** Number of distinct entities whose organic wallets bought. */
  organicBuyers(minutes: number): number {
    const entities = new Set<string>();
    for (const { buyers } of this.barsBetween(minutes)) {
      for (const wallet of buyers) entities.add(this.entityOf(wallet));
    }
    return entities.size;
  }

  /** Trades of each eligible smart wallet, one entry per wallet. */
  smartMoves(minutes: number): SmartMove[] {
    const moves = new Map<Address, SmartMove>();
    for (const { smart } of this.barsBetween(minutes)) {
      for (const move of smart) moves.set(move.wallet, addMoves(moves.get(move.wallet), move));
    }
    return [...moves.values()];
  }

  /** Number of distinct entities of smart wallets that bought more than they sold. */
  smartBuyers(minutes: number): number {
    const net = this.smartMoves(minutes).filter(({ boughtUsd, soldUsd }) => boughtUsd > soldUsd);
    return new Set(net.map(({ wallet }) => this.entityOf(wallet))).size;
  }

  /** Length of a span that starts after the given minute. */
  minutesSince(minuteMs: number): number {
    return (this.minuteMs - minuteMs) / MINUTE_MS;
  }

  private barsBetween(from: number, before = 0): MinuteBar[] {
    const firstMs = this.minuteMs - (from - 1) * MINUTE_MS;
    const lastMs = this.minuteMs - before * MINUTE_MS;
    return this.window.bars.filter(({ minuteMs }) => minuteMs >= firstMs && minuteMs <= lastMs);
  }

  private lastBefore(minutes: number, figureOf: (bar: MinuteBar) => number | null): number | null {
    const lastMs = this.minuteMs - minutes * MINUTE_MS;
    for (const bar of this.window.bars.toReversed()) {
      if (bar.minuteMs > lastMs) continue;
      const value = figureOf(bar);
      if (value !== null) return value;
    }
    return null;
  }
}

function flowOf(bars: readonly MinuteBar[]): OrganicFlow | null {
  if (!isValued(bars)) return null;
  return {
    buyUsd: sum(bars, (bar) => bar.organicBuyUsd),
    sellUsd: sum(bars, (bar) => bar.organicSellUsd),
  };
}

function isValued(bars: readonly MinuteBar[]): boolean {
  return bars.every(({ unvaluedTrades }) => unvaluedTrades === 0);
}

function sum(bars: readonly MinuteBar[], figureOf: (bar: MinuteBar) => number): number {
  return bars.reduce((total, bar) => total + figureOf(bar), 0);
}

function addMoves(one: SmartMove | undefined, other: SmartMove): SmartMove {
  if (one === undefined) return other;
  return {
    wallet: one.wallet,
    boughtUsd: one.boughtUsd + other.boughtUsd,
    soldUsd: one.soldUsd + other.soldUsd,
    boughtBase: one.boughtBase + other.boughtBase,
    soldBase: one.soldBase + other.soldBase,
  };
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2;
}
