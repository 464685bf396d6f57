import type { Cluster } from '../../../fraud/links/clusters.ts';
import type { CaseWallet, MintCase } from '../../../model/mint-case.ts';
import { type Feature, featuresOf } from '../feature.ts';
import type { JudgedCase } from './judged-case.ts';

const { amount, bool, count, number, share } = featuresOf<JudgedCase>();

const LAMPORTS_PER_SOL = 1e9;
const SINCE = { since: 2 } as const;
/** Sums over all trades are made once for all features and rules. */
const SUM = { since: 2, cost: 20 } as const;
/** Clusters are those that detectors compute too, or one more run of the same search. */
const CLUSTERS = { since: 2, cost: 200 } as const;

/**
 * Of a case, whatever the pattern. Of a very active token, a case has the first 512 and the newest
 * 1,536 trades, and similar bounds for the rest.
 */
export const CASE_FEATURES: readonly Feature<JudgedCase>[] = [
  amount('minutes')(
    'case.age_minutes',
    'Since the mint was created; unknown for tokens older than the recorded history.',
    ({ mintCase: { launch, timeMs } }) =>
      launch === null ? null : (timeMs - launch.timeMs) / 60_000,
    SINCE,
  ),
  bool(
    'case.is_listed_sale',
    'Whether it was sold to a list before the public could buy; unknown with its launch.',
    ({ mintCase: { launch } }) => launch?.isListedSale ?? null,
    SINCE,
  ),
  bool(
    'case.is_funding_known',
    'Whether payments between wallets are recorded.',
    ({ mintCase }) => mintCase.isFundingKnown,
    SINCE,
  ),
  count('case.trades', 'Trades in the case.', ({ mintCase }) => mintCase.trades.length, SINCE),
  count('case.buys', 'Purchases in the case.', ({ totals }) => totals().buys, SUM),
  count('case.sells', 'Sales in the case.', ({ totals }) => totals().sells, SUM),
  count(
    'case.bundled_buys',
    'Purchases that were placed in a bundle with others.',
    ({ totals }) => totals().bundledBuys,
    SUM,
  ),
  amount('SOL')(
    'case.bought_sol',
    'Paid in all purchases.',
    ({ totals }) => sol(totals().bought),
    SUM,
  ),
  amount('SOL')('case.sold_sol', 'Received in all sales.', ({ totals }) => sol(totals().sold), SUM),
  count('case.wallets', 'Wallets that traded.', ({ totals }) => totals().traders, SUM),
  count(
    'case.organic_wallets',
    'Wallets that traded and are no bots, snipers or insiders.',
    ({ totals }) => totals().organicTraders,
    SUM,
  ),
  count(
    'case.fresh_wallets',
    'Wallets that traded within a day of their first recorded transaction.',
    ({ totals }) => totals().freshTraders,
    SUM,
  ),
  count(
    'case.transfers',
    'Transfers of tokens without a trade.',
    ({ mintCase }) => mintCase.transfers.length,
    SINCE,
  ),
  count('case.locks', 'Deposits with a locker.', ({ mintCase }) => mintCase.locks.length, SINCE),
  amount('SOL')(
    'case.liquidity_out_sol',
    'Taken out of pools as liquidity.',
    ({ totals }) => sol(totals().liquidityOut),
    SUM,
  ),
  count(
    'case.largest_cluster_wallets',
    'Wallets of the largest group of connected wallets; 0 if none are.',
    (judged) => largestOf(judged)?.members.length ?? 0,
    CLUSTERS,
  ),
  share(
    'case.largest_cluster_share',
    'Part of the supply that this group holds.',
    (judged) => heldShare(judged.mintCase, largestOf(judged)?.members ?? []),
    CLUSTERS,
  ),
  share(
    'case.largest_cluster_strength',
    'Mean strength of the links that hold this group together; unknown without one.',
    (judged) => largestOf(judged)?.strength ?? null,
    CLUSTERS,
  ),
  amount('SOL')(
    'market.pool_sol',
    'The most that can be taken out of the pool that prices the token; unknown without one.',
    ({ mintCase: { market } }) => (market === null ? null : sol(market.withdrawableLamports)),
    SINCE,
  ),
  number('bps')(
    'market.fee_bps',
    'Fee of a trade in that pool.',
    ({ mintCase: { market } }) => market?.feeBps ?? null,
    { range: [0, 10_000], since: 2 },
  ),
  amount('USD')(
    'market.sol_usd',
    'Price of SOL.',
    ({ mintCase: { market } }) => market?.solUsd ?? null,
    SINCE,
  ),
  share(
    'creator.balance_share',
    'Part of the supply that the creator holds; unknown with the creator.',
    ({ mintCase }) => {
      const creator = mintCase.launch?.creator ?? null;
      return creator === null ? null : heldShare(mintCase, [creator]);
    },
    SINCE,
  ),
  amount('SOL')(
    'creator.bought_sol',
    'Paid by the creator in purchases; unknown with the creator.',
    (judged) => (creatorOf(judged) === null ? null : sol(judged.totals().creatorBought)),
    SUM,
  ),
  amount('SOL')(
    'creator.sold_sol',
    'Received by the creator in sales; unknown with the creator.',
    (judged) => (creatorOf(judged) === null ? null : sol(judged.totals().creatorSold)),
    SUM,
  ),
  count(
    'creator.prior_bundles',
    'Earlier launches of the creator that were bundled; unknown with the creator.',
    (judged) => creatorOf(judged)?.priorBundles ?? null,
    SINCE,
  ),
];

export function sol(lamports: bigint): number {
  return Number(lamports) / LAMPORTS_PER_SOL;
}

function creatorOf({ mintCase: { launch, wallets } }: JudgedCase): CaseWallet | null {
  const creator = launch?.creator ?? null;
  return creator === null ? null : (wallets.get(creator) ?? null);
}

/** Of several of one size, that with the smallest address. */
function largestOf({ clusters }: JudgedCase): Cluster | null {
  let largest: Cluster | null = null;
  for (const cluster of clusters().all) {
    if (cluster.members.length > (largest?.members.length ?? 0)) largest = cluster;
  }
  return largest;
}

/** Part of the supply that wallets hold; null without a supply. */
export function heldShare(
  { wallets, supplyRaw }: MintCase,
  members: readonly CaseWallet['address'][],
): number | null {
  if (supplyRaw === 0n) return null;
  const heldRaw = members.reduce(
    (sum, wallet) => sum + (wallets.get(wallet)?.balanceRaw ?? 0n),
    0n,
  );
  return Number(heldRaw) / Number(supplyRaw);
}
