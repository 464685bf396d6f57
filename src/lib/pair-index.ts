import { newPage } from './page-memory.ts';
import { UndoLog } from './undo-log.ts';

/**
 * Maps pairs of numbers to row numbers, all of them unsigned and below 2^32 - 1. Open addressing in
 * pages of bytes: a Map would need a key object or a text for each pair.
 *
 * Every word overwritten while a record of changes is open is kept, so an undo restores the exact
 * cells and not only the pairs.
 */
export class PairIndex {
  private readonly undo: UndoLog;
  private state: IndexState;
  // Word views of the state's pages, which a graph stores as bytes.
  #words: Uint32Array[] | null = null;
  #wordsOf: readonly Uint8Array[] | null = null;

  constructor(undo = new UndoLog()) {
    this.undo = undo;
    this.state = newState(CELLS_MIN);
  }

  get size(): number {
    return this.state.size;
  }

  /** Bytes allocated for the pairs, including free cells. */
  get allocatedBytes(): number {
    return this.state.cells * CELL_WORDS * 4;
  }

  /** Returns the row of a pair, -1 if there is none. */
  get(a: number, b: number): number {
    const words = this.words();
    return rowAt(words, findCell(words, this.state.cells, a, b));
  }

  set(a: number, b: number, row: number): void {
    let words = this.words();
    let cell = findCell(words, this.state.cells, a, b);
    if (rowAt(words, cell) === -1) {
      if ((this.state.size + 1) * 4 > this.state.cells * 3) {
        this.grow();
        words = this.words();
        cell = findCell(words, this.state.cells, a, b);
      }
      this.undo.keep(this.state);
      this.state.size++;
    }
    this.write(words, cell, a, b, row + 1);
  }

  /** Does nothing if the pair is absent. */
  delete(a: number, b: number): void {
    const words = this.words();
    const mask = this.state.cells - 1;
    let hole = findCell(words, this.state.cells, a, b);
    if (rowAt(words, hole) === -1) return;
    this.undo.keep(this.state);
    this.state.size--;
    // Moves up the pairs displaced by the deleted one; otherwise a later search would stop too
    // early.
    for (let cell = (hole + 1) & mask; ; cell = (cell + 1) & mask) {
      const page = pageOf(words, cell);
      const at = wordOf(cell);
      const [nextA, nextB, tag] = [page[at] ?? 0, page[at + 1] ?? 0, page[at + 2] ?? 0];
      if (tag === 0) break;
      const home = hashOf(nextA, nextB) & mask;
      if (((cell - home) & mask) < ((cell - hole) & mask)) continue;
      this.write(words, hole, nextA, nextB, tag);
      hole = cell;
    }
    this.write(words, hole, 0, 0, 0);
  }

  /** Pairs and their rows, in no particular order. */
  *entries(): Generator<[a: number, b: number, row: number]> {
    const words = this.words();
    for (let cell = 0; cell < this.state.cells; cell++) {
      const page = pageOf(words, cell);
      const at = wordOf(cell);
      const tag = page[at + 2] ?? 0;
      if (tag !== 0) yield [page[at] ?? 0, page[at + 1] ?? 0, tag - 1];
    }
  }

  /** Like `entries`, for iterating over millions: allocates nothing per pair. */
  forEach(visit: (a: number, b: number, row: number) => void): void {
    for (const page of this.words()) {
      for (let at = 0; at < page.length; at += CELL_WORDS) {
        const tag = page[at + 2] ?? 0;
        if (tag !== 0) visit(page[at] ?? 0, page[at + 1] ?? 0, tag - 1);
      }
    }
  }

  private words(): Uint32Array[] {
    const { pages } = this.state;
    if (this.#words !== null && this.#wordsOf === pages) return this.#words;
    this.#wordsOf = pages;
    this.#words = pages.map(({ buffer }) => new Uint32Array(buffer));
    return this.#words;
  }

  private write(words: readonly Uint32Array[], cell: number, a: number, b: number, tag: number) {
    const page = pageOf(words, cell);
    const at = wordOf(cell);
    this.undo.words(page, at, CELL_WORDS);
    put(page, at, a, b, tag);
  }

  /** Doubles the cells and re-inserts all pairs; the old pages stay unchanged for an undo. */
  private grow(): void {
    const old = this.state;
    const larger = newState(old.cells * 2);
    larger.size = old.size;
    const entries = this.entries();
    const words = larger.pages.map(({ buffer }) => new Uint32Array(buffer));
    for (const [a, b, row] of entries) {
      const cell = findCell(words, larger.cells, a, b);
      put(pageOf(words, cell), wordOf(cell), a, b, row + 1);
    }
    this.undo.keep(this);
    this.state = larger;
  }
}

/** The cells of the pairs: a, b and the row plus one; 0 marks an empty cell. */
export interface IndexState {
  readonly pages: readonly Uint8Array[];
  /** A power of two. */
  readonly cells: number;
  size: number;
}

const CELL_WORDS = 3;
const CELLS_MIN = 1 << 4;
const PAGE_BITS = 13;
const PAGE_MASK = (1 << PAGE_BITS) - 1;

function newState(cells: number): IndexState {
  const pageCells = Math.min(cells, 1 << PAGE_BITS);
  const pages = Array.from({ length: cells / pageCells }, () =>
    newPage(pageCells * CELL_WORDS * 4),
  );
  return { pages, cells, size: 0 };
}

function pageOf(words: readonly Uint32Array[], cell: number): Uint32Array {
  return words[cell >>> PAGE_BITS] as Uint32Array;
}

function wordOf(cell: number): number {
  return (cell & PAGE_MASK) * CELL_WORDS;
}

function rowAt(words: readonly Uint32Array[], cell: number): number {
  return (pageOf(words, cell)[wordOf(cell) + 2] ?? 0) - 1;
}

function put(page: Uint32Array, at: number, a: number, b: number, tag: number): void {
  page[at] = a;
  page[at + 1] = b;
  page[at + 2] = tag;
}

/** The cell of a pair, or the free cell where it belongs. */
function findCell(words: readonly Uint32Array[], cells: number, a: number, b: number): number {
  const mask = cells - 1;
  for (let cell = hashOf(a, b) & mask; ; cell = (cell + 1) & mask) {
    const page = pageOf(words, cell);
    const at = wordOf(cell);
    if (page[at + 2] === 0 || (page[at] === a && page[at + 1] === b)) return cell;
  }
}

/** The finaliser of MurmurHash3 over both numbers: neighbouring numbers hash far apart. */
function hashOf(a: number, b: number): number {
  let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b ^ (b >>> 15), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
