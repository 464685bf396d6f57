import type { Cluster } from '../../../fraud/links/clusters.ts';
import type { CaseTrade } from '../../../model/mint-case.ts';
import type { Address, Slot } from '../../../model/units.ts';
import type { JudgedCase } from './judged-case.ts';

/** Clusters of one case that rules judge: those of most wallets. */
export const CLUSTERS_JUDGED_MAX = 100;

/** What the features of a cluster are read from: its case, and what its wallets did. */
export interface JudgedCluster extends JudgedCase {
  readonly cluster: Cluster;
  readonly sums: () => ClusterSums;
}

/** Sums over the trades of a cluster's wallets. */
export interface ClusterSums {
  readonly buys: number;
  readonly sells: number;
  readonly bundledBuys: number;
  /** In lamports. */
  readonly bought: bigint;
  readonly sold: bigint;
  /** In raw units of the token. */
  readonly boughtRaw: bigint;
  readonly soldRaw: bigint;
  /** Wallets that bought, and that sold. */
  readonly buyers: number;
  readonly sellers: number;
  /** The largest number of its wallets that bought in one slot. */
  readonly mostBuyersInSlot: number;
  /** Time of the first purchase; null without one. */
  readonly firstBuyMs: number | null;
  /** Time of the last sale; null without one. */
  readonly lastSellMs: number | null;
}

/**
 * The clusters of a case that rules judge: largest first, of one size by strength and then by
 * address, at most CLUSTERS_JUDGED_MAX. All sums are made in one pass over the trades, when the
 * first of them is needed.
 */
export function judgedClusters(judged: JudgedCase): readonly JudgedCluster[] {
  const clusters = judged
    .clusters()
    .all.toSorted(
      (one, other) =>
        other.members.length - one.members.length ||
        other.strength - one.strength ||
        (one.root < other.root ? -1 : 1),
    )
    .slice(0, CLUSTERS_JUDGED_MAX);
  let sums: ReadonlyMap<Cluster, ClusterSums> | null = null;
  return clusters.map((cluster) => ({
    ...judged,
    cluster,
    sums: () => {
      sums ??= sumsOf(judged, clusters);
      return sums.get(cluster) ?? new RunningSums().finish();
    },
  }));
}

/** Trades of the wallets of a cluster, in block order. */
export function tradesOf({ mintCase, cluster }: JudgedCluster): readonly CaseTrade[] {
  const members = new Set(cluster.members);
  return mintCase.trades.filter(({ wallet }) => members.has(wallet));
}

function sumsOf(
  { mintCase }: JudgedCase,
  clusters: readonly Cluster[],
): ReadonlyMap<Cluster, ClusterSums> {
  const running = clusters.map((cluster) => ({ cluster, sums: new RunningSums() }));
  const byMember = new Map(
    running.flatMap(({ cluster, sums }) => cluster.members.map((member) => [member, sums])),
  );
  for (const trade of mintCase.trades) byMember.get(trade.wallet)?.add(trade);
  return new Map(running.map(({ cluster, sums }) => [cluster, sums.finish()]));
}

class RunningSums {
  private readonly counts = { buys: 0, sells: 0, bundledBuys: 0 };
  private readonly amounts = { bought: 0n, sold: 0n, boughtRaw: 0n, soldRaw: 0n };
  private readonly buyers = new Set<Address>();
  private readonly sellers = new Set<Address>();
  private readonly slotBuyers = new Map<Slot, Set<Address>>();
  private firstBuyMs: number | null = null;
  private lastSellMs: number | null = null;

  add(trade: CaseTrade): void {
    if (trade.side === 'buy') this.addBuy(trade);
    else this.addSell(trade);
  }

  finish(): ClusterSums {
    const { counts, amounts, buyers, sellers, slotBuyers, firstBuyMs, lastSellMs } = this;
    let mostBuyersInSlot = 0;
    for (const { size } of slotBuyers.values()) mostBuyersInSlot = Math.max(mostBuyersInSlot, size);
    return {
      ...{ ...counts, ...amounts, mostBuyersInSlot, firstBuyMs, lastSellMs },
      ...{ buyers: buyers.size, sellers: sellers.size },
    };
  }

  private addBuy({ wallet, slot, timeMs, lamports, baseRaw, group }: CaseTrade): void {
    this.counts.buys++;
    if (group !== null) this.counts.bundledBuys++;
    this.amounts.bought += lamports;
    this.amounts.boughtRaw += baseRaw;
    this.buyers.add(wallet);
    const inSlot = this.slotBuyers.get(slot) ?? new Set();
    this.slotBuyers.set(slot, inSlot.add(wallet));
    this.firstBuyMs ??= timeMs;
  }

  private addSell({ wallet, timeMs, lamports, baseRaw }: CaseTrade): void {
    this.counts.sells++;
    this.amounts.sold += lamports;
    this.amounts.soldRaw += baseRaw;
    this.sellers.add(wallet);
    this.lastSellMs = timeMs;
  }
}
