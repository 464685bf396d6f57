/**
 * Where pages and objects lie that are not in memory: bytes by space and number. A page that was
 * never stored is all zeros; pages are packed (packed-bytes.ts).
 */
export interface PageStore {
  /** Null for what was never stored, or removed. Valid until the next call. */
  read(space: number, id: number): Uint8Array | null;
  /** Stores the newest contents, null to remove them. `bytes` is copied. */
  put(space: number, id: number, bytes: Uint8Array | null): void;
  /** Stores the contents as they were when the open checkpoint began. `bytes` is copied. */
  putAsOf(space: number, id: number, bytes: Uint8Array | null): void;
}
