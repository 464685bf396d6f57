import type { Slot } from '../model/units.ts';

/** What is known of the chain when finality is computed. */
export interface ChainProgress {
  /** Newest slot of the log. */
  readonly headSlot: Slot;
  /** Newest slot that nodes report as final, null before any has. */
  readonly networkFinalSlot: Slot | null;
}

/** Decides which slots of the log can no longer be reverted. */
export interface FinalityStrategy {
  readonly name: string;
  /** Whether it needs the slot that nodes report as final. */
  readonly needsNetworkFinality: boolean;
  /** Every slot up to this one is final; below zero for none. */
  readonly finalSlot: (progress: ChainProgress) => number;
}

/** A losing branch may span 31 slots: tower lockout makes a vote that deep irreversible. */
const LAG_SLOTS = 32;

/** A block is final once nodes report it as confirmed and this many slots follow it. */
export function confirmedPlus(lagSlots: number = LAG_SLOTS): FinalityStrategy {
  return {
    name: `confirmed + ${lagSlots} slots`,
    needsNetworkFinality: false,
    finalSlot: ({ headSlot }) => headSlot - lagSlots,
  };
}

/**
 * Under certificates (Alpenglow) a confirmed block is final. Certificates themselves are not
 * verified here: the final slot that nodes report is trusted, confirmation alone is not.
 */
export function networkFinality(): FinalityStrategy {
  return {
    name: 'as the network says',
    needsNetworkFinality: true,
    finalSlot: ({ headSlot, networkFinalSlot }) =>
      networkFinalSlot === null ? -1 : Math.min(headSlot, networkFinalSlot),
  };
}
