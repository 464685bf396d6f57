import { toDollars } from '../../signals/features/feature-windows.ts';
import { ratio, usd } from '../../signals/features/features.ts';
import type { MinuteFacts, ModelReading } from '../../signals/features/signal-model.ts';
import { type Feature, featuresOf } from './feature.ts';

const { amount, bool, count, share, text } = featuresOf<ModelReading>();

/** Of the pool, as of the end of the minute; counts and volumes since its first trade. */
export const POOL_FEATURES: readonly Feature<ModelReading>[] = [
  text(
    'pool.venue',
    'Program of the pool, as `pump` or `raydium_cpmm`.',
    ({ facts }) => facts.pool.venue,
  ),
  text(
    'pool.quote_mint',
    'Address of the mint that the token is paid in.',
    ({ facts }) => facts.pool.quoteMint,
  ),
  bool(
    'pool.is_primary',
    'Whether the pool gives the token its price.',
    ({ facts }) => facts.token.primaryPool === facts.pool.pool,
  ),
  bool(
    'pool.is_curve',
    'Whether it is a bonding curve that is not complete.',
    ({ facts }) => facts.isCurve,
  ),
  amount('minutes')('pool.age_minutes', 'Since the pool was first seen.', ({ facts }) =>
    minutesSince(facts, facts.pool.firstSeenMs),
  ),
  amount('USD')('pool.price_usd', 'Robust price.', ({ facts }) => priceOf(facts.pool.priceUsd)),
  amount('USD')('pool.ath_price_usd', 'Highest robust price ever.', ({ facts }) =>
    priceOf(facts.pool.athPriceUsd),
  ),
  share(
    'pool.drawdown_from_ath',
    'How far the price is below its highest: 0 at the top, 1 at zero.',
    ({ facts }) => drawdownOf(facts),
  ),
  bool(
    'pool.is_price_final',
    'False while a jump of the price awaits confirmation.',
    ({ facts }) => facts.isPriceFinal,
  ),
  amount('USD')('pool.liquidity_usd', 'Value of both sides of the pool.', ({ facts }) =>
    usd(facts.pool.liquidityUsd),
  ),
  share(
    'pool.locked_share',
    'Locked or burned part of the LP tokens; unknown for pools without them.',
    ({ facts }) => lockedShare(facts),
  ),
  bool(
    'pool.is_launchpad_locked',
    'Whether the launchpad locked the liquidity at migration.',
    ({ facts }) => facts.isLaunchpadLocked,
  ),
  count('pool.buys', 'Number of purchases.', ({ facts }) => facts.pool.buyCount),
  count('pool.sells', 'Number of sales.', ({ facts }) => facts.pool.sellCount),
  count('pool.swaps', 'Number of swaps.', ({ facts }) => facts.pool.swapCount),
  count('pool.wallets', 'Number of wallets that traded.', ({ facts }) => facts.pool.walletCount),
  amount('USD')('pool.buy_volume_usd', 'Value of all purchases.', ({ facts }) =>
    usd(facts.pool.buyVolumeUsd),
  ),
  amount('USD')('pool.sell_volume_usd', 'Value of all sales.', ({ facts }) =>
    usd(facts.pool.sellVolumeUsd),
  ),
  share('pool.buy_share', 'Part of purchases in the volume.', ({ facts: { pool } }) =>
    ratio(usd(pool.buyVolumeUsd), usd(pool.buyVolumeUsd + pool.sellVolumeUsd)),
  ),
];

function minutesSince({ indicators }: MinuteFacts, sinceMs: number | null): number | null {
  const { createdAtMs } = indicators;
  return sinceMs === null || createdAtMs === null ? null : (createdAtMs - sinceMs) / 60_000;
}

function priceOf(price: MinuteFacts['pool']['priceUsd']): number | null {
  return price === null ? null : toDollars(price);
}

function drawdownOf({ pool: { priceUsd, athPriceUsd } }: MinuteFacts): number | null {
  if (priceUsd === null || athPriceUsd === null || athPriceUsd === 0n) return null;
  return Math.max(0, 1 - toDollars(priceUsd) / toDollars(athPriceUsd));
}

function lockedShare({ pool: { lockedLiquidity } }: MinuteFacts): number | null {
  if (lockedLiquidity === null) return null;
  return ratio(Number(lockedLiquidity.lockedRaw), Number(lockedLiquidity.issuedRaw));
}
