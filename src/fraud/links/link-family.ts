import type { Relationship } from '../../model/fraud.ts';
import type { CaseTrade, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';

/** What families read. */
export interface LinkInput {
  /** With its lists in block order. */
  readonly mintCase: MintCase;
  /** Wallets that may be linked, by address. */
  readonly participants: ReadonlySet<Address>;
  /** Of everybody who bought to hold. */
  readonly firstBuys: ReadonlyMap<Address, CaseTrade>;
}

/** Wallets of which every two are linked by one reason. */
export interface LinkGroup {
  readonly relationship: Relationship;
  /** Who stands behind all of them, where somebody does. May be one of them: the funder of a pair. */
  readonly via: Address | null;
  /** Between two members that nothing weakens. */
  readonly strength: number;
  /** Each with what its links are multiplied by, above 0 up to 1. Who is no participant is left out. */
  readonly members: ReadonlyMap<Address, number>;
}

/** One way to tell that wallets are of one hand: a row of the table of METHODS §7.1. */
export interface LinkFamily {
  readonly name: string;
  /**
   * Pure; the order of the groups says nothing. A group stands for all its pairs, so that what many
   * wallets share costs as much as the wallets and not as their pairs.
   */
  readonly find: (input: LinkInput) => Iterable<LinkGroup>;
}

/** Members that nothing weakens. */
export function evenly(wallets: Iterable<Address>): ReadonlyMap<Address, number> {
  return new Map(Array.from(wallets, (wallet) => [wallet, 1]));
}
