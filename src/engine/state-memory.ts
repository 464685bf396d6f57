import { PAGE_BYTES } from '../lib/pages/page-layout.ts';
import type { PagePoolOptions } from '../lib/pages/page-pool.ts';

/** Pages' share of the memory for a state; objects have the rest. */
const PAGES_SHARE = 0.75;

/** Divides memory for a state among pages and objects. */
export function stateMemoryOf(bytes: number): Required<Omit<PagePoolOptions, 'store'>> {
  const pagesMax = Math.floor((bytes * PAGES_SHARE) / PAGE_BYTES);
  return { pagesMax, objectBytesMax: bytes - pagesMax * PAGE_BYTES };
}
