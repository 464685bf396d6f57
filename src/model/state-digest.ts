import type { Slot } from './units.ts';

/** The sum of the contents of one part of the state, in hexadecimal. */
export interface StatePart {
  readonly name: string;
  readonly sum: string;
}

/** The state after a slot: equal for services that applied the same slots under the same rules. */
export interface StateDigest {
  readonly slot: Slot;
  /** Hash of the slot's block; null when the record does not include it. */
  readonly blockhash: string | null;
  /** SHA-256 over the parts, in hexadecimal. */
  readonly digest: string;
  /** In a fixed order. */
  readonly parts: readonly StatePart[];
}
