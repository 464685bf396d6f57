import { formatRounded } from '../../lib/decimal.ts';
import type { PoolListing } from '../../model/market-listing.ts';
import type { LockedLiquidity, PoolRecord } from '../../model/pool-record.ts';
import { effectiveReserves, type PoolSides } from '../../model/reserves.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { formatTokens } from './format-wire.ts';
import { WINDOWS_EXAMPLE, type WindowContext, windows } from './windows-body.ts';
import {
  address,
  decimal,
  flag,
  integer,
  maybeInstant,
  nullable,
  price,
  text,
  unionNull,
  usd,
} from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

/** Both sides of a pool, with the decimals of their mints. */
interface PoolAmounts extends PoolSides {
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
}

const Amounts = wireRecord<PoolAmounts>()(
  {
    base_amount: [
      nullable(decimal),
      ({ base, baseDecimals }) => formatTokens(base, baseDecimals),
      'Whole tokens.',
    ],
    quote_amount: [
      nullable(decimal),
      ({ quote, quoteDecimals }) => formatTokens(quote, quoteDecimals),
      'Whole units of quote_mint.',
    ],
  },
  { title: 'PoolReserves' },
);

const maybeAmounts = unionNull(Amounts);

function amountsOf(pool: PoolRecord, sides: PoolSides | null): PoolAmounts | null {
  const { baseDecimals, quoteDecimals } = pool;
  return sides === null
    ? null
    : { base: sides.base, quote: sides.quote, baseDecimals, quoteDecimals };
}

export const PoolItem = wireRecord<PoolListing, WindowContext>()(
  {
    pair_address: [address, ({ pool }) => pool.pool],
    token_address: [address, ({ pool }) => pool.baseMint],
    quote_mint: [address, ({ pool }) => pool.quoteMint],
    venue: [text, ({ pool }) => pool.venue, 'Program of the pool, as named in /v1/coverage.'],
    creator_address: [nullable(address), ({ pool }) => pool.creator],
    created_slot: [
      nullable(integer),
      ({ pool }) => pool.createdSlot,
      'Null for a pool that is older than the stored history.',
    ],
    first_seen_at: [maybeInstant, ({ pool }) => pool.firstSeenMs],
    last_trade_at: [
      maybeInstant,
      ({ pool }) => pool.lastSwapMs,
      'Null without a trade of known time.',
    ],
    is_primary: [flag, 'isPrimary', 'Whether the pool gives its token the price.'],
    is_curve_complete: [flag, ({ pool }) => pool.isCurveComplete],
    migrated_to: [nullable(address), ({ pool }) => pool.migratedTo, 'Pool that followed a curve.'],
    reserves: [
      maybeAmounts,
      ({ pool }) => amountsOf(pool, pool.reserves),
      'Holdings of the pool; null if unknown.',
    ],
    effective_reserves: [
      maybeAmounts,
      ({ pool }) => amountsOf(pool, pool.reserves && effectiveReserves(pool.reserves)),
      'Reserves that the pool prices with: virtual ones where it has them.',
    ],
    price: [nullable(price), ({ pool }) => pool.price, 'In units of quote_mint.'],
    price_usd: [nullable(price), ({ pool }) => pool.priceUsd],
    liquidity_usd: [nullable(usd), ({ pool }) => pool.liquidityUsd, 'As of the last change.'],
    marketcap_usd: [
      nullable(usd),
      'marketCapUsd',
      'Supply of the token less what burn addresses hold, at the price of this pool.',
    ],
    locked_share: [
      nullable(decimal),
      ({ pool }) => lockedShare(pool.lockedLiquidity),
      'Share of the LP tokens that their owners cannot withdraw; null if unknown, and for pools ' +
        'without LP tokens. Four decimals.',
    ],
    windows: [windows, 'windows', 'Trades on this pool; null while the service starts.'],
  },
  { title: 'Pool' },
);

const SHARE_DIGITS = 4;
const SHARE_SCALE = 9;

/** 0 to 1; null if the LP tokens are unknown, or none are issued. */
function lockedShare(locked: LockedLiquidity | null): string | null {
  if (locked === null || locked.issuedRaw === 0n) return null;
  const share = (locked.lockedRaw * 10n ** BigInt(SHARE_SCALE)) / locked.issuedRaw;
  return formatRounded(share, SHARE_SCALE, SHARE_DIGITS);
}

export const POOL_EXAMPLE = {
  pair_address: EXAMPLE.pool,
  token_address: EXAMPLE.mint,
  quote_mint: 'So11111111111111111111111111111111111111112',
  venue: 'pump_amm',
  creator_address: EXAMPLE.creator,
  created_slot: EXAMPLE.slot,
  first_seen_at: EXAMPLE.instant,
  last_trade_at: EXAMPLE.instant,
  is_primary: true,
  is_curve_complete: false,
  migrated_to: null,
  reserves: { base_amount: '206900000.000000', quote_amount: '84.990359346' },
  effective_reserves: { base_amount: '206900000.000000', quote_amount: '84.990359346' },
  price: '0.000000410779890701',
  price_usd: '0.000082155978',
  liquidity_usd: '33996.14',
  marketcap_usd: '82155.98',
  locked_share: '1.0000',
  windows: WINDOWS_EXAMPLE,
};
