/** The memory of a pool. */
export interface PoolUse {
  readonly pages: number;
  readonly pagesMax: number;
  /** Approximate, when objects were last examined; 0 without a bound. */
  readonly objectBytes: number;
  readonly objectBytesMax: number;
  /** Pages that were evicted, and that were read from the store, since the pool was created. */
  readonly evictedPages: number;
  readonly loadedPages: number;
}
