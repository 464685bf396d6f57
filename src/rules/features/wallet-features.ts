import { ratio, usd } from '../../signals/features/features.ts';
import type { ModelReading } from '../../signals/features/signal-model.ts';
import { type Feature, featuresOf } from './feature.ts';

const { amount, count, number, ratio: quotient, share } = featuresOf<ModelReading>();

/** Wallets, volumes and smart money of the pool: the indicators of `GET /v1/indicators`. */
export const WALLET_FEATURES: readonly Feature<ModelReading>[] = [
  count(
    'wallets.total',
    'Wallets that traded.',
    ({ facts: { indicators } }) => indicators.totalWallets,
  ),
  count(
    'wallets.organic',
    'Wallets that are no bots, snipers or insiders.',
    ({ facts: { indicators } }) => indicators.organicWallets,
  ),
  count(
    'wallets.organic_profitable',
    'Organic wallets with a profit.',
    ({ facts: { indicators } }) => indicators.organicProfitableWallets,
  ),
  share(
    'wallets.organic_share',
    'Organic part of all wallets.',
    ({ facts: { indicators } }) => indicators.organicToTotalWalletsRatio,
  ),
  share(
    'wallets.bot_share',
    'Part of bots in all wallets.',
    ({ facts: { indicators } }) => indicators.botToTotalWalletsRatio,
  ),
  share(
    'wallets.profitable_organic_share',
    'Profitable part of organic wallets.',
    ({ facts: { indicators } }) => indicators.profitableOrganicToTotalOrganicRatio,
  ),
  amount('seconds')(
    'wallets.organic_hold_seconds',
    'Mean time that organic wallets held.',
    ({ facts: { indicators } }) => indicators.organicMeanHoldSeconds,
  ),
  amount('seconds')(
    'wallets.organic_interval_seconds',
    'Mean time between two trades of an organic wallet.',
    ({ facts: { indicators } }) => indicators.organicMeanTradeFrequencySeconds,
  ),
  amount('USD')('volume.total_usd', 'Volume of the pool.', ({ facts: { indicators } }) =>
    usd(indicators.totalVolumeUsd),
  ),
  amount('USD')(
    'volume.organic_usd',
    'Volume of wallets that are organic now.',
    ({ facts: { indicators } }) => usd(indicators.organicVolumeUsd),
  ),
  share(
    'volume.organic_share',
    'Organic part of the volume.',
    ({ facts: { indicators } }) => indicators.organicVolumeRatio,
  ),
  share(
    'volume.bot_share',
    'Part of bots in the volume.',
    ({ facts: { indicators } }) => indicators.botVolumeRatio,
  ),
  amount('USD')(
    'volume.profitable_usd',
    'Volume of profitable wallets.',
    ({ facts: { indicators } }) => usd(indicators.profitableVolume),
  ),
  share(
    'volume.profitable_share',
    'Part of profitable wallets in the volume.',
    ({ facts: { indicators } }) => indicators.profitableVolumeTotalVolumeRatio,
  ),
  number('points')(
    'smart.score',
    'Smart money score, organic wallets only.',
    ({ facts: { indicators } }) => indicators.smartMoneyScore,
  ),
  number('points')(
    'smart.raw_score',
    'Smart money score of all wallets.',
    ({ facts: { indicators } }) => indicators.rawSmartMoneyScore,
  ),
  amount('USD')(
    'smart.influx_usd_10m',
    'Weighted purchases of smart money in ten minutes.',
    ({ facts: { indicators } }) => usd(indicators.smartMoneyInflux10min),
  ),
  amount('USD')(
    'smart.outflux_usd_10m',
    'Weighted sales of smart money in ten minutes.',
    ({ facts: { indicators } }) => usd(indicators.smartMoneyOutflux10min),
  ),
  quotient(
    'smart.influx_to_outflux_10m',
    'Their quotient, at most 1,000.',
    ({ facts: { indicators } }) =>
      ratio(usd(indicators.smartMoneyInflux10min), usd(indicators.smartMoneyOutflux10min)),
  ),
  quotient(
    'smart.influx_to_liquidity_10m',
    'Influx of ten minutes by the liquidity of the pool.',
    ({ facts: { indicators, pool } }) =>
      ratio(usd(indicators.smartMoneyInflux10min), usd(pool.liquidityUsd)),
  ),
  amount('USD')(
    'smart.raw_influx_usd_10m',
    'Purchases of smart money in ten minutes, without weights.',
    ({ facts: { indicators } }) => usd(indicators.rawSmartMoneyInflux),
  ),
  amount('USD')(
    'smart.raw_outflux_usd_10m',
    'Sales of smart money in ten minutes, without weights.',
    ({ facts: { indicators } }) => usd(indicators.rawSmartMoneyOutflux),
  ),
  count(
    'smart.holders',
    'Smart wallets that hold the token.',
    ({ facts: { indicators } }) => indicators.smartHolders,
  ),
  count(
    'smart.all_holders',
    'Wallets that hold the token.',
    ({ facts: { indicators } }) => indicators.rawHolders,
  ),
  share(
    'smart.holders_share',
    'Smart part of all holders.',
    ({ facts: { indicators } }) => indicators.smartToRawHoldersRatio,
  ),
];
