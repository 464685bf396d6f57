/**
 * Mean time between a wallet's trades in a pool, last less first over one less than their number
 * (METHODS §2.2), in whole nanoseconds so that sums over wallets are exact. Null below two trades.
 */
export function meanGapNs(timedTrades: number, firstMs: number, lastMs: number): bigint | null {
  if (timedTrades < 2) return null;
  return BigInt(Math.round(((lastMs - firstMs) * 1e6) / (timedTrades - 1)));
}

/** Gaps of a pool's organic wallets, added up. */
export interface GapSums {
  readonly gapWallets: number;
  readonly gapNs: bigint;
}

/** Mean over the wallets; null without one that traded twice. */
export function meanTradeFrequencyNs({ gapWallets, gapNs }: GapSums): number | null {
  return gapWallets === 0 ? null : Number(gapNs) / gapWallets;
}
