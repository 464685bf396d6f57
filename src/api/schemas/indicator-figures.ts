import { Type } from 'typebox';
import { DecimalText, Nullable } from './wire.ts';

const Count = (description: string) => Type.Integer({ description });
const Ratio = (description: string) => DecimalText(`${description} Four decimals.`);
const MaybeRatio = (description: string) =>
  Nullable(Ratio(`${description} Null when it depends on an unknown price.`));
const MaybeUsd = (description: string) =>
  Nullable(
    DecimalText(`${description} In US dollars; null while less than 90 % of the volume is priced.`),
  );

/** Indicators of a pool by wire name, in the order of CONTRACT §2.2. */
export const WIRE_FIGURES = {
  total_wallets: Count('Number of wallets that traded in the pool.'),
  organic_wallets: Count('Number of wallets not classified as bots.'),
  organic_profitable_wallets: Nullable(
    Count('Number of organic wallets in profit; null when it depends on an unknown price.'),
  ),
  organic_to_total_wallets_ratio: Ratio('Organic wallets divided by all wallets.'),
  bot_to_total_wallets_ratio: Ratio('Bots divided by all wallets.'),
  profitable_organic_to_total_organic_ratio: MaybeRatio(
    'Organic wallets in profit divided by all organic wallets.',
  ),
  total_volume_usd: MaybeUsd('Trading volume of all wallets.'),
  organic_volume_usd: MaybeUsd('Trading volume of organic wallets.'),
  bot_volume_ratio: MaybeRatio('Bot volume divided by total volume.'),
  organic_volume_ratio: MaybeRatio('Organic volume divided by total volume.'),
  organic_mean_hold_seconds: Nullable(
    DecimalText(
      'Mean holding time of organic wallets, in seconds; null if no organic wallet held the token.',
    ),
  ),
  organic_mean_trade_frequency_seconds: Nullable(
    DecimalText(
      'Mean time between trades of an organic wallet, in seconds; null if none traded twice.',
    ),
  ),
  smart_money_score: DecimalText('Smart money score, from 0 to 100.'),
  price_usd: Nullable(DecimalText('Most recent price set by an eligible trade.')),
  smart_money_influx_10min: MaybeUsd(
    'Purchases by smart wallets in the last ten minutes, weighted by wallet score.',
  ),
  smart_money_outflux_10min: MaybeUsd(
    'Sales by smart wallets in the last ten minutes, weighted by wallet score.',
  ),
  raw_smart_money_score: DecimalText(
    'Sum over smart holders of score times the logarithm of the stake.',
  ),
  raw_smart_money_influx: MaybeUsd(
    'As smart_money_influx_10min, but unweighted and including insiders and clusters.',
  ),
  raw_smart_money_outflux: MaybeUsd(
    'As smart_money_outflux_10min, but unweighted and including insiders and clusters.',
  ),
  smart_holders: Nullable(
    Count('Number of smart wallets that hold the token; null for SOL and stablecoins.'),
  ),
  raw_holders: Nullable(
    Count('Number of owners that hold the token; null for SOL and stablecoins.'),
  ),
  smart_to_raw_holders_ratio: MaybeRatio(
    'Smart holders divided by all holders; null for SOL and stablecoins.',
  ),
  profitable_volume: MaybeUsd('Trading volume of wallets in profit.'),
  profitable_volume_total_volume_ratio: MaybeRatio(
    'Volume of wallets in profit divided by total volume.',
  ),
};

/** Wire name of an indicator. */
export type FigureName = keyof typeof WIRE_FIGURES;

export const FIGURE_NAMES = Object.keys(WIRE_FIGURES) as FigureName[];

export const FIGURES_EXAMPLE = {
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
