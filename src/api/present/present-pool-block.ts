import { formatRounded } from '../../lib/decimal.ts';
import { type PoolFigures, poolFiguresOf } from '../../model/pool-figures.ts';
import type { LockedLiquidity, PoolRecord } from '../../model/pool-record.ts';
import { DEX_NAME_OF_VENUE, WRAPPED_SOL } from '../../model/program.ts';
import type { PriceE18 } from '../../model/units.ts';
import { formatTokens } from './format-wire.ts';
import { FiredPool } from './present-trigger.ts';
import { flag, nullable, price } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

interface PoolWithFigures extends PoolFigures {
  readonly record: PoolRecord;
}

const { pair_address, token_address, sol_amount, token_amount, ...trades } = FiredPool.fields;

/** A pool in the market data stream, keys in the order of CONTRACT §3. */
export const StreamedPool = wireRecord<PoolWithFigures, PriceE18 | null>()({
  pair_address,
  token_address,
  is_liquidity_locked: [
    nullable(flag),
    ({ record }) => isLocked(record.lockedLiquidity),
    'Whether at least 90 % of the LP tokens are locked; null if unknown.',
  ],
  sol_amount,
  token_amount,
  sol_price_usd: [nullable(price), (_, solUsd) => solUsd],
  price_sol: [
    nullable(price),
    ({ record }) => (record.quoteMint === WRAPPED_SOL ? record.price : null),
    'Null if the pool is not paid in SOL.',
  ],
  price_usd: [nullable(price), ({ record }) => record.priceUsd],
  ...trades,
  ath_token_price_usd: [nullable(price), ({ record }) => record.athPriceUsd],
});

export function presentStreamedPool(pool: PoolRecord, solUsd: PriceE18 | null) {
  return StreamedPool.present({ ...poolFiguresOf(pool), record: pool }, solUsd);
}

/** The pool as the token and the money it is paid in. */
export function presentPoolSides(pool: PoolRecord) {
  const { baseMint, quoteMint, baseDecimals, quoteDecimals, reserves } = pool;
  const base = {
    address: baseMint,
    amount: formatTokens(reserves?.base ?? null, baseDecimals),
  };
  const quote = {
    address: quoteMint,
    amount: formatTokens(reserves?.quote ?? null, quoteDecimals),
  };
  return baseMint === WRAPPED_SOL ? { money: base, token: quote } : { money: quote, token: base };
}

export function dexNameOf({ venue }: PoolRecord): string {
  return DEX_NAME_OF_VENUE[venue];
}

/** Percentage of a pool's LP tokens that are locked, with two decimals. */
export function formatLockedPercent(locked: LockedLiquidity | null): string | null {
  if (locked === null || locked.issuedRaw === 0n) return null;
  // Four digits of the share equal two of the percentage.
  const share = (locked.lockedRaw * 1_000_000n) / locked.issuedRaw;
  return formatRounded(share, 4, 2);
}

/** Whether at least 90 % of the LP tokens are locked (METHODS §1.1); null if unknown. */
function isLocked(locked: LockedLiquidity | null): boolean | null {
  if (locked === null || locked.issuedRaw === 0n) return null;
  return locked.lockedRaw * 10n >= locked.issuedRaw * 9n;
}
