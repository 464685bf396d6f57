import type { Relationship } from '../../model/fraud.ts';
import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import type { Cluster, Clusters } from '../links/clusters.ts';
import { compareText } from '../readings/block-order.ts';
import { shareOf } from '../readings/shares.ts';
import type { BundleGroup, BundleMember } from './bundle-group.ts';
import { type CommonFunder, findCommonFunders } from './funders.ts';

/** The link that says no more than "from the same exchange at the same time". */
const EXCHANGE_LINK = 'exchange-batch';
/** What a wallet counts that is linked by such alone, in percent (METHODS §7.3, f4). */
const EXCHANGE_PERCENT = 50n;
/** Members that make a source a common one, unless it is the creator. */
const BACKED_MIN = 2;

/** Members of a group that one hand stands behind. */
export interface Backing {
  readonly cluster: Cluster;
  /** By address. */
  readonly members: readonly BundleMember[];
  readonly hasCreator: boolean;
  /** Who paid them, the most common one first; empty where only links tell, or an exchange paid. */
  readonly funders: readonly CommonFunder[];
  /** Whom the evidence names. */
  readonly source: Address;
  readonly relationship: Relationship;
}

export interface GroupFunding {
  /** Part of the group's tokens that is linked to the creator or one source, 0 to 1. */
  readonly share: number;
  /** That source's, then the others by what they hold. */
  readonly backings: readonly Backing[];
}

/**
 * Who stands behind a group: for every cluster that holds the creator and a member, or two members,
 * the part of the group's tokens that is in it. Members who are linked by a batch of withdrawals from
 * one exchange alone count half.
 */
export function findFunding(
  mintCase: MintCase,
  group: BundleGroup,
  clusters: Clusters,
): GroupFunding {
  const creator = mintCase.launch?.creator ?? null;
  const byCluster = Map.groupBy(group.members, ({ wallet }) => clusters.of(wallet));
  const backed = [...byCluster].flatMap(([cluster, members]) => {
    if (cluster === null) return [];
    const hasCreator = creator !== null && clusters.of(creator) === cluster;
    const others = members.filter(({ wallet }) => wallet !== creator);
    if (others.length === 0 || (!hasCreator && others.length < BACKED_MIN)) return [];
    return [{ cluster, members, hasCreator, backedRaw: backedAmount(cluster, members) }];
  });
  backed.sort(
    (one, other) =>
      Number(other.backedRaw - one.backedRaw) || compareText(one.cluster.root, other.cluster.root),
  );
  return {
    share: shareOf(backed[0]?.backedRaw ?? 0n, group.acquiredRaw * 100n),
    backings: backed.map(({ cluster, members, hasCreator }) =>
      toBacking(mintCase, { cluster, members, hasCreator }),
    ),
  };
}

/** Tokens of the members in hundredths, those with nothing but exchange links at half. */
function backedAmount(cluster: Cluster, members: readonly BundleMember[]): bigint {
  const linked = new Set<Address>();
  for (const { one, other, family } of cluster.edges) {
    if (family !== EXCHANGE_LINK) linked.add(one).add(other);
  }
  return members.reduce(
    (sum, { wallet, acquiredRaw }) =>
      sum + acquiredRaw * (linked.has(wallet) ? 100n : EXCHANGE_PERCENT),
    0n,
  );
}

function toBacking(
  mintCase: MintCase,
  { cluster, members, hasCreator }: Pick<Backing, 'cluster' | 'members' | 'hasCreator'>,
): Backing {
  const creator = mintCase.launch?.creator ?? null;
  const isExchangeOnly = cluster.edges.every(({ family }) => family === EXCHANGE_LINK);
  const paidUntil = new Map(members.map(({ wallet, sinceMs }) => [wallet, sinceMs]));
  const funders = isExchangeOnly ? [] : findCommonFunders(mintCase, paidUntil);
  const [strongest] = cluster.edges.toSorted(
    (one, other) =>
      other.strength - one.strength ||
      compareText(one.one, other.one) ||
      compareText(one.other, other.other),
  );
  const named = hasCreator ? creator : null;
  const [funder] = funders;
  return {
    cluster,
    members,
    hasCreator,
    funders,
    source: funder?.funder ?? named ?? strongest?.via ?? cluster.root,
    relationship:
      funder === undefined
        ? (strongest?.relationship ?? 'same_entity')
        : funder.isDirect
          ? 'direct_funding'
          : 'indirect_funding',
  };
}
