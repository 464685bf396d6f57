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
