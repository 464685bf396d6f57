import { newPage } from './page-memory.ts';
import { UndoLog } from './undo-log.ts';

/**
 * An unsigned number below 2^32 for each index from 0 on, 0 where none was set: four bytes each in
 * pages, for values that nearly all of many millions of rows have. If few have one, a Map takes
 * less.
 */
export class WordList {
  private readonly undo: UndoLog;
  private readonly pages: Uint8Array[] = [];
  // Word views of the pages, which a graph stores as bytes; not part of the state.
  readonly #words: Uint32Array[] = [];

  constructor(undo = new UndoLog()) {
    this.undo = undo;
  }

  /** Bytes allocated for the numbers, including those never set. */
  get allocatedBytes(): number {
    return this.pages.length * PAGE_WORDS * WORD_BYTES;
  }

  get(at: number): number {
    const page = at >>> PAGE_BITS;
    return page < this.pages.length ? (this.wordsOf(page)[at & PAGE_MASK] ?? 0) : 0;
  }

  set(at: number, word: number): void {
    const page = at >>> PAGE_BITS;
    while (this.pages.length <= page) {
      this.undo.step(() => this.dropPage());
      this.pages.push(newPage(PAGE_WORDS * WORD_BYTES));
    }
    const words = this.wordsOf(page);
    this.undo.words(words, at & PAGE_MASK, 1);
    words[at & PAGE_MASK] = word;
  }

  private dropPage(): void {
    this.pages.pop();
    this.#words.length = Math.min(this.#words.length, this.pages.length);
  }

  private wordsOf(page: number): Uint32Array {
    const known = this.#words[page];
    if (known !== undefined) return known;
    const bytes = this.pages[page];
    if (bytes === undefined) throw new RangeError(`there is no page ${page}`);
    const words = new Uint32Array(bytes.buffer);
    this.#words[page] = words;
    return words;
  }
}

const WORD_BYTES = 4;
const PAGE_BITS = 13;
const PAGE_WORDS = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_WORDS - 1;
