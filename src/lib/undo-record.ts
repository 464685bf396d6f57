import type { BlockImages } from './pages/block-record.ts';
import { BLOCK_WORDS } from './pages/page-layout.ts';
import type { PagePool } from './pages/page-pool.ts';
import { PartPool } from './part-pool.ts';
import type { UndoStep } from './undo-steps.ts';

/** Most steps have fewer than four. */
type Operands = [a: unknown, b: unknown, c: unknown, d: unknown];
type AnyStep = UndoStep<Operands>;

/** A step and its operands. */
const STEP_CELLS = 5;
const PART_CELLS = 256 * STEP_CELLS;
/** The block's place, its page and its words. */
const IMAGE_WORDS = 2 + BLOCK_WORDS;
const PART_WORDS = 256 * IMAGE_WORDS;
/** Of each kind, some 2.5 MiB: what a slot of two thousand swaps needs. */
const SPARE_PARTS_MAX = 256;

/** Memory for the records of a log. */
export class UndoParts {
  readonly cells = new PartPool<unknown[]>(
    () => Array.from({ length: PART_CELLS }, () => undefined),
    SPARE_PARTS_MAX,
  );
  readonly words = new PartPool<Uint32Array>(() => new Uint32Array(PART_WORDS), SPARE_PARTS_MAX);
}

/**
 * The steps that revert one record of changes. They are stored in arrays, a step and four operands
 * each, and overwritten blocks in others: one object per step would take more time to create and
 * collect than the change itself.
 *
 * The arrays are parts that all records of a log share: with arrays of its own each record would
 * grow to what the largest slot needs.
 */
export class UndoRecord implements BlockImages {
  private readonly parts: UndoParts;
  private readonly cellParts: unknown[][] = [];
  private readonly wordParts: Uint32Array[] = [];
  /** The last part of each kind, and its end. */
  private cells: unknown[] = [];
  private end = PART_CELLS;
  private words: Uint32Array = new Uint32Array(0);
  private wordsEnd = PART_WORDS;

  constructor(parts: UndoParts) {
    this.parts = parts;
  }

  add(step: UndoStep<never>, a?: unknown, b?: unknown, c?: unknown, d?: unknown): void {
    if (this.end === PART_CELLS) this.addCells();
    const { cells, end } = this;
    this.end = end + STEP_CELLS;
    cells[end] = step;
    cells[end + 1] = a;
    cells[end + 2] = b;
    cells[end + 3] = c;
    cells[end + 4] = d;
  }

  /** Copies what a block contains (BlockImages). */
  addBlock(place: number, page: number, words: Uint32Array, at: number): void {
    if (this.wordsEnd === PART_WORDS) this.addWords();
    const { words: images, wordsEnd: start } = this;
    this.wordsEnd = start + IMAGE_WORDS;
    images[start] = place;
    images[start + 1] = page;
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
    this.eachImage((words, at) => {
      pages.restoreBlock(words[at] as number, words[at + 1] as number, words, at + 2);
    });
    this.eachStepBackwards((step, a, b, c, d) => step.revert(a, b, c, d));
  }

  /**
   * Runs `read` with all changes reverted, then makes them again. The record stays what it was.
   * What was never recorded must not depend on the changes.
   */
  suspend<Result>(pages: PagePool, read: () => Result): Result {
    const repeaters: (() => void)[] = [];
    this.exchangeBlocks(pages);
    this.eachStepBackwards((step, a, b, c, d) => {
      repeaters.push(step.repeater(a, b, c, d));
      step.revert(a, b, c, d);
    });
    try {
      return read();
    } finally {
      for (const repeat of repeaters.toReversed()) repeat();
      this.exchangeBlocks(pages);
    }
  }

  /** Gives its parts back. */
  clear(): void {
    for (const cells of this.cellParts) {
      cells.fill(undefined);
      this.parts.cells.give(cells);
    }
    for (const words of this.wordParts) this.parts.words.give(words);
    this.cellParts.length = 0;
    this.wordParts.length = 0;
    this.end = PART_CELLS;
    this.wordsEnd = PART_WORDS;
  }

  private exchangeBlocks(pages: PagePool): void {
    this.eachImage((words, at) => {
      pages.exchangeBlock(words[at] as number, words[at + 1] as number, words, at + 2);
    });
  }

  private eachImage(use: (words: Uint32Array, at: number) => void): void {
    const last = this.wordParts.length - 1;
    for (const [part, words] of this.wordParts.entries()) {
      const end = part === last ? this.wordsEnd : PART_WORDS;
      for (let at = 0; at < end; at += IMAGE_WORDS) use(words, at);
    }
  }

  private eachStepBackwards(use: (step: AnyStep, ...operands: Operands) => void): void {
    let { end } = this;
    for (const cells of this.cellParts.toReversed()) {
      for (let at = end - STEP_CELLS; at >= 0; at -= STEP_CELLS) {
        use(cells[at] as AnyStep, cells[at + 1], cells[at + 2], cells[at + 3], cells[at + 4]);
      }
      end = PART_CELLS;
    }
  }

  private addCells(): void {
    this.cells = this.parts.cells.take();
    this.cellParts.push(this.cells);
    this.end = 0;
  }

  private addWords(): void {
    this.words = this.parts.words.take();
    this.wordParts.push(this.words);
    this.wordsEnd = 0;
  }
}
