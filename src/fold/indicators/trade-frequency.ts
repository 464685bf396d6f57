/**
 * Mean time between a wallet's trades in a pool: (last − first) / (trades − 1) (METHODS §2.2), in
 * whole nanoseconds, so sums over wallets are exact. Null below two trades.
 */
export function meanGapNs(timedTrades: number, firstMs: number, lastMs: number): bigint | null {
  if (timedTrades < 2) return null;
  return BigInt(Math.round(((lastMs - firstMs) * 1e6) / (timedTrades - 1)));
}

/** Sums of the gaps of a pool's organic wallets. */
export interface GapSums {
  readonly gapWallets: number;
  readonly gapNs: bigint;
}

/** Mean over the wallets; null if no wallet traded twice. */
export function meanTradeFrequencyNs({ gapWallets, gapNs }: GapSums): number | null {
  return gapWallets === 0 ? null : Number(gapNs) / gapWallets;
}
