import type { IndicatorRecord } from '../../model/indicators.ts';
import { isUsdKnown } from '../../model/priced-volume.ts';
import type { Address, Slot } from '../../model/units.ts';
import type { PoolState } from '../pools.ts';
import type { PoolWalletBook } from './pool-wallet-book.ts';
import { profitIndicators } from './profit-indicators.ts';
import type { SmartFlowBook } from './smart-flow.ts';
import type { SmartHolderBook } from './smart-holders.ts';
import { smartFlowIndicators, smartHolderIndicators } from './smart-indicators.ts';
import { timeIndicators } from './time-indicators.ts';
import { type PoolVolume, volumeIndicators } from './volume-indicators.ts';
import { walletIndicators } from './wallet-indicators.ts';

/** The books that know what a pool's own state does not. */
export interface IndicatorBooks {
  readonly poolWallets: PoolWalletBook;
  readonly smartFlows: SmartFlowBook;
  readonly smartHolders: SmartHolderBook;
}

export type IndicatorPool = PoolVolume & Pick<PoolState, 'pool' | 'baseMint' | 'priceUsd'>;

/** The moment of the reading, and what other books know of the mint. */
export interface IndicatorMoment {
  readonly slot: Slot;
  /** Logical time, null where it is unknown. */
  readonly nowMs: number | null;
  /** What positions in the mint count seconds from; null before the first of them. */
  readonly mintOriginMs: number | null;
  /** Holders of the mint that are neither pools nor burn addresses. */
  readonly rawHolders: number;
  /** Whether a wallet with some of the mint is smart now, one of those holders, and no insider. */
  readonly isSmartHolder: (wallet: Address) => boolean;
}

/** All figures of a pool as of a moment not earlier than what the books were told last. */
export function readIndicators(
  { poolWallets, smartFlows, smartHolders }: IndicatorBooks,
  state: IndicatorPool,
  { slot, nowMs, mintOriginMs, rawHolders, isSmartHolder }: IndicatorMoment,
): IndicatorRecord {
  const { pool, baseMint, priceUsd } = state;
  const wallets = poolWallets.get(pool);
  const sinceOriginMs = nowMs === null || mintOriginMs === null ? null : nowMs - mintOriginMs;
  const volumes = volumeIndicators(state, wallets);
  const profits = poolWallets.profits(pool, priceUsd);
  const isFlowKnown = nowMs !== null && isUsdKnown(state);
  return {
    pool,
    baseMint,
    slot,
    createdAtMs: nowMs,
    priceUsd,
    ...walletIndicators(wallets),
    ...volumes,
    ...profitIndicators(profits, volumes.totalVolumeUsd, wallets),
    ...timeIndicators(wallets, sinceOriginMs),
    ...smartHolderIndicators(smartHolders.holders(baseMint, isSmartHolder), rawHolders),
    ...smartFlowIndicators(isFlowKnown ? smartFlows.flows(pool, nowMs) : null),
  };
}
