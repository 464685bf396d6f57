import { DEFAULT_BOUNDS, type EngineBounds } from '../engine-options.ts';
import type { EngineState } from './engine-state.ts';

/** Counts of what the state contains, in memory or not. */
export interface StateSize extends EngineBounds {
  readonly candles: number;
  readonly profiles: number;
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

/** Names of the bounds that a state exceeds. */
export function exceededBoundsOf(size: StateSize, bounds: EngineBounds): (keyof EngineBounds)[] {
  const names = Object.keys(DEFAULT_BOUNDS) as (keyof EngineBounds)[];
  return names.filter((name) => size[name] > bounds[name]);
}
