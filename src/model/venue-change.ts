import type { Signature, Slot } from './units.ts';

/**
 * What a change of a program shows in: instructions that its decoder does not know, ones that it
 * cannot read, and swaps that balances contradict.
 */
export const DRIFT_MEASURES = ['unknown', 'malformed', 'quarantined'] as const;

export type DriftMeasure = (typeof DRIFT_MEASURES)[number];

/** `hits` of `total`: of instructions, or for `quarantined` of swaps and contradicted payouts of fees. */
export interface CountedShare {
  readonly hits: number;
  readonly total: number;
}

/** Something that could not be understood: a discriminator or a reason in words, and where. */
export interface DriftExample {
  readonly what: string;
  readonly slot: Slot;
  readonly signature: Signature;
}

/** A program of which suddenly more is not understood than was before. */
export interface VenueAlarm {
  /** As counters name it. */
  readonly program: string;
  readonly measure: DriftMeasure;
  /** The first slot of those in which it shows. */
  readonly sinceSlot: Slot;
  readonly recent: CountedShare;
  readonly past: CountedShare;
  /** What was first seen last, the newest few. */
  readonly examples: readonly DriftExample[];
}

/** An alarm begins or ends, judged at a slot that is final. */
export interface VenueChange {
  readonly kind: 'began' | 'ended';
  readonly slot: Slot;
  /** Block time of the slot as the fold has it; null when it is unknown. */
  readonly timeMs: number | null;
  readonly alarm: VenueAlarm;
}
