/**
 * Storage for rows of bytes that do not fit in memory, one row per id. Every call is synchronous,
 * and rows are returned byte for byte, since the results of the fold depend on them.
 *
 * It extends the memory of one engine and is not a store: it starts empty, belongs to that engine
 * only and keeps nothing beyond its lifetime. A snapshot of the engine includes its rows.
 */
export interface RowSpill {
  /** Number of rows stored. */
  readonly size: number;
  /** Stores a row, replacing any row with the same id. */
  put(id: number, bytes: Uint8Array): void;
  /** Returns a row and removes it; null for an id without a row. */
  take(id: number): Uint8Array | null;
  /** Returns a row without removing it; null for an id without a row. */
  peek(id: number): Uint8Array | null;
  /**
   * All rows in ascending order of id. Rows must not be put or taken until iteration has finished.
   */
  entries(): Iterable<readonly [id: number, bytes: Uint8Array]>;
  /** Discards all rows. No other call is allowed afterwards. */
  close(): void;
}
