import type { Address } from '../../model/units.ts';
import type { LinkKind, NamedGroup } from './link-family.ts';

/** Larger groups are represented by the links to one member, not by all pairs. */
const PAIRED_MEMBERS_MAX = 50;

/** Two linked wallets, by their indexes, the lower one first. */
export interface LinkedPair {
  readonly one: number;
  readonly other: number;
  /** Combined strength of all families, as `LinkBook.strength`. */
  readonly strength: number;
}

/**
 * The pairs of wallets that are linked with at least this strength: enough of them to connect
 * everything that a family connects. Of a large group only the pairs with its nearest member are
 * examined, unless another group has them: none of its other pairs is stronger.
 *
 * `wallets` must be ordered by address, and groups of one family adjacent.
 */
export function linkedPairs(
  groups: readonly NamedGroup[],
  wallets: readonly Address[],
  strengthMin: number,
): LinkedPair[] {
  const indexOf = new Map(wallets.map((wallet, index) => [wallet, index]));
  const indexed = groups.map((group) => toIndexed(group, indexOf));
  const pairs = new PairStrengths(wallets.length);
  for (const { members } of indexed) pairs.addPairsWithin(members);
  pairs.begin();
  let family = 0;
  for (const [at, group] of indexed.entries()) {
    if (group.family !== indexed[at - 1]?.family) family++;
    pairs.addGroup(group, family);
  }
  return pairs.atLeast(strengthMin);
}

/** A group whose members are indexes of wallets, each with its factor. */
interface IndexedGroup extends Pick<NamedGroup, 'family' | 'kind' | 'strength'> {
  readonly members: readonly number[];
  readonly factors: readonly number[];
}

function toIndexed(group: NamedGroup, indexOf: ReadonlyMap<Address, number>): IndexedGroup {
  const { family, kind, strength, ordered, members } = group;
  return {
    family,
    kind,
    strength,
    members: ordered.map((wallet) => indexOf.get(wallet) ?? 0),
    factors: ordered.map((wallet) => members.get(wallet) ?? 0),
  };
}

/** The strength of the link between two members of a group. */
function linkWithin(
  { members, factors, strength }: IndexedGroup,
  at: number,
  next: number,
): number {
  const [near, far] = [factors[at] as number, factors[next] as number];
  // The lower index first: another order of factors has another last digit.
  const isOrdered = (members[at] as number) < (members[next] as number);
  return isOrdered ? strength * near * far : strength * far * near;
}

/** The combined strengths of many pairs at once: groups are added to all of their pairs in turn. */
class PairStrengths {
  private readonly wallets: number;
  /** By lower index times `wallets`, plus the higher one: one more than the pair's number, or 0. */
  private readonly numbers: Int32Array;
  private count = 0;
  /** By pair: the product over finished families, and the strongest group of the open one. */
  private complements = new Float64Array(0);
  private strongest = new Float64Array(0);
  /** The strongest group that only supports. */
  private supported = new Float64Array(0);
  /** The number of the open family, how many there were, and whether one shows an owner. */
  private open = new Uint8Array(0);
  private families = new Uint8Array(0);
  private owned = new Uint8Array(0);

  constructor(wallets: number) {
    this.wallets = wallets;
    this.numbers = new Int32Array(wallets * wallets);
  }

  /** Adds the pairs of a group, nearest member first. */
  addPairsWithin(members: readonly number[]): void {
    const centres = members.length > PAIRED_MEMBERS_MAX ? 1 : members.length;
    for (let at = 0; at < centres; at++) {
      for (let next = at + 1; next < members.length; next++) {
        const key = this.keyOf(members[at] as number, members[next] as number);
        if (this.numbers[key] === 0) this.numbers[key] = ++this.count;
      }
    }
  }

  /** Call once all pairs are added. */
  begin(): void {
    this.complements = new Float64Array(this.count).fill(1);
    this.strongest = new Float64Array(this.count);
    this.supported = new Float64Array(this.count);
    this.open = new Uint8Array(this.count);
    this.families = new Uint8Array(this.count);
    this.owned = new Uint8Array(this.count);
  }

  /** Adds the links of a group to its pairs. `family` is the number of its family, from 1 on. */
  addGroup(group: IndexedGroup, family: number): void {
    const { members } = group;
    for (let at = 0; at < members.length; at++) {
      for (let next = at + 1; next < members.length; next++) {
        const key = this.keyOf(members[at] as number, members[next] as number);
        const pair = (this.numbers[key] as number) - 1;
        if (pair !== -1) this.link(pair, linkWithin(group, at, next), family, group.kind);
      }
    }
  }

  /** The pairs of at least this strength. */
  atLeast(strengthMin: number): LinkedPair[] {
    const found: LinkedPair[] = [];
    const { wallets, numbers } = this;
    for (let one = 0; one < wallets; one++) {
      for (let other = one + 1; other < wallets; other++) {
        const pair = (numbers[one * wallets + other] as number) - 1;
        if (pair === -1) continue;
        const strength = this.strengthOf(pair);
        if (strength >= strengthMin) found.push({ one, other, strength });
      }
    }
    return found;
  }

  private keyOf(one: number, other: number): number {
    return one < other ? one * this.wallets + other : other * this.wallets + one;
  }

  private link(pair: number, strength: number, family: number, kind: LinkKind): void {
    if (strength === 0) return;
    if (kind === 'support') {
      if (strength > (this.supported[pair] as number)) this.supported[pair] = strength;
      return;
    }
    if (kind === 'owner') this.owned[pair] = 1;
    if (this.open[pair] !== family) {
      this.complements[pair] =
        (this.complements[pair] as number) * (1 - (this.strongest[pair] as number));
      this.open[pair] = family;
      this.strongest[pair] = 0;
      this.families[pair] = (this.families[pair] as number) + 1;
    }
    if (strength > (this.strongest[pair] as number)) this.strongest[pair] = strength;
  }

  private strengthOf(pair: number): number {
    const complement = this.complements[pair] as number;
    const strongest = this.strongest[pair] as number;
    const supported = this.supported[pair] as number;
    if (this.owned[pair] === 1 && supported > 0) {
      return 1 - complement * (1 - strongest) * (1 - supported);
    }
    // A single family is returned unchanged: 1 − (1 − s) would lose its last digit.
    return (this.families[pair] as number) < 2 ? strongest : 1 - complement * (1 - strongest);
  }
}
