import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { compareText } from '../readings/block-order.ts';
import { orderCase } from '../readings/case-order.ts';
import { type Cluster, type Clusters, LINKED_MIN, type Link } from './clusters.ts';
import { createLinkBook, findGroups, type LinkBook, type LinkedWallets } from './link-book.ts';
import { LINK_FAMILIES } from './link-families.ts';
import type { LinkInput } from './link-family.ts';
import { firstBuysOf, participantsOf } from './participants.ts';

/**
 * Finds the linked wallets of a mint (METHODS §7.1). `without` names families to leave out, to keep
 * a pattern from proving itself. Throws RangeError for an unknown family. An edge of a cluster is
 * the strongest link of its pair, with the combined strength of all families.
 */
export function findClusters(mintCase: MintCase, without: readonly string[] = []): Clusters {
  return clustersReader(mintCase)(without);
}

/** Same as findClusters, for several sets of families: links are searched once. */
export function clustersReader(mintCase: MintCase): (without: readonly string[]) => Clusters {
  const input = readLinkInput(mintCase);
  // Groups have at least two participants.
  const groups = input.participants.size < 2 ? [] : findGroups(LINK_FAMILIES, input);
  // Keyed by families with groups: leaving out families without groups changes nothing.
  const known = new Map<string, Clusters>();
  return (without) => {
    const unknown = without.find((left) => !LINK_FAMILIES.some(({ name }) => name === left));
    if (unknown !== undefined) throw new RangeError(`unknown link family: ${unknown}`);
    const used = groups.filter(({ family }) => !without.includes(family));
    const key = [...new Set(used.map(({ family }) => family))].join(' ');
    const clusters = known.get(key) ?? toClusters(createLinkBook(used, input));
    known.set(key, clusters);
    return clusters;
  };
}

function toClusters(book: LinkBook): Clusters {
  const all = clustersOf(strongestTrees(book));
  const byMember = new Map(
    all.flatMap((cluster) => cluster.members.map((member) => [member, cluster])),
  );
  return {
    all,
    of: (wallet) => byMember.get(wallet) ?? null,
    strength: book.strength,
    linksOf: book.linksOf,
  };
}

function readLinkInput(mintCase: MintCase): LinkInput {
  const ordered = orderCase(mintCase);
  const firstBuys = firstBuysOf(ordered);
  return { mintCase: ordered, participants: participantsOf(ordered, firstBuys), firstBuys };
}

/** The edges of each maximum spanning tree. */
function strongestTrees({ linksOf, pairs }: LinkBook): Link[][] {
  const edges = pairs(LINKED_MIN).sort(strongestFirst);
  const parts = createParts();
  const kept = edges
    .filter(({ one, other }) => parts.join(one, other))
    .flatMap((edge) =>
      linksOf(edge.one, edge.other)
        .slice(0, 1)
        .map((link) => ({ ...link, ...edge })),
    );
  return [...Map.groupBy(kept, ({ one }) => parts.rootOf(one)).values()];
}

function strongestFirst(one: LinkedWallets, other: LinkedWallets): number {
  return (
    other.strength - one.strength ||
    compareText(one.one, other.one) ||
    compareText(one.other, other.other)
  );
}

function clustersOf(trees: readonly (readonly Link[])[]): readonly Cluster[] {
  const clusters = trees.flatMap((edges) => {
    const members = [...new Set(edges.flatMap(({ one, other }) => [one, other]))].sort();
    const sum = edges.reduce((total, { strength }) => total + strength, 0);
    const [root] = members;
    return root === undefined ? [] : [{ root, members, strength: sum / edges.length, edges }];
  });
  return clusters.sort((one, other) => compareText(one.root, other.root));
}

/** Union-find by size with path halving. */
function createParts() {
  const parents = new Map<Address, Address>();
  const sizes = new Map<Address, number>();
  const rootOf = (wallet: Address): Address => {
    let at = wallet;
    for (let above = parents.get(at); above !== undefined; above = parents.get(at)) {
      parents.set(at, parents.get(above) ?? above);
      at = above;
    }
    return at;
  };
  const sizeOf = (root: Address) => sizes.get(root) ?? 1;
  /** Joins two parts; returns false if both are in one part already. */
  const join = (one: Address, other: Address): boolean => {
    const [a, b] = [rootOf(one), rootOf(other)];
    if (a === b) return false;
    const [small, large] = sizeOf(a) < sizeOf(b) ? [a, b] : [b, a];
    parents.set(small, large);
    sizes.set(large, sizeOf(a) + sizeOf(b));
    return true;
  };
  return { rootOf, join };
}
