import type { EngineState } from './engine-state.ts';

/**
 * Counts of what the state contains. Nearly all of it is on disk, and only memory is bounded, so no
 * count is too high.
 */
export interface StateSize {
  readonly tokens: number;
  readonly pools: number;
  readonly poolTraders: number;
  readonly holderMints: number;
  readonly holderAccounts: number;
  readonly locks: number;
  readonly profiles: number;
  readonly candles: number;
  /** Signals whose outcome can still change, including those of the control. */
  readonly openSignals: number;
  /** Pools traded in the last six hours. */
  readonly signalPools: number;
}

export function stateSizeOf({ books, walletBooks, signals }: EngineState): StateSize {
  const { tokens, pools, holders, candles, locks } = books;
  const { wallets, poolWallets } = walletBooks;
  return {
    tokens: tokens.size,
    pools: pools.size,
    poolTraders: poolWallets.traderCount,
    holderMints: holders.mintCount,
    holderAccounts: holders.accountCount,
    locks: locks.lockCount,
    profiles: wallets.size,
    candles: candles.size,
    openSignals: signals.openCount,
    signalPools: signals.poolCount,
  };
}
