import type { AveragedFigure, IndicatorMinute, IndicatorRecord } from '../../model/indicators.ts';
import { type Address, asUsdNano } from '../../model/units.ts';
import { type Column, int128, numeric, orNull, price, slot, text } from '../sql/columns.ts';
import { columnsOfRecord, describeTable } from '../sql/table.ts';

/** Dollars; null is unknown. */
const dollars = (name: string) => orNull(int128(name, asUsdNano));

const momentFigures = {
  slot: slot('slot'),
  baseMint: text<Address>('base_mint'),
  createdAtMs: orNull(numeric('created_at_ms')),
  totalWallets: numeric('total_wallets'),
  organicWallets: numeric('organic_wallets'),
  organicProfitableWallets: orNull(numeric('organic_profitable_wallets')),
  totalVolumeUsd: dollars('total_volume_usd'),
  organicVolumeUsd: dollars('organic_volume_usd'),
  priceUsd: orNull(price('price_usd')),
  smartMoneyInflux10min: dollars('smart_money_influx_10min'),
  smartMoneyOutflux10min: dollars('smart_money_outflux_10min'),
  rawSmartMoneyInflux: dollars('raw_smart_money_influx'),
  rawSmartMoneyOutflux: dollars('raw_smart_money_outflux'),
  smartHolders: numeric('smart_holders'),
  rawHolders: numeric('raw_holders'),
  profitableVolume: dollars('profitable_volume'),
  tradedOrganicUsd: dollars('traded_organic_usd'),
  tradedProfitableUsd: dollars('traded_profitable_usd'),
  organicToTotalWalletsRatio: numeric('organic_to_total_wallets_ratio'),
  botToTotalWalletsRatio: numeric('bot_to_total_wallets_ratio'),
  profitableOrganicToTotalOrganicRatio: orNull(
    numeric('profitable_organic_to_total_organic_ratio'),
  ),
  botVolumeRatio: orNull(numeric('bot_volume_ratio')),
  organicVolumeRatio: orNull(numeric('organic_volume_ratio')),
  smartToRawHoldersRatio: numeric('smart_to_raw_holders_ratio'),
  profitableVolumeTotalVolumeRatio: orNull(numeric('profitable_volume_total_volume_ratio')),
};

/** Scores and seconds: exact decimals that fit a number. */
export const averagedFigures = {
  organicMeanHoldSeconds: orNull(numeric('organic_mean_hold_seconds')),
  organicMeanTradeFrequencySeconds: orNull(numeric('organic_mean_trade_frequency_seconds')),
  smartMoneyScore: numeric('smart_money_score'),
  rawSmartMoneyScore: numeric('raw_smart_money_score'),
} satisfies { readonly [Figure in AveragedFigure]: Column<IndicatorRecord[Figure]> };

/** The figures that are not averaged over time: a bucket takes them from its last minute. */
export const momentColumns =
  columnsOfRecord<Omit<IndicatorRecord, AveragedFigure | 'pool'>>(momentFigures);

const minuteColumns = columnsOfRecord<IndicatorMinute>({
  minuteMs: numeric('minute_ms'),
  record: columnsOfRecord<IndicatorRecord>({
    pool: text('pool'),
    ...momentFigures,
    ...averagedFigures,
  }),
});

export const indicatorMinuteTable = describeTable({
  name: 'indicator_minutes',
  key: ({ minuteMs, record: { pool } }: IndicatorMinute) => `${pool}/${minuteMs}`,
  columns: minuteColumns,
});

/** Keeps only the newest minute of each pool. */
export const newestIndicatorTable = describeTable({
  name: 'newest_indicators',
  key: ({ record: { pool } }: IndicatorMinute) => pool,
  columns: minuteColumns,
});
