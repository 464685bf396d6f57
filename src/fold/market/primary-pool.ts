import type { Venue } from '../../model/program.ts';

/** A challenger must hold this much more than the holder of the title: 11 / 10. */
const CHALLENGER_TENTHS = 11n;
const HOLDER_TENTHS = 10n;

/**
 * The pool that gives a token its price (METHODS §0.4): the largest quote liquidity in USD.
 * The one that has been it stays until another holds more than 1.1 times as much, so that two
 * similar pools do not take turns. While no pool's liquidity is known in USD, it is the pool that
 * was seen first. A pool that migrated is out of the race as soon as another is in it. An inferred
 * pool is in it only while no known one is: anybody can make transfers look like a swap.
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
  const held = usdOf(start);
  let best = start;
  let bestUsd = held;
  for (const pool of pools) {
    const usd = usdOf(pool);
    if (usd === null || !overtakes(usd, held)) continue;
    if (bestUsd !== null && usd <= bestUsd) continue;
    best = pool;
    bestUsd = usd;
  }
  return best;
}

function overtakes(challenger: bigint, held: bigint | null): boolean {
  return held === null || challenger * HOLDER_TENTHS > held * CHALLENGER_TENTHS;
}
