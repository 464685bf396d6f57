/** Takes one change back, given what it was added with. */
type Inverse = (a: never, b: never, c: never, d: never) => void;

/**
 * The steps that take one record of changes back. They lie in one array, an inverse and four operands
 * each, and words that were overwritten in another: an object for each step would take more time to
 * make and to collect than the change it belongs to. A record that was cleared is filled anew without
 * any allocation.
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

  /** `count` words from `start` on come back as they are now. */
  addWords(source: Uint32Array, start: number, count: number): void {
    const at = this.wordsEnd;
    this.wordsEnd = at + count;
    if (this.wordsEnd > this.words.length) this.grow();
    // Rows are short: for them a loop is several times faster than `set` with a `subarray`.
    copyWords(source, start, this.words, at, count);
    this.add(this.restoreWords, source, start, count, at);
  }

  /** Takes everything back, the newest first, so that each step finds what it left behind. */
  revert(): void {
    const { cells } = this;
    for (let at = this.end - STEP_CELLS; at >= 0; at -= STEP_CELLS) {
      const inverse = cells[at] as (a: unknown, b: unknown, c: unknown, d: unknown) => void;
      inverse(cells[at + 1], cells[at + 2], cells[at + 3], cells[at + 4]);
    }
  }

  /** Empties the record. False when it has grown so large that it had better be let go. */
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
/** Two slots of a thousand swaps; what is larger is not held for the next ones. */
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
