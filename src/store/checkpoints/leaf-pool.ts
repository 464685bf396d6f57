import { newPage } from '../../lib/page-memory.ts';
import {
  LOCATION_WORDS,
  type RecordLocation,
  readLocation,
  writeLocation,
} from './record-location.ts';
import {
  LEAF_ENTRIES,
  LEAF_WORDS,
  type LeafChange,
  type StoredLeaf,
  wordsOfLeaf,
} from './stored-leaf.ts';

/** Where the base of the leaf lies, and a bit for each entry that differs from it. */
const BASE_WORD = LEAF_WORDS;
const MARKS_WORD = BASE_WORD + LOCATION_WORDS;
const CELL_WORDS = MARKS_WORD + LEAF_ENTRIES / 32;
const CELLS_PER_SLAB = 256;
const NO_KEY = -1;

/**
 * Memory for leaves, in slabs of 1 MiB: a buffer per leaf would cost a tenth more. A cell contains
 * the leaf with a key, or a copy of one, which has no key. Leaves that were not used since the last
 * round can be chosen to make room (the clock algorithm).
 */
export class LeafPool {
  private readonly slabs: Uint32Array[] = [];
  private readonly free: number[] = [];
  private keys = new Float64Array();
  private used = new Uint8Array();
  private hand = 0;
  private leaves = 0;

  /** Number of leaves, without copies. */
  get leafCount(): number {
    return this.leaves;
  }

  /** Memory of all cells, in use or not. */
  get sizeBytes(): number {
    return this.slabs.length * CELLS_PER_SLAB * CELL_WORDS * 4;
  }

  /** A cell without locations for the leaf with a key. */
  take(key: number): number {
    const cell = this.free.pop() ?? this.grow();
    this.keys[cell] = key;
    this.used[cell] = 1;
    this.leaves++;
    this.allWordsOf(cell).fill(0);
    return cell;
  }

  /** A cell with what a stored leaf contains. */
  load(key: number, stored: StoredLeaf): number {
    const cell = this.take(key);
    this.wordsOf(cell).set(wordsOfLeaf(stored));
    writeLocation(this.slabOf(cell), this.wordAt(cell, BASE_WORD), stored.base);
    for (const { entry } of stored.changes) this.mark(cell, entry);
    return cell;
  }

  /** A copy of a cell, without a key. */
  copy(cell: number): number {
    const copy = this.free.pop() ?? this.grow();
    this.allWordsOf(copy).set(this.allWordsOf(cell));
    return copy;
  }

  release(cell: number): void {
    if (this.keys[cell] !== NO_KEY) this.leaves--;
    this.keys[cell] = NO_KEY;
    this.free.push(cell);
  }

  /** The location of an entry. */
  read(cell: number, entry: number): RecordLocation | null {
    this.used[cell] = 1;
    return readLocation(this.slabOf(cell), this.wordAt(cell, entry * LOCATION_WORDS));
  }

  /** Replaces the location of an entry and returns the earlier one. */
  replace(cell: number, entry: number, location: RecordLocation | null): RecordLocation | null {
    const before = this.read(cell, entry);
    writeLocation(this.slabOf(cell), this.wordAt(cell, entry * LOCATION_WORDS), location);
    this.mark(cell, entry);
    return before;
  }

  /** All locations of a cell, as a view. */
  wordsOf(cell: number): Uint32Array {
    return this.allWordsOf(cell).subarray(0, LEAF_WORDS);
  }

  /** Where the base of a leaf lies; null if there is none. */
  baseOf(cell: number): RecordLocation | null {
    return readLocation(this.slabOf(cell), this.wordAt(cell, BASE_WORD));
  }

  /** How an entry differs from the base, for each that does; null if more than `limit` do. */
  changesOf(cell: number, limit: number): LeafChange[] | null {
    const marks = this.allWordsOf(cell).subarray(MARKS_WORD);
    const changes: LeafChange[] = [];
    for (let entry = 0; entry < LEAF_ENTRIES; entry++) {
      if (((marks[entry >>> 5] ?? 0) & (1 << (entry & 31))) === 0) continue;
      if (changes.length === limit) return null;
      changes.push({ entry, location: this.read(cell, entry) });
    }
    return changes;
  }

  /** Makes the stored content of another cell, or of this one, the base of a cell. */
  setBase(cell: number, base: RecordLocation | null, stored: number): void {
    const words = this.allWordsOf(cell);
    const storedWords = this.wordsOf(stored);
    words.fill(0, MARKS_WORD);
    writeLocation(words, BASE_WORD, base);
    for (let word = 0; word < LEAF_WORDS; word++) {
      if (words[word] !== storedWords[word]) this.mark(cell, Math.floor(word / LOCATION_WORDS));
    }
  }

  /** Marks every entry as different from the base, so that another base is stored. */
  markAll(cell: number): void {
    this.allWordsOf(cell).fill(0xffff_ffff, MARKS_WORD);
  }

  /** The key of a leaf that may be released and was not used recently; null if there is none. */
  unusedKey(mayRelease: (key: number) => boolean): number | null {
    for (let steps = 2 * this.keys.length; steps > 0; steps--) {
      const cell = this.hand;
      this.hand = (cell + 1) % this.keys.length;
      const key = this.keys[cell] ?? NO_KEY;
      if (key === NO_KEY) continue;
      if (this.used[cell] === 0 && mayRelease(key)) return key;
      this.used[cell] = 0;
    }
    return null;
  }

  private mark(cell: number, entry: number): void {
    const slab = this.slabOf(cell);
    const at = this.wordAt(cell, MARKS_WORD + (entry >>> 5));
    slab[at] = (slab[at] ?? 0) | (1 << (entry & 31));
  }

  private allWordsOf(cell: number): Uint32Array {
    const at = this.wordAt(cell, 0);
    return this.slabOf(cell).subarray(at, at + CELL_WORDS);
  }

  private slabOf(cell: number): Uint32Array {
    const slab = this.slabs[Math.floor(cell / CELLS_PER_SLAB)];
    if (slab === undefined) throw new RangeError(`cell ${cell} does not exist`);
    return slab;
  }

  /** Where a word of a cell is in its slab. */
  private wordAt(cell: number, word: number): number {
    return (cell % CELLS_PER_SLAB) * CELL_WORDS + word;
  }

  private grow(): number {
    const first = this.keys.length;
    this.slabs.push(new Uint32Array(newPage(CELLS_PER_SLAB * CELL_WORDS * 4).buffer));
    const keys = new Float64Array(first + CELLS_PER_SLAB).fill(NO_KEY);
    keys.set(this.keys);
    this.keys = keys;
    const used = new Uint8Array(first + CELLS_PER_SLAB);
    used.set(this.used);
    this.used = used;
    for (let cell = first + CELLS_PER_SLAB - 1; cell > first; cell--) this.free.push(cell);
    return first;
  }
}
