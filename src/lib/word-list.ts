import { firstWordOf } from './pages/page-frames.ts';
import { PAGE_BYTES, PAGE_WORDS } from './pages/page-layout.ts';
import type { PagePool } from './pages/page-pool.ts';
import type { PageSpace } from './pages/page-space.ts';
import { UndoLog } from './undo-log.ts';

/**
 * An unsigned number below 2^32 for each index from 0 on, 0 where none was set: four bytes each in
 * the pages of a space, for values that nearly all of many millions of rows have.
 */
export class WordList {
  private readonly space: PageSpace;
  private readonly pool: PagePool;

  constructor(undo = new UndoLog(), name = 'words') {
    this.pool = undo.pages;
    this.space = this.pool.createSpace(name, 'words');
  }

  /** Bytes of its pages in memory. */
  get allocatedBytes(): number {
    return this.space.residentPages * PAGE_BYTES;
  }

  get(at: number): number {
    const frame = this.space.frameOf(at >>> WORD_BITS);
    const { words } = this.pool.frames.slabOf(frame);
    return words[firstWordOf(frame) + (at & WORD_MASK)] as number;
  }

  set(at: number, word: number): void {
    const frame = this.space.frameOf(at >>> WORD_BITS);
    const index = at & WORD_MASK;
    this.pool.change(frame, 1 << (index >>> BLOCK_SHIFT));
    const { words } = this.pool.frames.slabOf(frame);
    words[firstWordOf(frame) + index] = word;
  }
}

const WORD_BITS = 8;
const WORD_MASK = PAGE_WORDS - 1;
/** A block has eight words. */
const BLOCK_SHIFT = 3;
