import type { Relationship } from '../../model/fraud.ts';
import type { CaseTrade, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';

/** Input of link families. */
export interface LinkInput {
  /** The case, with its lists in block order. */
  readonly mintCase: MintCase;
  /** Wallets that may be linked, by address. */
  readonly participants: ReadonlySet<Address>;
  /** First buys of wallets that bought to hold. */
  readonly firstBuys: ReadonlyMap<Address, CaseTrade>;
}

/** Wallets that are all linked to each other for one reason. */
export interface LinkGroup {
  readonly relationship: Relationship;
  /** The address behind all of them, or null. It may be a member, such as the funder of a pair. */
  readonly via: Address | null;
  /** Strength between two members of factor 1. */
  readonly strength: number;
  /**
   * Factor of each member's links, above 0 and at most 1. Members that do not participate are
   * dropped.
   */
  readonly members: ReadonlyMap<Address, number>;
}

/**
 * What a family shows: `owner`, that money, tokens or signatures of one wallet are the other's;
 * `market`, that they act alike; `support`, that they act alike as copy traders do, which counts
 * only beside a link that shows an owner.
 */
export type LinkKind = 'owner' | 'market' | 'support';

/** One method of linking wallets of one owner: a row of the table of METHODS §7.1. */
export interface LinkFamily {
  readonly name: string;
  readonly kind: LinkKind;
  /**
   * Pure; the order of the groups has no meaning. A group represents all its pairs, which keeps the
   * cost of a link shared by many wallets linear in the number of wallets.
   */
  readonly find: (input: LinkInput) => Iterable<LinkGroup>;
}

/** A group with its family, limited to participants. */
export interface NamedGroup extends LinkGroup {
  readonly family: string;
  readonly kind: LinkKind;
  /** Nearest first, then by address. */
  readonly ordered: readonly Address[];
}

/** Each of these groups of wallets once, however often they trade together. */
export function* coordinatedGroups(
  groups: Iterable<ReadonlySet<Address>>,
  strength: number,
): Iterable<LinkGroup> {
  const seen = new Set<string>();
  for (const wallets of groups) {
    const key = [...wallets].join(' ');
    if (seen.has(key)) continue;
    seen.add(key);
    yield { relationship: 'coordinated_trading', via: null, strength, members: evenly(wallets) };
  }
}

/** Members of factor 1. */
export function evenly(wallets: Iterable<Address>): ReadonlyMap<Address, number> {
  return new Map(Array.from(wallets, (wallet) => [wallet, 1]));
}
