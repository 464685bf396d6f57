import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address, PriceE18 } from '../../model/units.ts';
import {
  BUYERS_MAX,
  createBar,
  type MinuteBar,
  type SignalTrade,
  SMART_MAX,
  type SmartMove,
} from './minute-bar.ts';

export const MINUTE_MS = 60_000;
/** Twelve stretches of five minutes before the last five. */
export const BARS_MS = 65 * MINUTE_MS;
export const STRETCH_MS = 5 * MINUTE_MS;
/** How far back highs are kept; pools without a trade for longer are dropped. */
export const HIGHS_MS = 6 * 3_600_000;

/** The highest price within five minutes in which the pool was traded. */
export interface StretchHigh {
  readonly stretchMs: number;
  high: number;
}

/** The state of a pool at the end of a minute, in plain numbers; null if unknown. */
export interface MinuteClose {
  /** In the smallest unit. */
  readonly quoteRaw: number | null;
  /** Dollars. */
  readonly priceUsd: number | null;
}

/** The data kept of one pool, oldest first. */
export interface PoolWindow {
  /** Of the last `BARS_MS`, preceded by one earlier bar that gives the price at the start. */
  readonly bars: MinuteBar[];
  /** Of the last `HIGHS_MS`. */
  readonly highs: StretchHigh[];
  /** Minute of the first known trade. */
  readonly firstMinuteMs: number;
}

/**
 * The recent history of each pool that models need. A trade only updates one minute; a pool has at
 * most 67 minutes and 73 highs, and is dropped after six hours without a trade.
 */
export class FeatureWindows {
  private readonly undo: UndoLog;
  private readonly pools = new Map<Address, PoolWindow>();
  /** The pools traded in each stretch of five minutes. */
  private readonly traded = new Map<number, Address[]>();

  constructor(undo: UndoLog) {
    this.undo = undo;
  }

  /** Adds a trade; trades must arrive in order of time. */
  note(trade: SignalTrade): void {
    const minuteMs = startOf(trade.timeMs, MINUTE_MS);
    const window = this.windowOf(trade.pool, minuteMs);
    const bar = this.barOf(trade.pool, window, minuteMs);
    this.undo.keep(bar);
    if (trade.priceUsd !== null) this.notePrice(window, bar, toDollars(trade.priceUsd));
    if (trade.valueUsd === null) bar.unvaluedTrades++;
    else this.noteValue(bar, trade, Number(trade.valueUsd) / 1e9);
  }

  /**
   * Closes the minute of a pool with its quote reserve and its robust price, which also changes
   * without a trade when a jump is rejected.
   */
  closeMinute(pool: Address, minuteMs: number, { quoteRaw, priceUsd }: MinuteClose): void {
    const window = this.pools.get(pool);
    const bar = window?.bars.at(-1);
    if (window === undefined || bar === undefined || bar.minuteMs !== minuteMs) return;
    this.undo.keep(bar);
    bar.quoteRaw = quoteRaw;
    if (priceUsd !== null && bar.close !== null) this.notePrice(window, bar, priceUsd);
  }

  window(pool: Address): PoolWindow | null {
    return this.pools.get(pool) ?? null;
  }

  /** Drops pools without a trade for `HIGHS_MS`. Cheap; to be called once a minute. */
  dropExpired(nowMs: number): void {
    const lastKeptMs = startOf(nowMs - HIGHS_MS, STRETCH_MS);
    for (const [stretchMs, addresses] of [...this.traded]) {
      if (stretchMs >= lastKeptMs) continue;
      this.undo.map(this.traded, stretchMs);
      this.traded.delete(stretchMs);
      for (const address of addresses) this.dropIdle(address, stretchMs);
    }
  }

  get poolCount(): number {
    return this.pools.size;
  }

  *digestRows(): Iterable<string> {
    for (const pool of [...this.pools.keys()].sort()) {
      const window = this.pools.get(pool);
      if (window === undefined) continue;
      yield `signal window ${pool} ${window.firstMinuteMs} ${JSON.stringify(window.highs)}`;
      for (const { buyers, ...bar } of window.bars) {
        yield `signal minute ${JSON.stringify({ ...bar, buyers: [...buyers].sort() })}`;
      }
    }
    for (const stretchMs of [...this.traded.keys()].sort((one, other) => one - other)) {
      yield `signal stretch ${stretchMs} ${this.traded.get(stretchMs)?.join(' ')}`;
    }
  }

  private windowOf(pool: Address, minuteMs: number): PoolWindow {
    const known = this.pools.get(pool);
    if (known !== undefined) return known;
    const window: PoolWindow = { bars: [], highs: [], firstMinuteMs: minuteMs };
    this.undo.map(this.pools, pool);
    this.pools.set(pool, window);
    return window;
  }

  private barOf(pool: Address, { bars, highs }: PoolWindow, minuteMs: number): MinuteBar {
    const last = bars.at(-1);
    if (last !== undefined && last.minuteMs >= minuteMs) return last;
    const stretchMs = startOf(minuteMs, STRETCH_MS);
    if (last === undefined || startOf(last.minuteMs, STRETCH_MS) < stretchMs) {
      this.noteStretch(pool, stretchMs);
    }
    // The last bar before the span stays: it gives the price at the start of the span.
    const kept = bars.findIndex((bar) => bar.minuteMs > minuteMs - BARS_MS);
    this.dropHead(bars, (kept === -1 ? bars.length : kept) - 1);
    const keptHigh = highs.findIndex((high) => high.stretchMs > minuteMs - HIGHS_MS - STRETCH_MS);
    this.dropHead(highs, keptHigh === -1 ? highs.length : keptHigh);
    const bar = createBar(minuteMs);
    this.undo.push(bars);
    bars.push(bar);
    return bar;
  }

  private noteStretch(pool: Address, stretchMs: number): void {
    const known = this.traded.get(stretchMs);
    if (known !== undefined) {
      this.undo.push(known);
      known.push(pool);
      return;
    }
    this.undo.map(this.traded, stretchMs);
    this.traded.set(stretchMs, [pool]);
  }

  private notePrice({ highs }: PoolWindow, bar: MinuteBar, price: number): void {
    bar.high = Math.max(bar.high ?? price, price);
    bar.low = Math.min(bar.low ?? price, price);
    bar.close = price;
    const stretchMs = startOf(bar.minuteMs, STRETCH_MS);
    const last = highs.at(-1);
    if (last === undefined || last.stretchMs < stretchMs) {
      this.undo.push(highs);
      highs.push({ stretchMs, high: price });
    } else if (price > last.high) {
      this.undo.keep(last);
      last.high = price;
    }
  }

  private noteValue(bar: MinuteBar, trade: SignalTrade, valueUsd: number): void {
    bar.volumeUsd += valueUsd;
    if (trade.smartWeight > 0) this.noteSmart(bar, trade, valueUsd * trade.smartWeight);
    if (!trade.isOrganic) return;
    if (trade.side === 'sell') {
      bar.organicSellUsd += valueUsd;
      return;
    }
    bar.organicBuyUsd += valueUsd;
    if (bar.buyers.size >= BUYERS_MAX || trade.wallet === null) return;
    this.undo.set(bar.buyers, trade.wallet);
    bar.buyers.add(trade.wallet);
  }

  private noteSmart({ smart }: MinuteBar, trade: SignalTrade, weightedUsd: number): void {
    const move = trade.wallet === null ? null : this.moveOf(smart, trade.wallet);
    if (move === null) return;
    this.undo.keep(move);
    if (trade.side === 'buy') {
      move.boughtUsd += weightedUsd;
      move.boughtBase += Number(trade.baseRaw);
    } else {
      move.soldUsd += weightedUsd;
      move.soldBase += Number(trade.baseRaw);
    }
  }

  private moveOf(smart: SmartMove[], wallet: Address): SmartMove | null {
    const known = smart.find((move) => move.wallet === wallet);
    if (known !== undefined) return known;
    if (smart.length >= SMART_MAX) return null;
    const move: SmartMove = { wallet, boughtUsd: 0, soldUsd: 0, boughtBase: 0, soldBase: 0 };
    this.undo.push(smart);
    smart.push(move);
    return move;
  }

  private dropHead(items: unknown[], count: number): void {
    if (count <= 0) return;
    this.undo.head(items, count);
    items.splice(0, count);
  }

  private dropIdle(pool: Address, stretchMs: number): void {
    const last = this.pools.get(pool)?.bars.at(-1);
    if (last === undefined || last.minuteMs >= stretchMs + STRETCH_MS) return;
    this.undo.map(this.pools, pool);
    this.pools.delete(pool);
  }
}

/** Converts a price to plain dollars. */
export function toDollars(priceUsd: PriceE18): number {
  return Number(priceUsd) / 1e18;
}

export function startOf(timeMs: number, spanMs: number): number {
  return Math.floor(timeMs / spanMs) * spanMs;
}
