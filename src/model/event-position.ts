/**
 * Position of an event in its transaction. Events of one transaction are ordered by (outerIx,
 * innerIx); together with the transaction's (slot, txIndex) this is a total order of all events.
 */
export interface EventPosition {
  readonly outerIx: number;
  /** -1 for the outer instruction itself. */
  readonly innerIx: number;
}
