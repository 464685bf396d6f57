import { divide, parseDecimal } from '../../lib/decimal.ts';
import {
  AVERAGED_FIGURES,
  type AveragedFigure,
  type IndicatorBucket,
  type IndicatorMinute,
  type IndicatorRecord,
} from '../../model/indicators.ts';
import type { Address, PriceE18, Slot, UsdNano } from '../../model/units.ts';
import type { Lane } from '../sql/lane.ts';
import type { VisibleEpoch } from '../sql/visible-epoch.ts';
import {
  type IndicatorBucketRow,
  type IndicatorRow,
  LAST_MINUTE_AT_SLOT,
  LAST_MINUTE_BEFORE,
  lastColumns,
  MINUTES_IN_BUCKETS,
  MINUTES_IN_RANGE,
} from './indicator-sql.ts';

export interface IndicatorRange {
  readonly pool: Address;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

export interface IndicatorBucketQuery extends IndicatorRange {
  /** Whole minutes. The range must consist of whole buckets. */
  readonly intervalMs: number;
  /** The figures of the last minute hold until this time, and at least for that minute. */
  readonly untilMs: number;
}

/** The stored figures of pools by minute. */
export class StoredIndicators {
  private readonly lane: Lane;
  private readonly visible: VisibleEpoch;

  constructor(lane: Lane, visible: VisibleEpoch) {
    this.lane = lane;
    this.visible = visible;
  }

  /** Oldest first. */
  async minutes({ pool, fromMs, toMs }: IndicatorRange): Promise<IndicatorMinute[]> {
    const range = { from: fromMs, to: toMs };
    return (await this.select<IndicatorRow>(MINUTES_IN_RANGE, pool, range)).map(toMinute);
  }

  /** The newest minute before a time. */
  async lastBefore(pool: Address, beforeMs: number): Promise<IndicatorMinute | null> {
    const [row] = await this.select<IndicatorRow>(LAST_MINUTE_BEFORE, pool, { before: beforeMs });
    return row === undefined ? null : toMinute(row);
  }

  /** The newest minute that was complete at a slot. */
  async atSlot(pool: Address, slot: Slot): Promise<IndicatorMinute | null> {
    const [row] = await this.select<IndicatorRow>(LAST_MINUTE_AT_SLOT, pool, { slot });
    return row === undefined ? null : toMinute(row);
  }

  /**
   * Minutes in buckets, oldest first, without empty buckets. Averaged figures are time-weighted
   * means; all others, including sums since the pool was created, are as of the end of the bucket.
   * `before` is the newest minute before the range.
   */
  async buckets(
    { pool, fromMs, toMs, intervalMs, untilMs }: IndicatorBucketQuery,
    before: IndicatorMinute | null,
  ): Promise<IndicatorBucket[]> {
    const rows = await this.select<IndicatorBucketRow>(MINUTES_IN_BUCKETS, pool, {
      from: before?.minuteMs ?? fromMs,
      first: fromMs,
      to: toMs,
      interval: intervalMs,
      until: untilMs,
    });
    return rows.map((row) => toBucket(row, pool));
  }

  private select<Row>(
    sql: string,
    pool: Address,
    params: Readonly<Record<string, number>>,
  ): Promise<Row[]> {
    return this.lane.rows<Row>(sql, { epoch: this.visible.epoch, pool, ...params });
  }
}

/** Converts a row to the minute that was written. */
export function toMinute(row: IndicatorRow): IndicatorMinute {
  return { minuteMs: Number(row.minute_ms), record: toRecord(row) };
}

function toRecord(row: IndicatorRow): IndicatorRecord {
  return {
    ...momentOf(row),
    organicToTotalWalletsRatio: row.organic_to_total_wallets_ratio,
    botToTotalWalletsRatio: row.bot_to_total_wallets_ratio,
    profitableOrganicToTotalOrganicRatio: row.profitable_organic_to_total_organic_ratio,
    botVolumeRatio: row.bot_volume_ratio,
    organicVolumeRatio: row.organic_volume_ratio,
    organicMeanHoldSeconds: row.organic_mean_hold_seconds,
    organicMeanTradeFrequencySeconds: row.organic_mean_trade_frequency_seconds,
    smartMoneyScore: row.smart_money_score,
    rawSmartMoneyScore: row.raw_smart_money_score,
    smartToRawHoldersRatio: row.smart_to_raw_holders_ratio,
    profitableVolumeTotalVolumeRatio: row.profitable_volume_total_volume_ratio,
  };
}

type AtOneMoment = Omit<IndicatorRecord, AveragedFigure>;

/** All figures that are not averaged over time. */
function momentOf(row: ReturnType<typeof lastColumns> & Pick<IndicatorRow, 'pool'>): AtOneMoment {
  return {
    pool: row.pool as Address,
    baseMint: row.base_mint as Address,
    slot: Number(row.slot) as Slot,
    createdAtMs: row.created_at_ms === null ? null : Number(row.created_at_ms),
    totalWallets: row.total_wallets,
    organicWallets: row.organic_wallets,
    organicProfitableWallets: row.organic_profitable_wallets,
    totalVolumeUsd: maybe<UsdNano>(row.total_volume_usd),
    organicVolumeUsd: maybe<UsdNano>(row.organic_volume_usd),
    priceUsd: maybe<PriceE18>(row.price_usd),
    smartMoneyInflux10min: maybe<UsdNano>(row.smart_money_influx_10min),
    smartMoneyOutflux10min: maybe<UsdNano>(row.smart_money_outflux_10min),
    rawSmartMoneyInflux: maybe<UsdNano>(row.raw_smart_money_influx),
    rawSmartMoneyOutflux: maybe<UsdNano>(row.raw_smart_money_outflux),
    smartHolders: row.smart_holders,
    rawHolders: row.raw_holders,
    profitableVolume: maybe<UsdNano>(row.profitable_volume),
  };
}

function toBucket(row: IndicatorBucketRow, pool: Address): IndicatorBucket {
  const means: Partial<Record<AveragedFigure, number | null>> = {};
  for (const [name, digits] of Object.entries(AVERAGED_FIGURES)) {
    const figure = name as AveragedFigure;
    means[figure] = meanOf(row[`${figure}_sum`], BigInt(row[`${figure}_minutes`]), digits);
  }
  const moment = momentOf({ ...lastColumns(row), pool });
  return { openMs: Number(row.open_ms), record: { ...moment, ...means } as IndicatorRecord };
}

function meanOf(sum: string | null, minutes: bigint, digits: number): number | null {
  const total = sum === null ? null : parseDecimal(sum, digits);
  if (total === null || minutes === 0n) return null;
  return Number(divide(total, minutes, 'half-up')) / 10 ** digits;
}

function maybe<Amount extends bigint>(text: string | null): Amount | null {
  return text === null ? null : (BigInt(text) as Amount);
}
