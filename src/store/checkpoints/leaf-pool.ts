import { newPage } from '../../lib/page-memory.ts';
import { LOCATION_WORDS } from './record-location.ts';

/** Records whose locations are in one leaf of the index. */
export const LEAF_ENTRIES = 512;
export const LEAF_WORDS = LEAF_ENTRIES * LOCATION_WORDS;
const LEAF_BYTES = LEAF_WORDS * 4;
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
    return this.slabs.length * CELLS_PER_SLAB * LEAF_BYTES;
  }

  /** A cell of zeros, for the leaf with a key or, without one, for a copy. */
  take(key: number = NO_KEY): number {
    const cell = this.free.pop() ?? this.grow();
    this.keys[cell] = key;
    this.used[cell] = 1;
    if (key !== NO_KEY) this.leaves++;
    this.wordsOf(cell).fill(0);
    return cell;
  }

  release(cell: number): void {
    if (this.keys[cell] !== NO_KEY) this.leaves--;
    this.keys[cell] = NO_KEY;
    this.free.push(cell);
  }

  /** The words of a cell. */
  wordsOf(cell: number): Uint32Array {
    const at = (cell % CELLS_PER_SLAB) * LEAF_WORDS;
    return this.slabOf(cell).subarray(at, at + LEAF_WORDS);
  }

  /** The slab of a cell, which avoids creating a view; the cell begins at `wordAt`. */
  slabOf(cell: number): Uint32Array {
    const slab = this.slabs[Math.floor(cell / CELLS_PER_SLAB)];
    if (slab === undefined) throw new RangeError(`cell ${cell} does not exist`);
    return slab;
  }

  /** The word in its slab at which an entry of a cell begins. */
  wordAt(cell: number, entry: number): number {
    return (cell % CELLS_PER_SLAB) * LEAF_WORDS + entry * LOCATION_WORDS;
  }

  /** Marks a leaf as used. */
  touch(cell: number): void {
    this.used[cell] = 1;
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

  private grow(): number {
    const first = this.keys.length;
    this.slabs.push(new Uint32Array(newPage(CELLS_PER_SLAB * LEAF_BYTES).buffer));
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
