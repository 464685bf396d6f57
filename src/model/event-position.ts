/**
 * Where an event stands in its transaction. Events of one transaction are ordered by (outerIx,
 * innerIx); with the transaction's (slot, txIndex) that orders all events totally.
 */
export interface EventPosition {
  readonly outerIx: number;
  /** -1 for the outer instruction itself. */
  readonly innerIx: number;
}
