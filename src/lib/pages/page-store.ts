/**
 * Where pages lie that are not in memory. Contents are packed (packed-bytes.ts); a page that was
 * never stored is all zeros.
 */
export interface PageStore {
  /** Null for a page that was never stored. Valid until the next call. */
  read(space: number, page: number): Uint8Array | null;
  /** Stores the newest contents of a page. `packed` is copied. */
  put(space: number, page: number, packed: Uint8Array): void;
  /** Stores the contents that a page had when the open checkpoint began. `packed` is copied. */
  putAsOf(space: number, page: number, packed: Uint8Array): void;
}
