import { type Feature, featuresOf } from '../feature.ts';
import { heldShare, sol } from './case-features.ts';
import { isFresh } from './judged-case.ts';
import type { ClusterSums, JudgedCluster } from './judged-cluster.ts';

const { amount, bool, count, number, share } = featuresOf<JudgedCluster>();

const SINCE = { since: 3 } as const;
/** Sums over the trades are made once for all clusters, features and rules. */
const SUM = { since: 3, cost: 20 } as const;
/** Each member, or each link, is looked at. */
const EACH = { since: 3, cost: 20 } as const;

const summed =
  (read: (sums: ClusterSums) => number) =>
  ({ sums }: JudgedCluster): number =>
    read(sums());

/** Of one cluster of linked wallets, beside the features of its case. */
export const CLUSTER_FEATURES: readonly Feature<JudgedCluster>[] = [
  count('cluster.wallets', 'Wallets of the cluster.', ({ cluster }) => cluster.members.length, {
    ...SINCE,
    range: [2, null],
  }),
  share(
    'cluster.strength',
    'Mean strength of the links that hold it together.',
    ({ cluster }) => cluster.strength,
    SINCE,
  ),
  share(
    'cluster.weakest_link',
    'Strength of the weakest of these links.',
    ({ cluster }) => cluster.edges.reduce((least, { strength }) => Math.min(least, strength), 1),
    EACH,
  ),
  share(
    'cluster.funding_share',
    'Part of these links that are payments, direct or through others.',
    ({ cluster: { edges } }) =>
      edges.filter(({ relationship }) => relationship.endsWith('_funding')).length / edges.length,
    EACH,
  ),
  bool(
    'cluster.has_creator',
    'Whether the creator of the token is in it; unknown with the creator.',
    ({ cluster, mintCase }) => {
      const creator = mintCase.launch?.creator ?? null;
      return creator === null ? null : cluster.members.includes(creator);
    },
    EACH,
  ),
  share(
    'cluster.held_share',
    'Part of the supply that it holds.',
    ({ cluster, mintCase }) => heldShare(mintCase, cluster.members),
    EACH,
  ),
  number('share')(
    'cluster.bought_share',
    'What it bought, as part of the supply: more than 1 if it bought again what it had sold.',
    ({ mintCase, sums }) => partOf(sums().boughtRaw, mintCase.supplyRaw),
    { ...SUM, range: [0, null] },
  ),
  number('share')(
    'cluster.sold_share',
    'What it sold, as part of the supply: more than 1 if it sold again what it had bought.',
    ({ mintCase, sums }) => partOf(sums().soldRaw, mintCase.supplyRaw),
    { ...SUM, range: [0, null] },
  ),
  share(
    'cluster.volume_share',
    'Part of what was paid and received in all trades of the case; unknown without a volume.',
    ({ sums, totals }) => {
      const { bought, sold } = totals();
      return partOf(sums().bought + sums().sold, bought + sold);
    },
    SUM,
  ),
  count(
    'cluster.buys',
    'Its purchases.',
    summed(({ buys }) => buys),
    SUM,
  ),
  count(
    'cluster.sells',
    'Its sales.',
    summed(({ sells }) => sells),
    SUM,
  ),
  count(
    'cluster.bundled_buys',
    'Its purchases that were placed in a bundle with others, of the cluster or not.',
    summed(({ bundledBuys }) => bundledBuys),
    SUM,
  ),
  amount('SOL')(
    'cluster.bought_sol',
    'Paid in its purchases.',
    summed(({ bought }) => sol(bought)),
    SUM,
  ),
  amount('SOL')(
    'cluster.sold_sol',
    'Received in its sales.',
    summed(({ sold }) => sol(sold)),
    SUM,
  ),
  count(
    'cluster.buyers',
    'Its wallets that bought.',
    summed(({ buyers }) => buyers),
    SUM,
  ),
  count(
    'cluster.sellers',
    'Its wallets that sold.',
    summed(({ sellers }) => sellers),
    SUM,
  ),
  count(
    'cluster.most_buyers_in_slot',
    'The largest number of its wallets that bought in one slot.',
    summed(({ mostBuyersInSlot }) => mostBuyersInSlot),
    SUM,
  ),
  amount('seconds')(
    'cluster.first_buy_seconds',
    'From the creation of the mint to its first purchase; unknown without one, and for tokens older than the recorded history.',
    ({ mintCase: { launch }, sums }) => secondsBetween(launch?.timeMs ?? null, sums().firstBuyMs),
    SUM,
  ),
  amount('seconds')(
    'cluster.last_sale_seconds',
    'Since its last sale; unknown without one.',
    ({ mintCase: { timeMs }, sums }) => secondsBetween(sums().lastSellMs, timeMs),
    SUM,
  ),
  count(
    'cluster.fresh_wallets',
    'Its wallets that were first seen less than a day ago.',
    ({ cluster, mintCase: { wallets, timeMs } }) =>
      cluster.members.filter((member) => isFresh(wallets.get(member), timeMs)).length,
    EACH,
  ),
  count(
    'cluster.organic_wallets',
    'Its wallets that are no bots, snipers or insiders.',
    ({ cluster, mintCase: { wallets } }) =>
      cluster.members.filter((member) => wallets.get(member)?.isOrganic === true).length,
    EACH,
  ),
];

function partOf(part: bigint, whole: bigint): number | null {
  return whole === 0n ? null : Number(part) / Number(whole);
}

function secondsBetween(fromMs: number | null, toMs: number | null): number | null {
  return fromMs === null || toMs === null ? null : (toMs - fromMs) / 1_000;
}
