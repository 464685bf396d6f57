import type { Address, PriceE18, Slot, UsdNano } from './units.ts';

/**
 * The figures of one pool as of a slot (CONTRACT §2.2, METHODS §2.2), except social ones.
 *
 * Ratios have four decimals, scores and seconds two. Each is rounded half up once, here, so the
 * texts of a ratio and of its complement add up to 1. Dollar amounts are not rounded. Null means
 * unknown; a count or a ratio over nothing is 0. Dollar amounts are null while less than 0.9 of the
 * pool's quote volume has a known price.
 */
export interface IndicatorRecord {
  readonly pool: Address;
  readonly baseMint: Address;
  readonly slot: Slot;
  /** Logical time of the slot, null where it is unknown. */
  readonly createdAtMs: number | null;
  readonly totalWallets: number;
  readonly organicWallets: number;
  /** Null when it depends on an unknown price. */
  readonly organicProfitableWallets: number | null;
  readonly organicToTotalWalletsRatio: number;
  readonly botToTotalWalletsRatio: number;
  readonly profitableOrganicToTotalOrganicRatio: number | null;
  readonly totalVolumeUsd: UsdNano | null;
  readonly organicVolumeUsd: UsdNano | null;
  readonly botVolumeRatio: number | null;
  readonly organicVolumeRatio: number | null;
  /** Null when no organic wallet held anything. */
  readonly organicMeanHoldSeconds: number | null;
  /** Null when no organic wallet traded in two transactions. */
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
  /** Null when it depends on an unknown price. */
  readonly profitableVolume: UsdNano | null;
  readonly profitableVolumeTotalVolumeRatio: number | null;
  /**
   * Volume of the trades whose trader was organic, or profitable, at the end of the slot of the trade.
   * It never falls, so it gives the volumes of a time range.
   */
  readonly tradedOrganicUsd: UsdNano | null;
  readonly tradedProfitableUsd: UsdNano | null;
}

/** The figures of a pool at the end of a minute in which it was traded. */
export interface IndicatorMinute {
  /** Start of the minute; the record is as of the minute's last slot. */
  readonly minuteMs: number;
  readonly record: IndicatorRecord;
}

/**
 * The figures of a pool over a time range (CONTRACT §2.2 and §4.1): counts, price, flows and ratios
 * of wallets as of its end, volumes and their ratios of the trades in it, scores and seconds as their
 * mean over time.
 */
export interface IndicatorBucket {
  /** A multiple of the bucket's length. */
  readonly openMs: number;
  /** Slot and time are those of the last stored minute in the range. */
  readonly record: IndicatorRecord;
}

/** Figures that are averaged over time, with their number of fraction digits. */
export const AVERAGED_FIGURES = {
  organicMeanHoldSeconds: 2,
  organicMeanTradeFrequencySeconds: 2,
  smartMoneyScore: 2,
  rawSmartMoneyScore: 2,
} as const satisfies Partial<Record<keyof IndicatorRecord, number>>;

export type AveragedFigure = keyof typeof AVERAGED_FIGURES;

export const INDICATOR_MINUTE_MS = 60_000;
