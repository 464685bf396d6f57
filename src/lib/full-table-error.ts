/**
 * A table has no room for what the chain brings: its numbers end, whatever the memory and the disk.
 * Folding cannot go on.
 */
export class FullTableError extends RangeError {
  override readonly name = 'FullTableError';

  /** `what` as `table "positions"`, `room` as `3 rows`. */
  constructor(what: string, room: string) {
    super(
      `The ${what} is full: it has room for ${room}. A service with a new data folder, which begins at a later slot, has empty tables.`,
    );
  }
}
