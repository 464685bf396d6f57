import type { Signature, Slot } from './units.ts';

/** Transactions that were sent as one bundle, 2–5 in the order in which they ran. */
export interface ExactBundle {
  readonly signatures: readonly Signature[];
}

/** Somebody outside who knows which transactions were sent together, by Jito's bundle ids say. */
export interface BundleOracle {
  /**
   * The bundles of one slot in any order, none of them when there were none; null when that is not
   * known. It may reject, or answer too late to be used; it has to settle, since nothing else is
   * asked until it does.
   */
  bundlesOf(slot: Slot): Promise<readonly ExactBundle[] | null>;
}
