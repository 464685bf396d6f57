import type { IndicatorRecord } from '../../model/indicators.ts';
import { isQuoteMint } from '../../model/quote-mints.ts';
import { FIGURE_NAMES, type FigureName } from '../schemas/indicator-figures.ts';
import { formatDigits, formatPrice, formatUsd } from './format-wire.ts';

const RATIO_DIGITS = 4;
const SCORE_DIGITS = 2;

type Present = (record: IndicatorRecord) => string | number | null;

/** Formatter of each pool indicator. */
export const FIGURES = {
  total_wallets: (record) => record.totalWallets,
  organic_wallets: (record) => record.organicWallets,
  organic_profitable_wallets: (record) => record.organicProfitableWallets,
  organic_to_total_wallets_ratio: (record) => ratio(record.organicToTotalWalletsRatio),
  bot_to_total_wallets_ratio: (record) => ratio(record.botToTotalWalletsRatio),
  profitable_organic_to_total_organic_ratio: (record) =>
    ratio(record.profitableOrganicToTotalOrganicRatio),
  total_volume_usd: (record) => formatUsd(record.totalVolumeUsd),
  organic_volume_usd: (record) => formatUsd(record.organicVolumeUsd),
  bot_volume_ratio: (record) => ratio(record.botVolumeRatio),
  organic_volume_ratio: (record) => ratio(record.organicVolumeRatio),
  organic_mean_hold_seconds: (record) => score(record.organicMeanHoldSeconds),
  organic_mean_trade_frequency_seconds: (record) => score(record.organicMeanTradeFrequencySeconds),
  smart_money_score: (record) => score(record.smartMoneyScore),
  price_usd: (record) => formatPrice(record.priceUsd),
  smart_money_influx_10min: (record) => formatUsd(record.smartMoneyInflux10min),
  smart_money_outflux_10min: (record) => formatUsd(record.smartMoneyOutflux10min),
  raw_smart_money_score: (record) => score(record.rawSmartMoneyScore),
  raw_smart_money_influx: (record) => formatUsd(record.rawSmartMoneyInflux),
  raw_smart_money_outflux: (record) => formatUsd(record.rawSmartMoneyOutflux),
  smart_holders: (record) => (areHoldersKept(record) ? record.smartHolders : null),
  raw_holders: (record) => (areHoldersKept(record) ? record.rawHolders : null),
  smart_to_raw_holders_ratio: (record) =>
    areHoldersKept(record) ? ratio(record.smartToRawHoldersRatio) : null,
  profitable_volume: (record) => formatUsd(record.profitableVolume),
  profitable_volume_total_volume_ratio: (record) => ratio(record.profitableVolumeTotalVolumeRatio),
} as const satisfies Readonly<Record<FigureName, Present>>;

export type WireFigures = { [Name in FigureName]: ReturnType<(typeof FIGURES)[Name]> };

/** All indicators, in wire order. */
export function presentFigures(record: IndicatorRecord): WireFigures {
  return pickFigures(record, FIGURE_NAMES) as WireFigures;
}

/** Selected indicators, in the order of `names`. */
export function pickFigures(
  record: IndicatorRecord,
  names: readonly FigureName[],
): Partial<WireFigures> {
  const figures: Record<string, string | number | null> = {};
  for (const name of names) figures[name] = FIGURES[name](record);
  return figures as Partial<WireFigures>;
}

/** Holders are not tracked for quote mints. */
function areHoldersKept({ baseMint }: IndicatorRecord): boolean {
  return !isQuoteMint(baseMint);
}

function ratio(value: number): string;
function ratio(value: number | null): string | null;
function ratio(value: number | null): string | null {
  return formatDigits(value, RATIO_DIGITS);
}

function score(value: number): string;
function score(value: number | null): string | null;
function score(value: number | null): string | null {
  return formatDigits(value, SCORE_DIGITS);
}
