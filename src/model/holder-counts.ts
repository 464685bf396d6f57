import type { Address, Slot } from './units.ts';

export interface HolderCountQuery {
  readonly mint: Address;
  /** Start of the range, a multiple of the interval. */
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  readonly intervalMs: number;
  /** The last figures are valid until this time. */
  readonly untilMs: number;
}

/** The holders of a token at the end of a bucket in which one of its pools was traded. */
export interface HolderCount {
  readonly openMs: number;
  /** The slot of the count. */
  readonly slot: Slot;
  /** Without pools, burn addresses and dust. */
  readonly holders: number;
}
