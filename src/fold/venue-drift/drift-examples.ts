import type { DriftExample } from '../../model/venue-change.ts';

/** Maximum number of distinct examples kept per share. */
const KEPT_MAX = 16;
const SHOWN_MAX = 5;
const TEXT_MAX = 100;

interface Seen extends DriftExample {
  readonly lastSlot: number;
}

/** Serialised form: text, first slot, signature in the first slot, last slot. */
export type ExamplesState = readonly (readonly [string, number, string, number])[];

/**
 * Examples of input that could not be decoded. Each distinct text is kept once, with the slot and
 * signature of its first occurrence; the least recently seen one is evicted.
 */
export class DriftExamples {
  private readonly seen = new Map<string, Seen>();

  constructor(state: ExamplesState = []) {
    for (const [what, slot, signature, lastSlot] of state) {
      this.seen.set(what, { what, slot, signature, lastSlot } as Seen);
    }
  }

  get state(): ExamplesState {
    return [...this.seen.values()].map(({ what, slot, signature, lastSlot }) => [
      what,
      slot,
      signature,
      lastSlot,
    ]);
  }

  add({ what, slot, signature }: DriftExample): void {
    const text = what.slice(0, TEXT_MAX);
    const known = this.seen.get(text);
    this.seen.delete(text);
    this.seen.set(text, { ...(known ?? { what: text, slot, signature }), lastSlot: slot });
    if (this.seen.size > KEPT_MAX) this.seen.delete(this.seen.keys().next().value ?? '');
  }

  /** Examples last seen at or after `slot`, newest first occurrence first. */
  since(slot: number): readonly DriftExample[] {
    return [...this.seen.values()]
      .filter(({ lastSlot }) => lastSlot >= slot)
      .sort((one, other) => other.slot - one.slot)
      .slice(0, SHOWN_MAX)
      .map(({ what, slot: firstSlot, signature }) => ({ what, slot: firstSlot, signature }));
  }
}
