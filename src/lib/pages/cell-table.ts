import { wordsOfClass } from './block-heap.ts';
import { firstWordOf } from './page-frames.ts';
import { BLOCK_WORDS } from './page-layout.ts';
import type { PagePool } from './page-pool.ts';
import type { PageSpace } from './page-space.ts';

/** Words before the cells: the number of cells in use, and one for the owner. */
const HEAD_WORDS = 2;
const CELL_WORDS = 2;

/** Cells of a table in a chunk of so many words. */
function cellsIn(words: number): number {
  return (words - HEAD_WORDS) / CELL_WORDS;
}

/**
 * A hash table in one chunk of a page (block-heap.ts): cells of a key and a value above zero, with
 * open addressing. It is placed on a chunk by `open` and can be placed on another one afterwards;
 * a placement is valid until the end of the slot.
 */
export class CellTable {
  private readonly space: PageSpace;
  private readonly pool: PagePool;
  private frame = 0;
  private words: Uint32Array = new Uint32Array(0);
  /** The first word of the chunk in its slab and in its page, and the number of cells. */
  private start = 0;
  private startInPage = 0;
  private cells = 0;

  constructor(space: PageSpace, pool: PagePool) {
    this.space = space;
    this.pool = pool;
  }

  /** Places the table on the chunk at an address, of `words` words. */
  open(address: number, words: number): this {
    this.place(address);
    this.cells = cellsIn(words);
    return this;
  }

  /** The same for a chunk whose class plus one is the owner's word; without it, only `own` counts. */
  openChunk(address: number): this {
    this.place(address);
    this.cells = cellsIn(wordsOfClass(this.own - 1));
    return this;
  }

  /** Cells in use. */
  get count(): number {
    return this.words[this.start] as number;
  }

  /** True if no further key fits without long searches. */
  get isFull(): boolean {
    return (this.count + 1) * 4 > this.cells * 3;
  }

  /** True if a further key would make searches very long. */
  get isCrammed(): boolean {
    return (this.count + 1) * 16 > this.cells * 15;
  }

  /** The word of the owner. */
  get own(): number {
    return this.words[this.start + 1] as number;
  }

  set own(word: number) {
    this.change(1);
    this.words[this.start + 1] = word;
  }

  /** The value of a key, 0 if there is none. */
  get(key: number): number {
    return this.words[this.find(key) + 1] as number;
  }

  /** Replaces the value of a key; returns false if there is none. */
  replace(key: number, value: number): boolean {
    const at = this.find(key);
    if (this.words[at + 1] === 0) return false;
    this.write(at, key, value);
    return true;
  }

  /** Adds a key that is not in the table, which must not be full. */
  add(key: number, value: number): void {
    this.write(this.find(key), key, value);
    this.setCount(this.count + 1);
  }

  /** Removes a key and returns whether it was there. */
  remove(key: number): boolean {
    let hole = this.find(key);
    if (this.words[hole + 1] === 0) return false;
    // Moves up the keys displaced by the removed one; otherwise a later search would stop too early.
    for (let at = this.after(hole); this.words[at + 1] !== 0; at = this.after(at)) {
      const next = this.words[at] as number;
      const home = this.homeOf(next);
      const isBetween = hole <= at ? home > hole && home <= at : home > hole || home <= at;
      if (isBetween) continue;
      this.write(hole, next, this.words[at + 1] as number);
      hole = at;
    }
    this.write(hole, 0, 0);
    this.setCount(this.count - 1);
    return true;
  }

  /** Calls `visit` for each key and value. */
  forEach(visit: (key: number, value: number) => void): void {
    const end = this.start + HEAD_WORDS + this.cells * CELL_WORDS;
    for (let at = this.start + HEAD_WORDS; at < end; at += CELL_WORDS) {
      const value = this.words[at + 1] as number;
      if (value !== 0) visit(this.words[at] as number, value);
    }
  }

  /** Removes all keys and the owner's word. */
  clear(): void {
    const words = HEAD_WORDS + this.cells * CELL_WORDS;
    for (let word = 0; word < words; word++) {
      if (this.words[this.start + word] === 0) continue;
      this.change(word);
      this.words[this.start + word] = 0;
    }
  }

  private place(address: number): void {
    const frame = this.space.frameOf(address >>> 5);
    this.frame = frame;
    this.words = this.pool.frames.slabOf(frame).words;
    this.startInPage = (address & 31) * BLOCK_WORDS;
    this.start = firstWordOf(frame) + this.startInPage;
  }

  /** The cell of a key, or the free cell where it belongs. */
  private find(key: number): number {
    const { words } = this;
    let at = this.homeOf(key);
    while (words[at + 1] !== 0 && words[at] !== key) at = this.after(at);
    return at;
  }

  private homeOf(key: number): number {
    const cell = Math.floor((placeHash(key) * this.cells) / 2 ** 32);
    return this.start + HEAD_WORDS + cell * CELL_WORDS;
  }

  private after(at: number): number {
    const next = at + CELL_WORDS;
    const first = this.start + HEAD_WORDS;
    return next < first + this.cells * CELL_WORDS ? next : first;
  }

  private write(at: number, key: number, value: number): void {
    this.change(at - this.start);
    this.words[at] = key;
    this.words[at + 1] = value;
  }

  private setCount(count: number): void {
    this.change(0);
    this.words[this.start] = count;
  }

  private change(word: number): void {
    this.pool.change(this.frame, 1 << ((this.startInPage + word) >>> 3));
  }
}

/** The finaliser of MurmurHash3: neighbouring keys hash far apart. Below 2^32. */
function placeHash(key: number): number {
  let hash = Math.imul(key ^ (key >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
