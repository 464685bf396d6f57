import type { HolderCount, HolderCountQuery } from '../model/holder-counts.ts';
import type { Address } from '../model/units.ts';
import type { CurrentIndicators } from './current-indicators.ts';

/**
 * Holders of a token over time. Every pool's minute has the holders of its token at its end, so
 * the minutes of all pools are samples of the same count: the newest of each bucket counts.
 */
export async function currentHolderCounts(
  indicators: Pick<CurrentIndicators, 'history'>,
  pools: readonly Address[],
  { fromMs, toMs, intervalMs, untilMs }: HolderCountQuery,
): Promise<HolderCount[]> {
  const range = { fromMs, toMs, intervalMs, untilMs };
  const histories = await Promise.all(pools.map((pool) => indicators.history({ ...range, pool })));
  const newest = new Map<number, (typeof histories)[number][number]>();
  for (const bucket of histories.flat()) {
    const known = newest.get(bucket.openMs);
    if (known === undefined || known.record.slot < bucket.record.slot) {
      newest.set(bucket.openMs, bucket);
    }
  }
  return [...newest.values()]
    .sort((one, other) => one.openMs - other.openMs)
    .map(({ openMs, record: { slot, rawHolders: holders } }) => ({ openMs, slot, holders }));
}
