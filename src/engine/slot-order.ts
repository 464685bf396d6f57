import type { EventPosition } from '../model/event-position.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { Slot } from '../model/units.ts';

/**
 * Throws RangeError unless the slot is after `lastSlot`, its transactions are in ascending order of
 * index, the events of each are in order of execution, and no account was read at a later slot. The
 * result of the fold depends on that order; a caller that violates it has a bug.
 */
export function assertInOrder(facts: SlotFacts, lastSlot: Slot | null): void {
  if (lastSlot !== null && facts.slot <= lastSlot) {
    throw new RangeError(`slot ${facts.slot} is not after slot ${lastSlot}`);
  }
  let lastIndex = -1;
  for (const { txIndex, events, signature } of facts.transactions) {
    if (txIndex <= lastIndex) {
      throw new RangeError(`transaction ${signature} of slot ${facts.slot} is out of order`);
    }
    if (!isInOrder(events)) {
      throw new RangeError(`events of transaction ${signature} are out of order`);
    }
    lastIndex = txIndex;
  }
  for (const { contextSlot, mint } of facts.observations ?? []) {
    if (contextSlot <= facts.slot) continue;
    throw new RangeError(`${mint} was observed at slot ${contextSlot}, after ${facts.slot}`);
  }
}

function isInOrder(events: readonly EventPosition[]): boolean {
  let outerIx = -1;
  let innerIx = -1;
  for (const event of events) {
    if (event.outerIx < outerIx) return false;
    if (event.outerIx === outerIx && event.innerIx < innerIx) return false;
    outerIx = event.outerIx;
    innerIx = event.innerIx;
  }
  return true;
}
