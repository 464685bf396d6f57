import { type Field, rowLayout } from '../lib/row-layout.ts';
import type { WideField } from '../lib/wide-sum.ts';
import { MARKET_WINDOWS } from '../model/market-window.ts';

const WINDOWS = MARKET_WINDOWS.length;

/**
 * The trades of a scope (a pool or a mint) in 30 seconds. References to rows are row numbers plus
 * one, 0 for none.
 */
export const BUCKET_LAYOUT = rowLayout({
  scope: 'u32',
  /** Time divided by 30 seconds. */
  at: 'u32',
  trades: 'u32',
  buys: 'u32',
  /** Wallets whose last buy, or last sale, in the scope is in this bucket. */
  lastBuyers: 'u32',
  lastSellers: 'u32',
  /** The next bucket of any scope in order of time, and the neighbours of the same scope. */
  newer: 'u32',
  newerOfScope: 'u32',
  olderOfScope: 'u32',
  /** Values of 128 bits, limited to 94. */
  volumeUsd: ['u64', 2],
  organicUsd: ['u64', 2],
  /** Limited to 64 bits. */
  baseRaw: 'u64',
  pricedBaseRaw: 'u64',
  /** First and last price in USD; NaN without a price. */
  open: 'f64',
  close: 'f64',
});

/** Sums over the buckets of a scope by window. A scope has a row while it has buckets. */
export const SCOPE_LAYOUT = rowLayout({
  number: 'u32',
  oldest: 'u32',
  newest: 'u32',
  trades: ['u32', WINDOWS],
  buys: ['u32', WINDOWS],
  buyers: ['u32', WINDOWS],
  sellers: ['u32', WINDOWS],
  /** The newest bucket with a price that is before the window. */
  before: ['u32', WINDOWS],
  volumeUsd: ['u64', 2 * WINDOWS],
  organicUsd: ['u64', 2 * WINDOWS],
  baseRaw: ['u64', 2 * WINDOWS],
  pricedBaseRaw: ['u64', 2 * WINDOWS],
});

/** A wallet that traded in a scope: the buckets of its last buy and last sale, 0 for none. */
export const TRADER_LAYOUT = rowLayout({
  scope: 'u32',
  wallet: 'u32',
  buyAt: 'u32',
  buyBucket: 'u32',
  sellAt: 'u32',
  sellBucket: 'u32',
  older: 'u32',
  newer: 'u32',
});

/** The sum of each window within a field of wide sums. */
export function wideByWindow({ kind, offset }: Field<'u64'>): readonly WideField[] {
  return MARKET_WINDOWS.map((_, at) => ({ kind, offset: offset + at * 16, length: 2 }));
}
