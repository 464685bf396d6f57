import type { Address } from '../../model/units.ts';
import { compareText } from '../readings/block-order.ts';
import type { Link } from './clusters.ts';
import type { LinkFamily, LinkGroup, LinkInput, NamedGroup } from './link-family.ts';
import { linkedPairs } from './pair-strengths.ts';

/** Links between any two wallets, from all groups that the families found. */
export interface LinkBook {
  /** The strongest link of each family between two wallets, strongest first. */
  readonly linksOf: (one: Address, other: Address) => readonly Link[];
  /**
   * 1 − Π(1 − s) of these links: families are treated as independent. Those that only support count
   * when one of them shows an owner.
   */
  readonly strength: (one: Address, other: Address) => number;
  /** As `linkedPairs` finds them, with wallets in place of their indexes. */
  readonly pairs: (strengthMin: number) => LinkedWallets[];
}

/** Two linked wallets, `one` before `other` by address, and the combined strength of their links. */
export type LinkedWallets = Pick<Link, 'one' | 'other' | 'strength'>;

/** Groups with at least two participants; groups of one family are adjacent. */
export function findGroups(
  families: readonly LinkFamily[],
  input: LinkInput,
): readonly NamedGroup[] {
  return families.flatMap((family) =>
    Array.from(family.find(input)).flatMap(
      (group) => amongParticipants(family, group, input) ?? [],
    ),
  );
}

export function createLinkBook(groups: readonly NamedGroup[], input: LinkInput): LinkBook {
  const groupsOf = new Map<Address, NamedGroup[]>();
  for (const group of groups) {
    for (const wallet of group.ordered) {
      const known = groupsOf.get(wallet);
      if (known === undefined) groupsOf.set(wallet, [group]);
      else known.push(group);
    }
  }
  const inOrder = (one: Address, other: Address) =>
    one < other ? ([one, other] as const) : ([other, one] as const);
  return {
    linksOf: (one, other) => {
      const [least, most] = inOrder(one, other);
      return one === other ? [] : strongestByFamily(groupsOf.get(least) ?? [], least, most);
    },
    strength: (one, other) => {
      const [least, most] = inOrder(one, other);
      return one === other ? 0 : strengthTogether(groupsOf.get(least) ?? [], least, most);
    },
    pairs: (strengthMin) => pairsOf(groups, [...input.participants], strengthMin),
  };
}

/**
 * The combined strength of `strongestByFamily`, without creating links. One family supports at most:
 * its strongest group is its strength.
 */
function strengthTogether(groups: readonly NamedGroup[], one: Address, other: Address): number {
  let complement = 1;
  let supported = 0;
  let isOwner = false;
  let [family, strongest] = ['', 0];
  let families = 0;
  // Groups of one family are adjacent.
  for (const group of groups) {
    const strength = strengthIn(group, one, other);
    if (strength === 0) continue;
    if (group.kind === 'support') {
      supported = Math.max(supported, strength);
      continue;
    }
    isOwner ||= group.kind === 'owner';
    if (group.family !== family) {
      complement *= 1 - strongest;
      [family, strongest] = [group.family, 0];
      families++;
    }
    strongest = Math.max(strongest, strength);
  }
  if (isOwner && supported > 0) return 1 - complement * (1 - strongest) * (1 - supported);
  // A single family is returned unchanged: 1 − (1 − s) would lose its last digit.
  return families < 2 ? strongest : 1 - complement * (1 - strongest);
}

function strengthIn({ strength, members }: NamedGroup, one: Address, other: Address): number {
  const far = members.get(other);
  return far === undefined ? 0 : strength * (members.get(one) ?? 0) * far;
}

/** The group limited to participants; null if these are fewer than two. */
function amongParticipants(
  { name: family, kind }: LinkFamily,
  group: LinkGroup,
  { participants }: LinkInput,
): NamedGroup | null {
  let present = 0;
  for (const wallet of group.members.keys()) if (participants.has(wallet)) present++;
  if (present < 2) return null;
  const members = [...group.members].filter(([wallet]) => participants.has(wallet));
  members.sort(([one, near], [other, far]) => far - near || compareText(one, other));
  return {
    ...group,
    family,
    kind,
    members: new Map(members),
    ordered: members.map(([wallet]) => wallet),
  };
}

function strongestByFamily(groups: readonly NamedGroup[], one: Address, other: Address): Link[] {
  const strongest = new Map<string, Link>();
  for (const group of groups) {
    const { family, relationship, via } = group;
    const strength = strengthIn(group, one, other);
    if (strength === 0) continue;
    const link = { one, other, family, strength, relationship, via };
    const known = strongest.get(family);
    if (known === undefined || byStrength(link, known) < 0) strongest.set(family, link);
  }
  return [...strongest.values()].sort(byStrength);
}

function byStrength(one: Link, other: Link): number {
  return (
    other.strength - one.strength ||
    compareText(one.family, other.family) ||
    compareText(one.via ?? '', other.via ?? '') ||
    compareText(one.relationship, other.relationship)
  );
}

function pairsOf(
  groups: readonly NamedGroup[],
  wallets: readonly Address[],
  strengthMin: number,
): LinkedWallets[] {
  return linkedPairs(groups, wallets, strengthMin).flatMap(({ one, other, strength }) => {
    const [first, second] = [wallets[one], wallets[other]];
    return first === undefined || second === undefined
      ? []
      : [{ one: first, other: second, strength }];
  });
}
