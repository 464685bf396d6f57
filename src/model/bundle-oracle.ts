import { type Described, list, record } from './codec.ts';
import type { Slot } from './units.ts';
import { signature } from './value-codecs.ts';

export const EXACT_BUNDLE = record({
  signatures: list(signature),
});

/** Transactions sent as one bundle: 2 to 5, in execution order. */
export interface ExactBundle extends Described<typeof EXACT_BUNDLE> {}

/** External source of exact bundles, for example by Jito's bundle ids. */
export interface BundleOracle {
  /**
   * The bundles of one slot in any order; empty when there were none, null when unknown. The
   * promise may reject, or resolve too late to be used. It must settle: no other slot is requested
   * until it does.
   */
  bundlesOf(slot: Slot): Promise<readonly ExactBundle[] | null>;
}
