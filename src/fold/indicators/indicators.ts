import type { IndicatorRecord } from '../../model/indicators.ts';
import { isUsdKnown } from '../../model/priced-volume.ts';
import type { Address, Slot } from '../../model/units.ts';
import type { PoolState } from '../market/pool-state.ts';
import type { PoolWalletBook } from './pool-wallet-book.ts';
import { profitIndicators } from './profit-indicators.ts';
import type { SmartFlowBook } from './smart-flow.ts';
import type { SmartHolderBook } from './smart-holders.ts';
import { smartFlowIndicators, smartHolderIndicators } from './smart-indicators.ts';
import { timeIndicators } from './time-indicators.ts';
import { type PoolVolume, volumeIndicators } from './volume-indicators.ts';
import { walletIndicators } from './wallet-indicators.ts';

/** The books with the input that is not part of the pool's own state. */
export interface IndicatorBooks {
  readonly poolWallets: PoolWalletBook;
  readonly smartFlows: SmartFlowBook;
  readonly smartHolders: SmartHolderBook;
}

export type IndicatorPool = PoolVolume & Pick<PoolState, 'pool' | 'baseMint' | 'priceUsd'>;

/** The moment of the reading, and the input from other books about the mint. */
export interface IndicatorMoment {
  readonly slot: Slot;
  /** Logical time, null when unknown. */
  readonly nowMs: number | null;
  /** Origin of the position times of the mint; null before its first position. */
  readonly mintOriginMs: number | null;
  /** Holders of the mint that are neither pools nor burn addresses. */
  readonly rawHolders: number;
  /** Whether a wallet is currently smart, one of those holders, and not an insider. */
  readonly isSmartHolder: (wallet: Address) => boolean;
}

/** All indicators of a pool. The moment must not be earlier than the last event in the books. */
export function readIndicators(
  { poolWallets, smartFlows, smartHolders }: IndicatorBooks,
  state: IndicatorPool,
  { slot, nowMs, mintOriginMs, rawHolders, isSmartHolder }: IndicatorMoment,
): IndicatorRecord {
  const { pool, baseMint, priceUsd } = state;
  const wallets = poolWallets.get(pool);
  const sinceOriginMs = nowMs === null || mintOriginMs === null ? null : nowMs - mintOriginMs;
  const walletCounts = walletIndicators(wallets);
  const volumes = volumeIndicators(state, wallets);
  const profits = profitIndicators(
    poolWallets.profits(pool, priceUsd),
    volumes.totalVolumeUsd,
    wallets,
  );
  const times = timeIndicators(wallets, sinceOriginMs);
  const holders = smartHolderIndicators(smartHolders.holders(baseMint, isSmartHolder), rawHolders);
  const isFlowKnown = nowMs !== null && isUsdKnown(state);
  const flows = smartFlowIndicators(isFlowKnown ? smartFlows.flows(pool, nowMs) : null);
  // Field by field: spreading this many fields takes as long as computing them, and thousands of
  // records are created at the end of each minute.
  return {
    pool,
    baseMint,
    slot,
    createdAtMs: nowMs,
    priceUsd,
    totalWallets: walletCounts.totalWallets,
    organicWallets: walletCounts.organicWallets,
    organicToTotalWalletsRatio: walletCounts.organicToTotalWalletsRatio,
    botToTotalWalletsRatio: walletCounts.botToTotalWalletsRatio,
    totalVolumeUsd: volumes.totalVolumeUsd,
    organicVolumeUsd: volumes.organicVolumeUsd,
    organicVolumeRatio: volumes.organicVolumeRatio,
    botVolumeRatio: volumes.botVolumeRatio,
    tradedOrganicUsd: volumes.tradedOrganicUsd,
    tradedProfitableUsd: volumes.tradedProfitableUsd,
    organicProfitableWallets: profits.organicProfitableWallets,
    profitableOrganicToTotalOrganicRatio: profits.profitableOrganicToTotalOrganicRatio,
    profitableVolume: profits.profitableVolume,
    profitableVolumeTotalVolumeRatio: profits.profitableVolumeTotalVolumeRatio,
    organicMeanHoldSeconds: times.organicMeanHoldSeconds,
    organicMeanTradeFrequencySeconds: times.organicMeanTradeFrequencySeconds,
    smartMoneyScore: holders.smartMoneyScore,
    rawSmartMoneyScore: holders.rawSmartMoneyScore,
    smartHolders: holders.smartHolders,
    rawHolders: holders.rawHolders,
    smartToRawHoldersRatio: holders.smartToRawHoldersRatio,
    smartMoneyInflux10min: flows.smartMoneyInflux10min,
    smartMoneyOutflux10min: flows.smartMoneyOutflux10min,
    rawSmartMoneyInflux: flows.rawSmartMoneyInflux,
    rawSmartMoneyOutflux: flows.rawSmartMoneyOutflux,
  };
}
