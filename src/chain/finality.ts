import type { Slot } from '../model/units.ts';

/** What is known of the chain when finality is asked for. */
export interface ChainProgress {
  /** Newest slot of the log. */
  readonly headSlot: Slot;
  /** Newest slot that nodes call final, null before any has said so. */
  readonly networkFinalSlot: Slot | null;
}

/** Decides which slots of the log can no longer be taken back. */
export interface FinalityStrategy {
  readonly name: string;
  /** Whether it needs to be told what nodes call final. */
  readonly asksNetwork: boolean;
  /** Every slot up to this one is final; below zero for none. */
  readonly finalSlot: (progress: ChainProgress) => number;
}

/** A dropped branch may span 31 slots: tower lockout makes a vote that deep irreversible. */
const LAG_SLOTS = 32;

/** Blocks that nodes call confirmed, and this many slots on top of them. */
export function confirmedPlus(lagSlots: number = LAG_SLOTS): FinalityStrategy {
  return {
    name: `confirmed + ${lagSlots} slots`,
    asksNetwork: false,
    finalSlot: ({ headSlot }) => headSlot - lagSlots,
  };
}

/**
 * Under certificates (Alpenglow) a confirmed block is final. Certificates themselves are not checked
 * here: what nodes call final is believed, and confirmation alone is not.
 */
export function networkFinality(): FinalityStrategy {
  return {
    name: 'as the network says',
    asksNetwork: true,
    finalSlot: ({ headSlot, networkFinalSlot }) =>
      networkFinalSlot === null ? -1 : Math.min(headSlot, networkFinalSlot),
  };
}
