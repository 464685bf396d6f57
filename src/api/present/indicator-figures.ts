import type { IndicatorRecord } from '../../model/indicators.ts';
import { isQuoteMint } from '../../model/quote-mints.ts';
import { integer, nullable, price, rounded, usd } from './wire-kinds.ts';
import { presentersOf, type Wire, wireRecord } from './wire-record.ts';

const ratio = rounded(4);
const score = rounded(2);

/** Names of the figures of one type. */
type Figure<Value> = {
  [Name in keyof IndicatorRecord]: IndicatorRecord[Name] extends Value ? Name : never;
}[keyof IndicatorRecord];

/**
 * A ratio to a whole figure, null if that is unknown or 0 (CONTRACT §4.1): so the two ratios of a
 * pair are null together.
 */
const ratioTo = (
  whole: Figure<number | bigint | null>,
  name: Figure<number | null>,
  description: string,
) =>
  [
    nullable(ratio),
    (record: IndicatorRecord) => (isPositive(record[whole]) ? record[name] : null),
    `${description} Four decimals.`,
  ] as const;

function isPositive(whole: number | bigint | null): boolean {
  return whole !== null && whole > 0;
}

const OF_PRICE = 'Null when it depends on an unknown price, and';

const maybeUsd = (name: Figure<IndicatorRecord['totalVolumeUsd']>, description: string) =>
  [
    nullable(usd),
    name,
    `${description} In US dollars; null while less than 90 % of the volume is priced.`,
  ] as const;

/** A figure about holders, which are not tracked for quote mints. */
const ofHolders = (name: Figure<number | null>) => (record: IndicatorRecord) =>
  isQuoteMint(record.baseMint) ? null : record[name];

/** Indicators of a pool that precede the social figures and timestamps in CONTRACT §2.2. */
export const LeadingFigures = wireRecord<IndicatorRecord>()({
  total_wallets: [integer, 'totalWallets', 'Number of wallets that traded in the pool.'],
  organic_wallets: [integer, 'organicWallets', 'Number of wallets not classified as bots.'],
  organic_profitable_wallets: [
    nullable(integer),
    'organicProfitableWallets',
    'Number of organic wallets in profit; null when it depends on an unknown price.',
  ],
  organic_to_total_wallets_ratio: ratioTo(
    'totalWallets',
    'organicToTotalWalletsRatio',
    'Organic wallets divided by all wallets; null without wallets.',
  ),
  bot_to_total_wallets_ratio: ratioTo(
    'totalWallets',
    'botToTotalWalletsRatio',
    'Bots divided by all wallets; null without wallets.',
  ),
  profitable_organic_to_total_organic_ratio: ratioTo(
    'organicWallets',
    'profitableOrganicToTotalOrganicRatio',
    `Organic wallets in profit divided by all organic wallets. ${OF_PRICE} without organic wallets.`,
  ),
  total_volume_usd: maybeUsd('totalVolumeUsd', 'Trading volume of all wallets.'),
  organic_volume_usd: maybeUsd('organicVolumeUsd', 'Trading volume of organic wallets.'),
  bot_volume_ratio: ratioTo(
    'totalVolumeUsd',
    'botVolumeRatio',
    `Bot volume divided by total volume. ${OF_PRICE} without volume.`,
  ),
  organic_volume_ratio: ratioTo(
    'totalVolumeUsd',
    'organicVolumeRatio',
    `Organic volume divided by total volume. ${OF_PRICE} without volume.`,
  ),
  organic_mean_hold_seconds: [
    nullable(score),
    'organicMeanHoldSeconds',
    'Mean holding time of organic wallets, in seconds; null if no organic wallet held the token.',
  ],
  organic_mean_trade_frequency_seconds: [
    nullable(score),
    'organicMeanTradeFrequencySeconds',
    'Mean time between trades of an organic wallet, in seconds; null if none traded twice.',
  ],
  smart_money_score: [score, 'smartMoneyScore', 'Smart money score, from 0 to 100.'],
  price_usd: [nullable(price), 'priceUsd', 'Most recent price set by an eligible trade.'],
});

/** Indicators that follow the social figures and timestamps. */
export const TrailingFigures = wireRecord<IndicatorRecord>()({
  smart_money_influx_10min: maybeUsd(
    'smartMoneyInflux10min',
    'Purchases by smart wallets in the last ten minutes, weighted by wallet score.',
  ),
  smart_money_outflux_10min: maybeUsd(
    'smartMoneyOutflux10min',
    'Sales by smart wallets in the last ten minutes, weighted by wallet score.',
  ),
  raw_smart_money_score: [
    score,
    'rawSmartMoneyScore',
    'Sum over smart holders of score times the logarithm of the stake.',
  ],
  raw_smart_money_influx: maybeUsd(
    'rawSmartMoneyInflux',
    'As smart_money_influx_10min, but unweighted and including insiders and clusters.',
  ),
  raw_smart_money_outflux: maybeUsd(
    'rawSmartMoneyOutflux',
    'As smart_money_outflux_10min, but unweighted and including insiders and clusters.',
  ),
  smart_holders: [
    nullable(integer),
    ofHolders('smartHolders'),
    'Number of smart wallets that hold the token; null for SOL and stablecoins.',
  ],
  raw_holders: [
    nullable(integer),
    ofHolders('rawHolders'),
    'Number of owners that hold the token; null for SOL and stablecoins.',
  ],
  smart_to_raw_holders_ratio: [
    nullable(ratio),
    (record) => (record.rawHolders > 0 ? ofHolders('smartToRawHoldersRatio')(record) : null),
    'Smart holders divided by all holders; null for SOL and stablecoins, and without holders. ' +
      'Four decimals.',
  ],
  profitable_volume: maybeUsd('profitableVolume', 'Trading volume of wallets in profit.'),
  profitable_volume_total_volume_ratio: ratioTo(
    'totalVolumeUsd',
    'profitableVolumeTotalVolumeRatio',
    `Volume of wallets in profit divided by total volume. ${OF_PRICE} without volume.`,
  ),
});

/** Indicators of a pool, in the order of CONTRACT §2.2. */
export const Figures = wireRecord<IndicatorRecord>()({
  ...LeadingFigures.fields,
  ...TrailingFigures.fields,
});

export type WireFigures = Wire<typeof Figures>;
/** Wire name of an indicator. */
export type FigureName = keyof WireFigures;

export const FIGURE_NAMES = Object.keys(Figures.fields) as FigureName[];

/** Presenter of each indicator. */
export const FIGURE_PRESENTERS = presentersOf(Figures);

/** Selected indicators, in the order of `names`. */
export function pickFigures(
  record: IndicatorRecord,
  names: readonly FigureName[],
): Partial<WireFigures> {
  const figures: Record<string, string | number | null> = {};
  for (const name of names) figures[name] = FIGURE_PRESENTERS[name](record);
  return figures as Partial<WireFigures>;
}

export const FIGURES_EXAMPLE: WireFigures = {
  total_wallets: 1824,
  organic_wallets: 1225,
  organic_profitable_wallets: 512,
  organic_to_total_wallets_ratio: '0.6716',
  bot_to_total_wallets_ratio: '0.3284',
  profitable_organic_to_total_organic_ratio: '0.4180',
  total_volume_usd: '1284729.47',
  organic_volume_usd: '611531.23',
  bot_volume_ratio: '0.5240',
  organic_volume_ratio: '0.4760',
  organic_mean_hold_seconds: '3847.25',
  organic_mean_trade_frequency_seconds: '612.40',
  smart_money_score: '72.45',
  price_usd: '0.000346289',
  smart_money_influx_10min: '1840.00',
  smart_money_outflux_10min: '310.50',
  raw_smart_money_score: '58.10',
  raw_smart_money_influx: '9120.75',
  raw_smart_money_outflux: '7044.10',
  smart_holders: 14,
  raw_holders: 847,
  smart_to_raw_holders_ratio: '0.0165',
  profitable_volume: '402113.90',
  profitable_volume_total_volume_ratio: '0.3130',
};
