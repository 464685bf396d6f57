import type { PageStore } from './page-store.ts';

export interface PagePoolOptions {
  /** `trim` evicts pages beyond this number. */
  readonly pagesMax?: number;
  /** The same for the approximate bytes of objects. */
  readonly objectBytesMax?: number;
  /** Where evicted pages and objects go; null if nothing is ever evicted. */
  readonly store?: PageStore | null;
  /** Whether there are sums: false where nobody asks for them, or begins a checkpoint. */
  readonly hasSums?: boolean;
}
