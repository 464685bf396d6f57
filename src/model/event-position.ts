import { plain, type RecordOf } from './codec.ts';

export const EVENT_POSITION = {
  outerIx: plain<number>(),
  /** -1 for the outer instruction itself. */
  innerIx: plain<number>(),
};

/**
 * Position of an event in its transaction. Events of one transaction are ordered by (outerIx,
 * innerIx); together with the transaction's (slot, txIndex) this is a total order of all events.
 */
export interface EventPosition extends RecordOf<typeof EVENT_POSITION> {}
