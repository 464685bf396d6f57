import type { BlockImages } from './pages/block-record.ts';
import { BLOCK_WORDS } from './pages/page-layout.ts';
import type { PagePool } from './pages/page-pool.ts';
import type { UndoStep } from './undo-steps.ts';

/** A step with its operands, of which most have fewer than four. */
type AnyStep = UndoStep<[a: unknown, b: unknown, c: unknown, d: unknown]>;

/**
 * The steps that revert one record of changes. They are stored in one array, a step and four
 * operands each, and overwritten blocks in another: one object per step would take more time to
 * create and collect than the change itself. A cleared record is reused without any allocation.
 */
export class UndoRecord implements BlockImages {
  private readonly cells: unknown[] = [];
  private end = 0;
  private words = new Uint32Array(WORDS_MIN);
  private wordsEnd = 0;

  add(step: UndoStep<never>, a?: unknown, b?: unknown, c?: unknown, d?: unknown): void {
    const { cells, end } = this;
    this.end = end + STEP_CELLS;
    if (end === cells.length) {
      cells.push(step, a, b, c, d);
      return;
    }
    cells[end] = step;
    cells[end + 1] = a;
    cells[end + 2] = b;
    cells[end + 3] = c;
    cells[end + 4] = d;
  }

  /** Copies what a block contains (BlockImages). */
  addBlock(space: number, block: number, words: Uint32Array, at: number): void {
    const start = this.wordsEnd;
    this.wordsEnd = start + IMAGE_WORDS;
    if (this.wordsEnd > this.words.length) this.grow();
    const images = this.words;
    images[start] = space;
    images[start + 1] = block;
    // For eight words a loop is several times faster than `set` with a `subarray`.
    for (let word = 0; word < BLOCK_WORDS; word++) {
      images[start + 2 + word] = words[at + word] as number;
    }
  }

  /**
   * Restores the blocks, then reverts all steps, the newest first, so each finds the objects that
   * it left behind.
   */
  revert(pages: PagePool): void {
    const { cells, words } = this;
    for (let at = 0; at < this.wordsEnd; at += IMAGE_WORDS) {
      pages.restoreBlock(words[at] as number, words[at + 1] as number, words, at + 2);
    }
    for (let at = this.end - STEP_CELLS; at >= 0; at -= STEP_CELLS) {
      const step = cells[at] as AnyStep;
      step.revert(cells[at + 1], cells[at + 2], cells[at + 3], cells[at + 4]);
    }
  }

  /**
   * Runs `read` with all changes reverted, then makes them again. The record stays what it was.
   * What was never recorded must not depend on the changes.
   */
  suspend<Result>(pages: PagePool, read: () => Result): Result {
    const { cells } = this;
    const repeaters: (() => void)[] = [];
    this.exchangeBlocks(pages);
    for (let at = this.end - STEP_CELLS; at >= 0; at -= STEP_CELLS) {
      const step = cells[at] as AnyStep;
      const [a, b, c, d] = [cells[at + 1], cells[at + 2], cells[at + 3], cells[at + 4]];
      repeaters.push(step.repeater(a, b, c, d));
      step.revert(a, b, c, d);
    }
    try {
      return read();
    } finally {
      for (const repeat of repeaters.toReversed()) repeat();
      this.exchangeBlocks(pages);
    }
  }

  private exchangeBlocks(pages: PagePool): void {
    const { words } = this;
    for (let at = 0; at < this.wordsEnd; at += IMAGE_WORDS) {
      pages.exchangeBlock(words[at] as number, words[at + 1] as number, words, at + 2);
    }
  }

  /** Empties the record. Returns false if it has grown too large to be worth reusing. */
  clear(): boolean {
    if (this.cells.length > CELLS_KEPT_MAX || this.words.length > WORDS_KEPT_MAX) return false;
    this.cells.fill(undefined, 0, this.end);
    this.end = 0;
    this.wordsEnd = 0;
    return true;
  }

  private grow(): void {
    const larger = new Uint32Array(2 ** Math.ceil(Math.log2(this.wordsEnd)));
    larger.set(this.words);
    this.words = larger;
  }
}

/** A step and its operands. */
const STEP_CELLS = 5;
/** Space, block and its words. */
const IMAGE_WORDS = 2 + BLOCK_WORDS;
const WORDS_MIN = 1_024;
/** Two slots of a thousand swaps; larger records are not reused. */
const CELLS_KEPT_MAX = 1 << 17;
const WORDS_KEPT_MAX = 1 << 18;
