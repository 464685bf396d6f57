/** Reverts one change, given the operands it was recorded with. */
type Inverse = (a: never, b: never, c: never, d: never) => void;

/**
 * The steps that revert one record of changes. They are stored in one array, an inverse and four
 * operands each, and overwritten words in another: one object per step would take more time to
 * create and collect than the change itself. A cleared record is reused without any allocation.
 */
export class UndoRecord {
  private readonly cells: unknown[] = [];
  private end = 0;
  private words = new Uint32Array(WORDS_MIN);
  private wordsEnd = 0;

  add(inverse: Inverse, a?: unknown, b?: unknown, c?: unknown, d?: unknown): void {
    const { cells, end } = this;
    this.end = end + STEP_CELLS;
    if (end === cells.length) {
      cells.push(inverse, a, b, c, d);
      return;
    }
    cells[end] = inverse;
    cells[end + 1] = a;
    cells[end + 2] = b;
    cells[end + 3] = c;
    cells[end + 4] = d;
  }

  /** Keeps `count` words from `start` on as they are now. */
  addWords(source: Uint32Array, start: number, count: number): void {
    const at = this.wordsEnd;
    this.wordsEnd = at + count;
    if (this.wordsEnd > this.words.length) this.grow();
    // Rows are short: for them a loop is several times faster than `set` with a `subarray`.
    copyWords(source, start, this.words, at, count);
    this.add(this.restoreWords, source, start, count, at);
  }

  /** Reverts all steps, the newest first, so each finds the state that it left behind. */
  revert(): void {
    const { cells } = this;
    for (let at = this.end - STEP_CELLS; at >= 0; at -= STEP_CELLS) {
      const inverse = cells[at] as (a: unknown, b: unknown, c: unknown, d: unknown) => void;
      inverse(cells[at + 1], cells[at + 2], cells[at + 3], cells[at + 4]);
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

  private readonly restoreWords = (
    target: Uint32Array,
    start: number,
    count: number,
    at: number,
  ): void => copyWords(this.words, at, target, start, count);

  private grow(): void {
    const larger = new Uint32Array(2 ** Math.ceil(Math.log2(this.wordsEnd)));
    larger.set(this.words);
    this.words = larger;
  }
}

/** An inverse and its operands. */
const STEP_CELLS = 5;
const WORDS_MIN = 1_024;
/** Two slots of a thousand swaps; larger records are not reused. */
const CELLS_KEPT_MAX = 1 << 17;
const WORDS_KEPT_MAX = 1 << 18;

function copyWords(
  source: Uint32Array,
  from: number,
  target: Uint32Array,
  to: number,
  count: number,
): void {
  for (let index = 0; index < count; index++) target[to + index] = source[from + index] ?? 0;
}
