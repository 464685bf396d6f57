import { FullTableError } from '../full-table-error.ts';
import { firstWordOf } from './page-frames.ts';
import { BLOCK_WORDS } from './page-layout.ts';
import type { PagePool } from './page-pool.ts';
import type { PageSpace } from './page-space.ts';

/** Chunks have 32 bytes times a power of two; the largest class is a whole page. */
export const CLASS_MAX = 5;

export function wordsOfClass(chunkClass: number): number {
  return BLOCK_WORDS << chunkClass;
}

/** The number of each block is to fit a word. */
const PAGES_MAX = 2 ** 27;

/** Words of the first page, which contains no chunks: the next page never used, free chunks. */
const NEXT_PAGE = 0;
const FREE = 1;
/** Words of the first page that the heap leaves to its owner, from here on. */
export const OWN_WORDS = 8;

/**
 * Chunks of a few sizes in the pages of a space. A chunk is identified by its address, the number
 * of its first block, which is never 0. New chunks are zeros.
 */
export class BlockHeap {
  private readonly space: PageSpace;
  private readonly pool: PagePool;

  constructor(space: PageSpace, pool: PagePool) {
    this.space = space;
    this.pool = pool;
  }

  /** Throws FullTableError. */
  add(chunkClass: number): number {
    const free = this.word(0, FREE + chunkClass);
    if (free !== 0) {
      this.setWord(0, FREE + chunkClass, this.word(free, 0));
      this.setWord(free, 0, 0);
      return free;
    }
    if (chunkClass === CLASS_MAX) return this.addPages(1) * 32;
    const larger = this.add(chunkClass + 1);
    this.free(larger + (1 << chunkClass), chunkClass);
    return larger;
  }

  /** Frees a chunk, which must be all zeros. */
  free(address: number, chunkClass: number): void {
    this.setWord(address, 0, this.word(0, FREE + chunkClass));
    this.setWord(0, FREE + chunkClass, address);
  }

  /**
   * Reserves consecutive pages and returns the first. They take no memory until they are used. Throws
   * FullTableError if there are not that many.
   */
  addPages(count: number): number {
    const page = Math.max(1, this.word(0, NEXT_PAGE));
    if (page + count > PAGES_MAX) {
      throw new FullTableError(`index "${this.space.name}"`, `${PAGES_MAX} pages`);
    }
    this.setWord(0, NEXT_PAGE, page + count);
    return page;
  }

  /** A word of the page that contains a chunk, counted from the start of the chunk. */
  word(address: number, index: number): number {
    const frame = this.space.frameOf(address >>> 5);
    const { words } = this.pool.frames.slabOf(frame);
    return words[startOf(frame, address) + index] as number;
  }

  setWord(address: number, index: number, word: number): void {
    const frame = this.space.frameOf(address >>> 5);
    this.pool.change(frame, 1 << ((address & 31) + (index >>> 3)));
    const { words } = this.pool.frames.slabOf(frame);
    words[startOf(frame, address) + index] = word;
  }
}

function startOf(frame: number, address: number): number {
  return firstWordOf(frame) + (address & 31) * BLOCK_WORDS;
}
