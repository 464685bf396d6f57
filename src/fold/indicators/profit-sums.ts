/** Profitable wallets of a pool. */
export interface ProfitSums {
  organicWallets: number;
  volumeUsd: bigint;
}
