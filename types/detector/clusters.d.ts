import type { Relationship } from './judgement.js';
import type { Address } from './units.js';

/** One indication that two wallets have one owner. */
export interface Link {
  readonly one: Address;
  readonly other: Address;
  /** Of one family the strongest link counts; families combine as 1 − Π(1 − s). */
  readonly family: string;
  /** 0 to 1. */
  readonly strength: number;
  readonly relationship: Relationship;
  /** The address behind both, such as a common funder or sink; null without one. */
  readonly via: Address | null;
}

/** Wallets that are connected, directly or through others, by links of at least 0.6. */
export interface Cluster {
  /** Its smallest address, which is independent of the order of members. */
  readonly root: Address;
  /** By address. */
  readonly members: readonly Address[];
  /** Mean strength of the edges of a maximum spanning tree. */
  readonly strength: number;
  /** The edges of that tree. */
  readonly edges: readonly Link[];
}

export interface Clusters {
  /** Clusters with at least two members, by root. */
  readonly all: readonly Cluster[];
  /** The cluster of a wallet; null for an unlinked wallet. */
  readonly of: (wallet: Address) => Cluster | null;
  /** Combined strength of all families between two wallets; 0 without a link. */
  readonly strength: (one: Address, other: Address) => number;
  /** The links between two wallets, strongest first. */
  readonly linksOf: (one: Address, other: Address) => readonly Link[];
}
