import { Type } from 'typebox';
import { DecimalText, Nullable } from './wire.ts';

const Count = (description: string) => Type.Integer({ description });
const Ratio = (description: string) => DecimalText(`${description} Four decimals.`);
const MaybeRatio = (description: string) =>
  Nullable(Ratio(`${description} Null where it depends on an unknown price.`));
const MaybeUsd = (description: string) =>
  Nullable(
    DecimalText(`${description} US dollars; null while less than 0.9 of the volume is priced.`),
  );

/** The figures of a pool by name, in the order of CONTRACT §2.2. */
export const WIRE_FIGURES = {
  total_wallets: Count('Wallets that traded the pool.'),
  organic_wallets: Count('Those that are people, as far as can be told.'),
  organic_profitable_wallets: Nullable(
    Count('Organic wallets that are ahead; null where it depends on an unknown price.'),
  ),
  organic_to_total_wallets_ratio: Ratio('Organic wallets of all.'),
  bot_to_total_wallets_ratio: Ratio('Bots of all wallets.'),
  profitable_organic_to_total_organic_ratio: MaybeRatio('Organic wallets ahead of all of them.'),
  total_volume_usd: MaybeUsd('Volume of all wallets.'),
  organic_volume_usd: MaybeUsd('Volume of organic wallets.'),
  bot_volume_ratio: MaybeRatio('Volume of bots of all volume.'),
  organic_volume_ratio: MaybeRatio('Volume of organic wallets of all volume.'),
  organic_mean_hold_seconds: Nullable(
    DecimalText('How long organic wallets hold on average; null without one that held.'),
  ),
  organic_mean_trade_frequency_seconds: Nullable(
    DecimalText('Between trades of an organic wallet; null without one that traded twice.'),
  ),
  smart_money_score: DecimalText('From 0 to 100.'),
  price_usd: Nullable(DecimalText('Last price that was allowed to set one.')),
  smart_money_influx_10min: MaybeUsd(
    'Bought by smart wallets in ten minutes, each weighted by its score.',
  ),
  smart_money_outflux_10min: MaybeUsd(
    'Sold by smart wallets in ten minutes, each weighted by its score.',
  ),
  raw_smart_money_score: DecimalText(
    'Scores of smart holders times the logarithm of their stakes, summed.',
  ),
  raw_smart_money_influx: MaybeUsd('The same without weights, insiders and clusters included.'),
  raw_smart_money_outflux: MaybeUsd('The same without weights, insiders and clusters included.'),
  smart_holders: Nullable(
    Count('Smart wallets that hold the token; null for SOL and stablecoins.'),
  ),
  raw_holders: Nullable(Count('Owners that hold the token; null for SOL and stablecoins.')),
  smart_to_raw_holders_ratio: MaybeRatio('Smart holders of all; null for SOL and stablecoins.'),
  profitable_volume: MaybeUsd('Volume of wallets that are ahead.'),
  profitable_volume_total_volume_ratio: MaybeRatio('Volume of wallets ahead of all volume.'),
};

/** A figure by its name on the wire. */
export type FigureName = keyof typeof WIRE_FIGURES;

export const FIGURE_NAMES = Object.keys(WIRE_FIGURES) as FigureName[];

/** One example of them. */
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
