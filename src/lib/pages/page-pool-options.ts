import type { PageStore } from './page-store.ts';

export interface PagePoolOptions {
  /** `trim` evicts pages beyond this number. */
  readonly pagesMax?: number;
  /** The same for the approximate bytes of objects. */
  readonly objectBytesMax?: number;
  /** Where evicted pages and objects go; null if nothing is ever evicted. */
  readonly store?: PageStore | null;
  /** Whether the sums are kept up to date while slots pass; false where nobody asks for them. */
  readonly hasSums?: boolean;
}
