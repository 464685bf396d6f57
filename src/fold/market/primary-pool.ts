import type { Venue } from '../../model/program.ts';

/** A challenger needs more than 11 / 10 of the current primary pool's liquidity. */
const CHALLENGER_TENTHS = 11n;
const CURRENT_TENTHS = 10n;

/**
 * Chooses the pool that determines a token's price (METHODS §0.4): the one with the largest quote
 * liquidity in USD. The current pool stays until another one has more than 1.1 times as much, to
 * avoid alternation between similar pools. While no liquidity is known in USD, it is the pool seen
 * first. A migrated pool is ignored as soon as there is another one. An inferred pool is eligible
 * only if all pools are inferred, because anyone can make transfers look like a swap.
 *
 * `pools` are in order of first sight; `usdOf` is null while a pool's liquidity is unknown. Null
 * for no pools.
 */
export function choosePrimary<Pool extends Candidate>(
  pools: readonly Pool[],
  current: Pool | null,
  usdOf: (pool: Pool) => bigint | null,
): Pool | null {
  if (pools.length === 1) return pools[0] ?? null;
  const known = pools.filter(isKnown);
  if (known.length === 0 || known.length === pools.length) return chooseOf(pools, current, usdOf);
  return chooseOf(known, current !== null && isKnown(current) ? current : null, usdOf);
}

interface Candidate {
  readonly venue: Venue;
  readonly migratedTo: unknown;
}

function isKnown({ venue }: Candidate): boolean {
  return venue !== 'inferred';
}

function chooseOf<Pool extends Candidate>(
  pools: readonly Pool[],
  current: Pool | null,
  usdOf: (pool: Pool) => bigint | null,
): Pool | null {
  const open = pools.filter(({ migratedTo }) => migratedTo === null);
  const isCurrentOpen = current !== null && current.migratedTo === null;
  const start = isCurrentOpen ? current : (open[0] ?? current ?? pools[0] ?? null);
  if (start === null) return null;
  return largestOf(open, start, usdOf);
}

function largestOf<Pool>(
  pools: readonly Pool[],
  start: Pool,
  usdOf: (pool: Pool) => bigint | null,
): Pool {
  const startUsd = usdOf(start);
  let best = start;
  let bestUsd = startUsd;
  for (const pool of pools) {
    const usd = usdOf(pool);
    if (usd === null || !overtakes(usd, startUsd)) continue;
    if (bestUsd !== null && usd <= bestUsd) continue;
    best = pool;
    bestUsd = usd;
  }
  return best;
}

function overtakes(challenger: bigint, current: bigint | null): boolean {
  return current === null || challenger * CURRENT_TENTHS > current * CHALLENGER_TENTHS;
}
