import { RowTable } from '../lib/row-table.ts';
import type { UndoLog } from '../lib/undo-log.ts';
import { addToWide, wideSum } from '../lib/wide-sum.ts';
import { WordList } from '../lib/word-list.ts';
import { BASE_CANDLE_MS } from '../model/derived.ts';
import type { WindowCandle, WindowTrade } from '../model/market-rows.ts';
import { type FiguresByWindow, MARKET_WINDOWS, windowStartMs } from '../model/market-window.ts';
import type { Side } from '../model/swap.ts';
import type { Address } from '../model/units.ts';
import { BUCKET_LAYOUT, SCOPE_LAYOUT, TRADER_LAYOUT } from './market-rows.ts';
import { PricesBefore } from './prices-before.ts';
import { NO_FIGURES, readFigures } from './read-figures.ts';
import { SUMMED_AMOUNTS, type SummedAmount, WindowScopes } from './window-scopes.ts';
import { WindowTraders } from './window-traders.ts';

const BUCKET = BUCKET_LAYOUT.fields;
const SCOPE = SCOPE_LAYOUT.fields;
const TRADER = TRADER_LAYOUT.fields;
const WINDOW_COUNT = MARKET_WINDOWS.length;
const WHOLE = WINDOW_COUNT - 1;
const U64_MAX = 2n ** 64n - 1n;
/** More than all money; sums of it fit 128 bits. */
const USD_MAX = 2n ** 94n;

/**
 * The trades of the last 24 hours by pool and by mint, summed by rolling window. Sums of trades and
 * prices are those of base candles; organic volume and distinct wallets come from the trades.
 *
 * Each window's sums change when a bucket of 30 seconds enters or leaves it, so reading them costs
 * nothing. Distinct wallets are exact: a wallet counts in the bucket of its last buy, so those whose
 * last buy is in a window are as many as its buckets have. What is older than 24 hours is removed.
 *
 * For each slot, call `putCandle`, `advance` and `addTrade` in this order. Time must not go back.
 * All changes are recorded in `undo`.
 */
export class MarketWindows {
  private readonly buckets: RowTable;
  private readonly scopes: WindowScopes;
  private readonly traders: WindowTraders;
  private readonly pricesBefore: PricesBefore;
  /** The time in 30 seconds, the newest bucket, and by window its oldest bucket. */
  private readonly words: WordList;
  private readonly onChange: (scope: Address) => void;

  /** `onChange` is called with each pool and mint whose figures may have changed. */
  constructor(undo: UndoLog, onChange: (scope: Address) => void = () => undefined) {
    this.buckets = new RowTable(BUCKET_LAYOUT, undo, 'market buckets') as RowTable;
    this.scopes = new WindowScopes(undo);
    this.traders = new WindowTraders(undo);
    this.pricesBefore = new PricesBefore(this.scopes.rows, this.buckets);
    this.words = new WordList(undo, 'market ends');
    this.onChange = onChange;
  }

  /** Pools and mints traded in 24 hours, their buckets of 30 seconds, and their traders. */
  get counts(): { readonly scopes: number; readonly buckets: number; readonly traders: number } {
    const { scopes, buckets, traders } = this;
    return { scopes: scopes.rows.size, buckets: buckets.size, traders: traders.rows.size };
  }

  get allocatedBytes(): number {
    const { buckets, scopes, traders } = this;
    return buckets.allocatedBytes + scopes.allocatedBytes + traders.allocatedBytes;
  }

  /** Moves all windows to a time, which is not before the last one. */
  advance(nowMs: number): void {
    const at = Math.floor(nowMs / BASE_CANDLE_MS);
    if (at <= this.words.get(NOW)) return;
    this.words.set(NOW, at);
    for (let window = 0; window < WHOLE; window++) this.leave(window);
    this.traders.dropBefore(this.startOf(WHOLE));
    this.leave(WHOLE);
  }

  /** The candle of a bucket, which replaces what was known of it. Ignored if older than 24 hours. */
  putCandle(candle: WindowCandle): void {
    const at = Math.floor(candle.openTimeMs / BASE_CANDLE_MS);
    if (at < this.startOf(WHOLE)) return;
    const bucket = this.bucketOf(candle.scope, at);
    this.setCount(bucket, 'trades', candle.trades);
    this.setCount(bucket, 'buys', candle.buys);
    this.setAmount(bucket, 'volumeUsd', candle.volumeUsd);
    this.setAmount(bucket, 'baseRaw', candle.baseVolumeRaw);
    this.setAmount(bucket, 'pricedBaseRaw', candle.pricedBaseVolumeRaw);
    this.buckets.setNumber(bucket, BUCKET.open, toNumber(candle.usd?.open));
    const close = toNumber(candle.usd?.close);
    this.pricesBefore.setClose(bucket, close, this.firstWindowOf(bucket));
    this.onChange(candle.scope);
  }

  /** Adds a trade of the current time. Its candle is put separately. */
  addTrade({ timeMs, pool, baseMint, trader, side, valueUsd, isOrganic }: WindowTrade): void {
    const at = Math.floor(timeMs / BASE_CANDLE_MS);
    if (at < this.startOf(WHOLE)) return;
    for (const address of [pool, baseMint]) {
      const bucket = this.bucketOf(address, at);
      if (isOrganic && valueUsd !== null) {
        this.setAmount(bucket, 'organicUsd', this.amountOf(bucket, 'organicUsd') + valueUsd);
      }
      if (trader !== null) this.noteTrader(bucket, trader, side);
      this.onChange(address);
    }
  }

  /** The figures of a pool or a mint. */
  figures(address: Address): FiguresByWindow {
    const scope = this.scopes.find(address);
    return scope === -1 ? NO_FIGURES : readFigures(this.scopes.rows, this.buckets, scope);
  }

  /** The first bucket of a window. */
  private startOf(window: number): number {
    const name = MARKET_WINDOWS[window] ?? '24h';
    const startMs = windowStartMs(name, this.words.get(NOW) * BASE_CANDLE_MS);
    // The time 0 stands for none.
    return Math.max(1, startMs / BASE_CANDLE_MS);
  }

  /** The shortest window that a bucket is in. */
  private firstWindowOf(bucket: number): number {
    const at = this.buckets.number(bucket, BUCKET.at);
    let window = 0;
    while (window < WINDOW_COUNT && at < this.startOf(window)) window++;
    return window;
  }

  private bucketOf(address: Address, at: number): number {
    const scope = this.scopes.ensure(address);
    let bucket = this.scopes.rows.number(scope, SCOPE.newest) - 1;
    while (bucket !== -1) {
      const found = this.buckets.number(bucket, BUCKET.at);
      if (found === at) return bucket;
      if (found < at) break;
      bucket = this.buckets.number(bucket, BUCKET.olderOfScope) - 1;
    }
    return this.addBucket(scope, at);
  }

  /** Throws RangeError for a bucket before the newest one. */
  private addBucket(scope: number, at: number): number {
    const { buckets, words } = this;
    const scopes = this.scopes.rows;
    const last = words.get(NEWEST);
    if (last !== 0 && at < buckets.number(last - 1, BUCKET.at)) {
      throw new RangeError(`a trade of the time ${at} follows a later one`);
    }
    const bucket = buckets.add();
    const older = scopes.number(scope, SCOPE.newest);
    buckets.setNumber(bucket, BUCKET.scope, scope);
    buckets.setNumber(bucket, BUCKET.at, at);
    buckets.setNumber(bucket, BUCKET.olderOfScope, older);
    buckets.setNumber(bucket, BUCKET.open, Number.NaN);
    buckets.setNumber(bucket, BUCKET.close, Number.NaN);
    if (older === 0) scopes.setNumber(scope, SCOPE.oldest, bucket + 1);
    else buckets.setNumber(older - 1, BUCKET.newerOfScope, bucket + 1);
    scopes.setNumber(scope, SCOPE.newest, bucket + 1);
    if (last !== 0) buckets.setNumber(last - 1, BUCKET.newer, bucket + 1);
    words.set(NEWEST, bucket + 1);
    for (let window = this.firstWindowOf(bucket); window < WINDOW_COUNT; window++) {
      if (words.get(OLDEST + window) === 0) words.set(OLDEST + window, bucket + 1);
    }
    return bucket;
  }

  private setCount(bucket: number, name: 'trades' | 'buys', value: number): void {
    const change = value - this.buckets.number(bucket, BUCKET[name]);
    this.buckets.setNumber(bucket, BUCKET[name], value);
    const scope = this.buckets.number(bucket, BUCKET.scope);
    for (let window = this.firstWindowOf(bucket); window < WINDOW_COUNT; window++) {
      this.scopes.addCount(scope, name, window, change);
    }
  }

  private amountOf(bucket: number, name: SummedAmount): bigint {
    return name === 'volumeUsd' || name === 'organicUsd'
      ? wideSum(this.buckets, bucket, BUCKET[name])
      : this.buckets.bigint(bucket, BUCKET[name]);
  }

  private setAmount(bucket: number, name: SummedAmount, value: bigint): void {
    const isWide = name === 'volumeUsd' || name === 'organicUsd';
    const change = limited(value, isWide ? USD_MAX : U64_MAX) - this.amountOf(bucket, name);
    if (isWide) addToWide(this.buckets, bucket, BUCKET[name], change);
    else this.buckets.setBigint(bucket, BUCKET[name], this.amountOf(bucket, name) + change);
    const scope = this.buckets.number(bucket, BUCKET.scope);
    for (let window = this.firstWindowOf(bucket); window < WINDOW_COUNT; window++) {
      this.scopes.addAmount(scope, name, window, change);
    }
  }

  /** Moves a wallet that trades from the bucket of its last trade of the side to this one. */
  private noteTrader(bucket: number, trader: Address, side: Side): void {
    const { buckets, scopes } = this;
    const traders = this.traders.rows;
    const at = buckets.number(bucket, BUCKET.at);
    const scope = buckets.number(bucket, BUCKET.scope);
    const row = this.traders.trading(scope, trader);
    const of = SIDES[side];
    const lastAt = traders.number(row, of.at);
    if (lastAt === at) return;
    for (let window = 0; window < WINDOW_COUNT && lastAt < this.startOf(window); window++) {
      scopes.addCount(scope, of.wallets, window, 1);
    }
    // An earlier bucket is gone, and its row may be that of another.
    if (lastAt >= this.startOf(WHOLE)) {
      const last = traders.number(row, of.bucket) - 1;
      buckets.setNumber(last, of.last, buckets.number(last, of.last) - 1);
    }
    buckets.setNumber(bucket, of.last, buckets.number(bucket, of.last) + 1);
    traders.setNumber(row, of.at, at);
    traders.setNumber(row, of.bucket, bucket + 1);
  }

  /** Takes the buckets out of a window that are before its start. */
  private leave(window: number): void {
    const { buckets, words } = this;
    const start = this.startOf(window);
    for (;;) {
      const bucket = words.get(OLDEST + window) - 1;
      if (bucket === -1 || buckets.number(bucket, BUCKET.at) >= start) return;
      words.set(OLDEST + window, buckets.number(bucket, BUCKET.newer));
      this.subtract(bucket, window);
      if (window === WHOLE) this.removeBucket(bucket);
    }
  }

  private subtract(bucket: number, window: number): void {
    const { buckets, scopes } = this;
    const scope = buckets.number(bucket, BUCKET.scope);
    scopes.addCount(scope, 'trades', window, -buckets.number(bucket, BUCKET.trades));
    scopes.addCount(scope, 'buys', window, -buckets.number(bucket, BUCKET.buys));
    scopes.addCount(scope, 'buyers', window, -buckets.number(bucket, BUCKET.lastBuyers));
    scopes.addCount(scope, 'sellers', window, -buckets.number(bucket, BUCKET.lastSellers));
    for (const name of SUMMED_AMOUNTS) {
      scopes.addAmount(scope, name, window, -this.amountOf(bucket, name));
    }
    this.pricesBefore.leave(bucket, window);
    this.onChange(scopes.addressOf(scope));
  }

  private removeBucket(bucket: number): void {
    const { buckets, words } = this;
    const scopes = this.scopes.rows;
    const scope = buckets.number(bucket, BUCKET.scope);
    const newer = buckets.number(bucket, BUCKET.newerOfScope);
    if (words.get(NEWEST) === bucket + 1) words.set(NEWEST, 0);
    buckets.remove(bucket);
    if (newer === 0) {
      this.scopes.remove(scope);
      return;
    }
    scopes.setNumber(scope, SCOPE.oldest, newer);
    buckets.setNumber(newer - 1, BUCKET.olderOfScope, 0);
    this.pricesBefore.remove(bucket, scope);
  }
}

const NOW = 0;
const NEWEST = 1;
const OLDEST = 2;

const SIDES = {
  buy: {
    at: TRADER.buyAt,
    bucket: TRADER.buyBucket,
    last: BUCKET.lastBuyers,
    wallets: 'buyers',
  },
  sell: {
    at: TRADER.sellAt,
    bucket: TRADER.sellBucket,
    last: BUCKET.lastSellers,
    wallets: 'sellers',
  },
} as const;

function limited(amount: bigint, max: bigint): bigint {
  return amount > max ? max : amount;
}

/** A price as a statistic, for changes. */
function toNumber(price: bigint | undefined): number {
  return price === undefined ? Number.NaN : Number(price);
}
