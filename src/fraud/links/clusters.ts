import type { Relationship } from '../../model/fraud.ts';
import type { Address } from '../../model/units.ts';

/** Two wallets are taken for one hand from this strength on (METHODS §7.1). */
export const LINKED_MIN = 0.6;

/** One reason to think that two wallets are of one hand. */
export interface Link {
  readonly one: Address;
  readonly other: Address;
  /** Of one family the strongest counts; families add up as 1 − Π(1 − s). */
  readonly family: string;
  /** 0 to 1. */
  readonly strength: number;
  readonly relationship: Relationship;
  /** Who stands behind both, where somebody does: a common funder, a sink. */
  readonly via: Address | null;
}

/** Wallets that are connected, directly or through others, by links of LINKED_MIN and more. */
export interface Cluster {
  /** Its least address: the same in whatever order the members came. */
  readonly root: Address;
  /** By address. */
  readonly members: readonly Address[];
  /** Mean strength over the edges of a strongest spanning tree. */
  readonly strength: number;
  /** The edges of that tree. */
  readonly edges: readonly Link[];
}

export interface Clusters {
  /** Those with two members and more, by root. */
  readonly all: readonly Cluster[];
  /** Null for a wallet that is linked to nobody. */
  readonly of: (wallet: Address) => Cluster | null;
  /** Strength of all families together between two wallets; 0 for none. */
  readonly strength: (one: Address, other: Address) => number;
  /** The reasons for it, strongest first. */
  readonly linksOf: (one: Address, other: Address) => readonly Link[];
}
