import type { CaseTrade } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import type { Cluster, Clusters } from '../links/clusters.ts';
import { byChainOrder, compareText } from '../readings/block-order.ts';

/** Minimum number of owners in a cohort (METHODS §3, level L3). */
export const COHORT_OWNERS_MIN = 3;
/** Slots within which they buy: one slot, or two adjacent ones. */
export const COHORT_SLOTS = 2;

/** Buys by wallets of one cluster within a few slots. */
export interface LinkedCohort {
  readonly cluster: Cluster;
  /** In block order. */
  readonly buys: readonly CaseTrade[];
}

/**
 * Groups of level L3: at least three owners of one cluster that buy within `spanSlots` slots. Of
 * overlapping spans, the one with most owners is used (ties: the earlier one); a buy is in at most
 * one cohort. `buys` must be in block order; cohorts are ordered by their first buys.
 */
export function findLinkedCohorts(
  buys: readonly CaseTrade[],
  clusters: Clusters,
  spanSlots: number,
): LinkedCohort[] {
  const cohorts: LinkedCohort[] = [];
  for (const [cluster, ordered] of byCluster(buys, clusters)) {
    const open = [ordered];
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      const span = widestSpan(part, spanSlots);
      if (span === null) continue;
      cohorts.push({ cluster, buys: part.slice(span.start, span.end) });
      open.push(part.slice(0, span.start), part.slice(span.end));
    }
  }
  return cohorts.sort(byFirstBuy);
}

function byCluster(buys: readonly CaseTrade[], clusters: Clusters): Map<Cluster, CaseTrade[]> {
  const found = new Map<Cluster, CaseTrade[]>();
  for (const buy of buys) {
    const cluster = clusters.of(buy.wallet);
    if (cluster === null) continue;
    const known = found.get(cluster);
    if (known === undefined) found.set(cluster, [buy]);
    else known.push(buy);
  }
  return found;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly owners: number;
}

/** The span of buys in block order with most owners; null when none has enough. */
function widestSpan(buys: readonly CaseTrade[], spanSlots: number): Span | null {
  const counts = new Map<Address, number>();
  let widest: Span | null = null;
  let end = 0;
  for (const [start, first] of buys.entries()) {
    for (let next = buys[end]; next && next.slot < first.slot + spanSlots; next = buys[++end]) {
      counts.set(next.wallet, (counts.get(next.wallet) ?? 0) + 1);
    }
    const owners = counts.size;
    if (owners >= COHORT_OWNERS_MIN && owners > (widest?.owners ?? 0)) {
      widest = { start, end, owners };
    }
    const left = (counts.get(first.wallet) ?? 0) - 1;
    if (left > 0) counts.set(first.wallet, left);
    else counts.delete(first.wallet);
  }
  return widest;
}

function byFirstBuy(one: LinkedCohort, other: LinkedCohort): number {
  const [[first], [second]] = [one.buys, other.buys];
  if (first === undefined || second === undefined) throw new Error('a cohort without a buy');
  return byChainOrder(first, second) || compareText(one.cluster.root, other.cluster.root);
}
