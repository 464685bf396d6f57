import type { Address, PriceE18, Slot, UsdNano } from './units.ts';

/**
 * The figures of one pool as of a slot (CONTRACT §2.2, METHODS §2.2), social ones apart.
 *
 * Ratios have four decimals, scores and seconds two, each rounded half up once, here: the text of a
 * ratio and that of its rest add to 1. Dollars are not rounded. Null is unknown; a count or ratio of
 * nothing is 0. All that is in dollars is null where less than 0.9 of the pool's quote volume has a
 * known price.
 */
export interface IndicatorRecord {
  readonly pool: Address;
  readonly baseMint: Address;
  readonly slot: Slot;
  /** Logical time of the slot, null where it is unknown. */
  readonly createdAtMs: number | null;
  readonly totalWallets: number;
  readonly organicWallets: number;
  /** Null when it depends on a price that is unknown. */
  readonly organicProfitableWallets: number | null;
  readonly organicToTotalWalletsRatio: number;
  readonly botToTotalWalletsRatio: number;
  readonly profitableOrganicToTotalOrganicRatio: number | null;
  readonly totalVolumeUsd: UsdNano | null;
  readonly organicVolumeUsd: UsdNano | null;
  readonly botVolumeRatio: number | null;
  readonly organicVolumeRatio: number | null;
  /** Null without an organic wallet that held anything. */
  readonly organicMeanHoldSeconds: number | null;
  /** Null without an organic wallet that traded in two transactions. */
  readonly organicMeanTradeFrequencySeconds: number | null;
  readonly priceUsd: PriceE18 | null;
  readonly smartMoneyScore: number;
  readonly rawSmartMoneyScore: number;
  readonly smartMoneyInflux10min: UsdNano | null;
  readonly smartMoneyOutflux10min: UsdNano | null;
  readonly rawSmartMoneyInflux: UsdNano | null;
  readonly rawSmartMoneyOutflux: UsdNano | null;
  readonly smartHolders: number;
  readonly rawHolders: number;
  readonly smartToRawHoldersRatio: number;
  /** Null when it depends on a price that is unknown. */
  readonly profitableVolume: UsdNano | null;
  readonly profitableVolumeTotalVolumeRatio: number | null;
}

/** The figures of a pool at the end of a minute in which it was traded. */
export interface IndicatorMinute {
  /** Start of the minute; the record is as of the last slot of it. */
  readonly minuteMs: number;
  readonly record: IndicatorRecord;
}

/**
 * The figures of a pool over a stretch of time (CONTRACT §2.2): counts, price and flows as of its
 * end, what is summed since the pool began as its change, and everything else as its mean over time.
 */
export interface IndicatorBucket {
  /** A multiple of the bucket's length. */
  readonly openMs: number;
  /** Slot and time are of the last minute of it that was stored. */
  readonly record: IndicatorRecord;
}

/** Figures that are averaged over time, with the fraction digits they have. */
export const AVERAGED_FIGURES = {
  organicToTotalWalletsRatio: 4,
  botToTotalWalletsRatio: 4,
  profitableOrganicToTotalOrganicRatio: 4,
  botVolumeRatio: 4,
  organicVolumeRatio: 4,
  organicMeanHoldSeconds: 2,
  organicMeanTradeFrequencySeconds: 2,
  smartMoneyScore: 2,
  rawSmartMoneyScore: 2,
  smartToRawHoldersRatio: 4,
  profitableVolumeTotalVolumeRatio: 4,
} as const satisfies Partial<Record<keyof IndicatorRecord, number>>;

export type AveragedFigure = keyof typeof AVERAGED_FIGURES;

/** Figures that are sums since the pool began. */
export const CUMULATIVE_FIGURES = [
  'totalVolumeUsd',
  'organicVolumeUsd',
  'profitableVolume',
] as const satisfies readonly (keyof IndicatorRecord)[];

export const INDICATOR_MINUTE_MS = 60_000;
