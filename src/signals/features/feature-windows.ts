import { AddressIds } from '../../lib/address-ids.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowQueue } from '../../lib/row-queue.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address, PriceE18 } from '../../model/units.ts';
import { BarRows } from './bar-rows.ts';
import type { MinuteBar, SignalTrade } from './minute-bar.ts';

export const MINUTE_MS = 60_000;
/** Twelve stretches of five minutes before the last five. */
export const BARS_MS = 65 * MINUTE_MS;
export const STRETCH_MS = 5 * MINUTE_MS;
/** How far back highs are kept; pools without a trade for longer are dropped. */
export const HIGHS_MS = 6 * 3_600_000;

const WINDOW_LAYOUT = rowLayout({
  firstMinuteMs: 'f64',
  /** Id of the pool's address. */
  pool: 'u32',
  /** Rows of bars and highs plus one, 0 for none. */
  oldestBar: 'u32',
  newestBar: 'u32',
  oldestHigh: 'u32',
  newestHigh: 'u32',
  older: 'u32',
  newer: 'u32',
});
const { fields: WINDOW } = WINDOW_LAYOUT;

const HIGH_LAYOUT = rowLayout({ stretchMs: 'f64', high: 'f64', newer: 'u32' });
const { fields: HIGH } = HIGH_LAYOUT;

/** The highest price within five minutes in which the pool was traded. */
export interface StretchHigh {
  readonly stretchMs: number;
  readonly high: number;
}

/** The state of a pool at the end of a minute, in plain numbers; null if unknown. */
export interface MinuteClose {
  /** In the smallest unit. */
  readonly quoteRaw: number | null;
  /** Dollars. */
  readonly priceUsd: number | null;
}

/** The data kept of one pool, oldest first; valid until it changes or the slot ends. */
export interface PoolWindow {
  /** Of the last `BARS_MS`, preceded by one earlier bar that gives the price at the start. */
  readonly bars: readonly MinuteBar[];
  /** Of the last `HIGHS_MS`. */
  readonly highs: readonly StretchHigh[];
  /** Minute of the first known trade. */
  readonly firstMinuteMs: number;
}

/**
 * The recent history of each pool that models need. A trade only updates one minute; a pool has at
 * most 67 minutes and 73 highs, and is dropped after six hours without a trade.
 *
 * With 1,500 swaps a second in 40,000 pools in six hours: 40 bytes a pool, 24 a high, and about 120
 * a minute with its buyers, for 6,000 to 9,000 pools traded in each of 65 minutes; 50 to 80 MB in
 * all, of which the pages of recent minutes are in use.
 */
export class FeatureWindows {
  private readonly ids: AddressIds<Address>;
  private readonly rows: RowTable;
  private readonly highs: RowTable;
  private readonly bars: BarRows;
  /** By the id of the pool; the first number is 0. */
  private readonly index: PairIndex;
  /** By the newest stretch of five minutes in which the pool was traded. */
  private readonly traded: RowQueue;

  constructor(undo: UndoLog, ids = new AddressIds<Address>(undo)) {
    this.ids = ids;
    this.rows = new RowTable(WINDOW_LAYOUT, undo, 'signal windows');
    this.highs = new RowTable(HIGH_LAYOUT, undo, 'signal windows highs');
    this.bars = new BarRows(undo, ids);
    this.index = new PairIndex(undo, 'signal windows index');
    this.traded = new RowQueue(this.rows, WINDOW, undo, 'signal windows traded');
  }

  /** Adds a trade; trades must arrive in order of time. */
  note(trade: SignalTrade): void {
    const minuteMs = startOf(trade.timeMs, MINUTE_MS);
    const window = this.ensure(trade.pool, minuteMs);
    const bar = this.barOf(window, minuteMs);
    if (trade.priceUsd !== null) this.notePrice(window, bar, toDollars(trade.priceUsd));
    if (trade.valueUsd === null) this.bars.noteUnvalued(bar);
    else this.bars.noteValue(bar, trade, Number(trade.valueUsd) / 1e9);
  }

  /**
   * Closes the minute of a pool with its quote reserve and its robust price, which also changes
   * without a trade when a jump is rejected.
   */
  closeMinute(pool: Address, minuteMs: number, { quoteRaw, priceUsd }: MinuteClose): void {
    const window = this.find(pool);
    const bar = window === -1 ? -1 : this.newestBar(window);
    if (bar === -1 || this.bars.minuteMs(bar) !== minuteMs) return;
    this.bars.setQuote(bar, quoteRaw);
    if (priceUsd !== null && this.bars.hasPrice(bar)) this.notePrice(window, bar, priceUsd);
  }

  window(pool: Address): PoolWindow | null {
    const window = this.find(pool);
    if (window === -1) return null;
    const windows = this;
    let bars: MinuteBar[] | null = null;
    let highs: StretchHigh[] | null = null;
    return {
      firstMinuteMs: this.rows.number(window, WINDOW.firstMinuteMs),
      // Most pools are ruled out before a model reads them.
      get bars() {
        bars ??= windows.readBars(window);
        return bars;
      },
      get highs() {
        highs ??= windows.readHighs(window);
        return highs;
      },
    };
  }

  /** Drops pools without a trade for `HIGHS_MS`. Cheap; to be called once a minute. */
  dropExpired(nowMs: number): void {
    const lastKeptMs = startOf(nowMs - HIGHS_MS, STRETCH_MS);
    for (;;) {
      const window = this.traded.oldest;
      if (window === -1 || this.bars.minuteMs(this.newestBar(window)) >= lastKeptMs) return;
      this.drop(window);
    }
  }

  get poolCount(): number {
    return this.rows.size;
  }

  private find(pool: Address): number {
    const id = this.ids.find(pool);
    return id === -1 ? -1 : this.index.get(0, id);
  }

  private ensure(pool: Address, minuteMs: number): number {
    const id = this.ids.idOf(pool);
    const known = this.index.get(0, id);
    if (known !== -1) return known;
    const window = this.rows.add();
    this.rows.setNumber(window, WINDOW.pool, id);
    this.rows.setNumber(window, WINDOW.firstMinuteMs, minuteMs);
    this.index.set(0, id, window);
    this.traded.push(window);
    return window;
  }

  private newestBar(window: number): number {
    return this.rows.number(window, WINDOW.newestBar) - 1;
  }

  private barOf(window: number, minuteMs: number): number {
    const { rows, bars } = this;
    const newest = this.newestBar(window);
    const newestMs = newest === -1 ? minuteMs : bars.minuteMs(newest);
    if (newest !== -1 && newestMs >= minuteMs) return newest;
    if (startOf(newestMs, STRETCH_MS) < startOf(minuteMs, STRETCH_MS)) this.traded.renew(window);
    this.dropBars(window, minuteMs - BARS_MS);
    this.dropHighs(window, minuteMs - HIGHS_MS - STRETCH_MS);
    const bar = bars.add(minuteMs);
    if (newest === -1) rows.setNumber(window, WINDOW.oldestBar, bar + 1);
    else bars.setNewer(newest, bar);
    rows.setNumber(window, WINDOW.newestBar, bar + 1);
    return bar;
  }

  private notePrice(window: number, bar: number, price: number): void {
    const { rows, highs } = this;
    this.bars.notePrice(bar, price);
    const stretchMs = startOf(this.bars.minuteMs(bar), STRETCH_MS);
    const newest = rows.number(window, WINDOW.newestHigh) - 1;
    if (newest !== -1 && highs.number(newest, HIGH.stretchMs) >= stretchMs) {
      if (price > highs.number(newest, HIGH.high)) highs.setNumber(newest, HIGH.high, price);
      return;
    }
    const high = highs.add();
    highs.setNumber(high, HIGH.stretchMs, stretchMs);
    highs.setNumber(high, HIGH.high, price);
    if (newest === -1) rows.setNumber(window, WINDOW.oldestHigh, high + 1);
    else highs.setNumber(newest, HIGH.newer, high + 1);
    rows.setNumber(window, WINDOW.newestHigh, high + 1);
  }

  /** Drops bars up to `lastMs` but the newest of them, which gives the price at that time. */
  private dropBars(window: number, lastMs: number): void {
    const { rows, bars } = this;
    const oldest = rows.number(window, WINDOW.oldestBar) - 1;
    if (oldest === -1) return;
    let bar = oldest;
    for (;;) {
      const newer = bars.newer(bar);
      if (newer === -1 || bars.minuteMs(newer) > lastMs) break;
      bars.remove(bar);
      bar = newer;
    }
    if (bar !== oldest) rows.setNumber(window, WINDOW.oldestBar, bar + 1);
  }

  /** Drops highs up to `lastMs`. */
  private dropHighs(window: number, lastMs: number): void {
    const { rows, highs } = this;
    const oldest = rows.number(window, WINDOW.oldestHigh) - 1;
    let high = oldest;
    while (high !== -1 && highs.number(high, HIGH.stretchMs) <= lastMs) {
      const newer = highs.number(high, HIGH.newer) - 1;
      highs.remove(high);
      high = newer;
    }
    if (high === oldest) return;
    rows.setNumber(window, WINDOW.oldestHigh, high + 1);
    if (high === -1) rows.setNumber(window, WINDOW.newestHigh, 0);
  }

  private drop(window: number): void {
    const { rows, bars } = this;
    this.dropHighs(window, Number.POSITIVE_INFINITY);
    for (let bar = rows.number(window, WINDOW.oldestBar) - 1; bar !== -1; ) {
      const newer = bars.newer(bar);
      bars.remove(bar);
      bar = newer;
    }
    this.traded.remove(window);
    this.index.delete(0, rows.number(window, WINDOW.pool));
    rows.remove(window);
  }

  private readBars(window: number): MinuteBar[] {
    const found: MinuteBar[] = [];
    let bar = this.rows.number(window, WINDOW.oldestBar) - 1;
    for (; bar !== -1; bar = this.bars.newer(bar)) found.push(this.bars.read(bar));
    return found;
  }

  private readHighs(window: number): StretchHigh[] {
    const { highs } = this;
    const found: StretchHigh[] = [];
    let row = this.rows.number(window, WINDOW.oldestHigh) - 1;
    for (; row !== -1; row = highs.number(row, HIGH.newer) - 1) {
      found.push({
        stretchMs: highs.number(row, HIGH.stretchMs),
        high: highs.number(row, HIGH.high),
      });
    }
    return found;
  }
}

/** Converts a price to plain dollars. */
export function toDollars(priceUsd: PriceE18): number {
  return Number(priceUsd) / 1e18;
}

export function startOf(timeMs: number, spanMs: number): number {
  return Math.floor(timeMs / spanMs) * spanMs;
}
