import type { IndicatorMinute, IndicatorRecord } from '../../model/indicators.ts';
import { type Cell, int128OrNull, int256OrNull } from '../sql/cell.ts';
import type { RowWriter } from './row-writer.ts';

type Figure = (minute: IndicatorMinute) => Cell;

const plain =
  (read: (record: IndicatorRecord) => Cell): Figure =>
  ({ record }) =>
    read(record);

const usd =
  (column: string, read: (record: IndicatorRecord) => bigint | null): Figure =>
  ({ record }) =>
    int128OrNull(read(record), `indicator_minutes.${column}`);

const columns: RowWriter<IndicatorMinute>['columns'] = {
  pool: plain(({ pool }) => pool),
  minute_ms: ({ minuteMs }) => minuteMs,
  slot: plain(({ slot }) => slot),
  base_mint: plain(({ baseMint }) => baseMint),
  created_at_ms: plain(({ createdAtMs }) => createdAtMs),
  total_wallets: plain(({ totalWallets }) => totalWallets),
  organic_wallets: plain(({ organicWallets }) => organicWallets),
  organic_profitable_wallets: plain((record) => record.organicProfitableWallets),
  organic_to_total_wallets_ratio: plain((record) => record.organicToTotalWalletsRatio),
  bot_to_total_wallets_ratio: plain((record) => record.botToTotalWalletsRatio),
  profitable_organic_to_total_organic_ratio: plain(
    (record) => record.profitableOrganicToTotalOrganicRatio,
  ),
  total_volume_usd: usd('total_volume_usd', (record) => record.totalVolumeUsd),
  organic_volume_usd: usd('organic_volume_usd', (record) => record.organicVolumeUsd),
  bot_volume_ratio: plain(({ botVolumeRatio }) => botVolumeRatio),
  organic_volume_ratio: plain(({ organicVolumeRatio }) => organicVolumeRatio),
  organic_mean_hold_seconds: plain((record) => record.organicMeanHoldSeconds),
  organic_mean_trade_frequency_seconds: plain((record) => record.organicMeanTradeFrequencySeconds),
  price_usd: plain(({ priceUsd }) => int256OrNull(priceUsd)),
  smart_money_score: plain(({ smartMoneyScore }) => smartMoneyScore),
  raw_smart_money_score: plain(({ rawSmartMoneyScore }) => rawSmartMoneyScore),
  smart_money_influx_10min: usd('influx', (record) => record.smartMoneyInflux10min),
  smart_money_outflux_10min: usd('outflux', (record) => record.smartMoneyOutflux10min),
  raw_smart_money_influx: usd('raw_influx', (record) => record.rawSmartMoneyInflux),
  raw_smart_money_outflux: usd('raw_outflux', (record) => record.rawSmartMoneyOutflux),
  smart_holders: plain(({ smartHolders }) => smartHolders),
  raw_holders: plain(({ rawHolders }) => rawHolders),
  smart_to_raw_holders_ratio: plain((record) => record.smartToRawHoldersRatio),
  profitable_volume: usd('profitable_volume', (record) => record.profitableVolume),
  profitable_volume_total_volume_ratio: plain((record) => record.profitableVolumeTotalVolumeRatio),
};

export const indicatorMinuteRows: RowWriter<IndicatorMinute> = {
  table: 'indicator_minutes',
  key: ({ minuteMs, record }) => `${record.pool}/${minuteMs}`,
  columns,
};

/** Keeps only the newest minute of each pool. */
export const newestIndicatorRows: RowWriter<IndicatorMinute> = {
  table: 'newest_indicators',
  key: ({ record }) => record.pool,
  columns,
};
