import type { SlotFacts } from '../model/slot-facts.ts';
import type { Slot } from '../model/units.ts';

/**
 * Throws unless the slot is after `lastSlot`, its transactions are in ascending order of index and
 * the events of each are in order of execution. The fold's result depends on that order, so a
 * caller that breaks it has a bug; nothing was changed yet when this throws.
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
    lastIndex = txIndex;
    for (let index = 1; index < events.length; index++) {
      const before = events[index - 1];
      const event = events[index];
      if (before === undefined || event === undefined) continue;
      if (event.outerIx > before.outerIx) continue;
      if (event.outerIx === before.outerIx && event.innerIx >= before.innerIx) continue;
      throw new RangeError(`events of transaction ${signature} are out of order`);
    }
  }
}
