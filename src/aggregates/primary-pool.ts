/** A pool as the choice sees it. */
export interface PrimaryCandidate {
  /** Real quote reserves in USD times 10^9; null while unknown. */
  readonly quoteUsdNano: bigint | null;
}

/** A challenger must hold this much more than the holder of the title: 11 / 10. */
const CHALLENGER_TENTHS = 11n;
const HOLDER_TENTHS = 10n;

/**
 * The pool that gives a token its price (METHODS §0.4): the largest real quote liquidity in USD.
 * The one that has been it stays until another holds more than 1.1 times as much, so that two
 * similar pools do not take turns. While no pool's liquidity is known in USD, it is the pool that
 * was seen first. `pools` are in order of first sight; null for none.
 */
export function choosePrimary<Pool extends PrimaryCandidate>(
  pools: readonly Pool[],
  current: Pool | null,
): Pool | null {
  let best = current ?? pools[0] ?? null;
  if (best === null) return null;
  const held = best.quoteUsdNano;
  for (const pool of pools) {
    if (pool.quoteUsdNano === null || !overtakes(pool.quoteUsdNano, held)) continue;
    if (best.quoteUsdNano === null || pool.quoteUsdNano > best.quoteUsdNano) best = pool;
  }
  return best;
}

function overtakes(challenger: bigint, held: bigint | null): boolean {
  return held === null || challenger * HOLDER_TENTHS > held * CHALLENGER_TENTHS;
}
