/**
 * Memory of the state is divided into pages, which are stored and evicted as a whole, and pages
 * into blocks, whose changes are recorded. A page has 32 blocks, one per bit of a word.
 */
export const PAGE_BYTES = 1_024;
export const PAGE_WORDS = PAGE_BYTES / 4;
export const BLOCK_BYTES = 32;
export const BLOCK_WORDS = BLOCK_BYTES / 4;
export const BLOCKS_PER_PAGE = PAGE_BYTES / BLOCK_BYTES;
/** Pages are allocated in slabs, because one buffer and its views per page take as much again. */
export const SLAB_BITS = 14;
export const SLAB_PAGES = 1 << SLAB_BITS;
export const SLAB_MASK = SLAB_PAGES - 1;

/** Bits of the blocks that contain `count` bytes of a page from byte `start` on. */
export function blocksOf(start: number, count: number): number {
  const first = start >>> 5;
  const last = (start + count - 1) >>> 5;
  return (last === 31 ? -1 : (1 << (last + 1)) - 1) & ~((1 << first) - 1);
}
