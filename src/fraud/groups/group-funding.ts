import type { Relationship } from '../../model/fraud.ts';
import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import type { Cluster, Clusters } from '../links/clusters.ts';
import { compareText } from '../readings/block-order.ts';
import { shareOf } from '../readings/shares.ts';
import type { BundleGroup, BundleMember } from './bundle-group.ts';
import { type CommonFunder, findCommonFunders } from './funders.ts';

/** The link family that shows only withdrawals from the same exchange at the same time. */
export const EXCHANGE_LINK = 'exchange-batch';
/** Weight in percent of a wallet that has only such links (METHODS §7.3, f4). */
const EXCHANGE_PERCENT = 50n;
/** Minimum number of members behind a common source other than the creator. */
const BACKED_MIN = 2;

/** Members of a group with a common source. */
export interface Backing {
  readonly cluster: Cluster;
  /** By address. */
  readonly members: readonly BundleMember[];
  readonly hasCreator: boolean;
  /**
   * Their common funders, widest reach first; empty when only links or an exchange connect them.
   */
  readonly funders: readonly CommonFunder[];
  /** The source named in the evidence. */
  readonly source: Address;
  readonly relationship: Relationship;
}

export interface GroupFunding {
  /** Part of the group's tokens that is linked to the creator or one source, 0 to 1. */
  readonly share: number;
  /** The backing with that share, then the others by tokens. */
  readonly backings: readonly Backing[];
}

/**
 * Finds the sources behind a group: each cluster with the creator and a member, or with two
 * members, and its part of the group's tokens. Members linked only by withdrawals from one exchange
 * count half.
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

/** Tokens of the members in hundredths; those with only exchange links count half. */
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
