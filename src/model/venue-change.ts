import type { Signature, Slot } from './units.ts';

/**
 * Symptoms of a changed program: instructions that its decoder does not know or cannot read, and
 * swaps that balances contradict.
 */
export const DRIFT_MEASURES = ['unknown', 'malformed', 'quarantined'] as const;

export type DriftMeasure = (typeof DRIFT_MEASURES)[number];

/**
 * `hits` of `total`: counts of instructions, or for `quarantined` of swaps and contradicted fee
 * payouts.
 */
export interface CountedShare {
  readonly hits: number;
  readonly total: number;
}

/** An example that could not be decoded: a discriminator or a reason in words, and its position. */
export interface DriftExample {
  readonly what: string;
  readonly slot: Slot;
  readonly signature: Signature;
}

/** A program with a sudden increase in instructions that are not understood. */
export interface VenueAlarm {
  /** Program name as used in counters. */
  readonly program: string;
  readonly measure: DriftMeasure;
  /** The first slot that shows the increase. */
  readonly sinceSlot: Slot;
  readonly recent: CountedShare;
  readonly past: CountedShare;
  /** The most recently first-seen examples, newest few. */
  readonly examples: readonly DriftExample[];
}

/** An alarm begins or ends, evaluated at a final slot. */
export interface VenueChange {
  readonly kind: 'began' | 'ended';
  readonly slot: Slot;
  /** Block time of the slot as the fold has it; null when unknown. */
  readonly timeMs: number | null;
  readonly alarm: VenueAlarm;
}
