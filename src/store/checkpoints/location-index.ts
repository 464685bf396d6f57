import { LEAF_ENTRIES, LeafPool } from './leaf-pool.ts';
import {
  LOCATION_WORDS,
  type RecordLocation,
  readLocation,
  writeLocation,
} from './record-location.ts';
import { SpaceLeaves } from './space-leaves.ts';

/** Reads a stored leaf: the locations up to the last one that is not empty. */
export type ReadLeaf = (space: number, leaf: number, location: RecordLocation) => Uint8Array;

/** A leaf to store. */
export interface ChangedLeaf {
  readonly space: number;
  readonly leaf: number;
  /** Its locations; null if it has none any more. */
  readonly content: Uint8Array | null;
  /** Where its earlier content is stored, which this replaces. */
  readonly before: RecordLocation | null;
}

/** What an entry was: now, and as of the begin of the open checkpoint. */
export interface ReplacedLocations {
  readonly before: RecordLocation | null;
  readonly beforeAsOf: RecordLocation | null;
}

/** Differs from its stored content; is in `changed`. */
const CHANGED = 1;
/** Differs from its stored content as of the begin; is in `changedAsOf`. */
const CHANGED_AS_OF = 2;
/** Has newer content than the checkpoint; its content as of the begin is in `copies`. */
const COPIED = 4;

const LEAF_KEYS = 2 ** 31;
/** Loads between two attempts to make room while all leaves are in use. */
const RETRY_LEAVES = 256;

/**
 * Where each record lies: an array of locations per space, in leaves that are loaded when needed.
 * Unchanged leaves leave memory when there are more than a limit. While a checkpoint is open, a leaf
 * is copied before newer content changes it.
 */
export class LocationIndex {
  private readonly readLeaf: ReadLeaf;
  private readonly leavesMax: number;
  private readonly spaces = new Map<number, SpaceLeaves>();
  private readonly pool = new LeafPool();
  private changed = new Set<number>();
  private changedAsOf = new Set<number>();
  private readonly copies = new Map<number, number>();
  private isOpen = false;
  /** The number of leaves above which to make room; more than `leavesMax` if most are changed. */
  private roomAbove: number;

  /** `roots` are those of an earlier index (`roots`). */
  constructor(
    readLeaf: ReadLeaf,
    leavesMax: number,
    roots: Iterable<readonly [space: number, root: Uint8Array]> = [],
  ) {
    this.readLeaf = readLeaf;
    this.leavesMax = leavesMax;
    this.roomAbove = leavesMax;
    for (const [space, root] of roots) this.spaces.set(space, SpaceLeaves.decode(root));
  }

  get residentBytes(): number {
    return this.pool.sizeBytes;
  }

  find(space: number, id: number): RecordLocation | null {
    const leaves = this.spaces.get(space);
    const leaf = Math.floor(id / LEAF_ENTRIES);
    if (leaves === undefined || leaf >= leaves.length) return null;
    const cell = leaves.cellOf(leaf) ?? this.load(space, leaf, leaves);
    return cell === null ? null : this.read(cell, id);
  }

  /** Replaces a location, null for none, and returns the earlier one. */
  set(space: number, id: number, location: RecordLocation | null): RecordLocation | null {
    const leaf = Math.floor(id / LEAF_ENTRIES);
    const leaves = this.spaceOf(space, leaf);
    const cell = this.cellOf(space, leaf, leaves);
    this.copy(space, leaf, leaves);
    this.mark(space, leaf, CHANGED);
    return this.replace(cell, id, location);
  }

  /** Replaces a location in the open checkpoint as well. */
  setAsOf(space: number, id: number, location: RecordLocation): ReplacedLocations {
    const leaf = Math.floor(id / LEAF_ENTRIES);
    const leaves = this.spaceOf(space, leaf);
    const cell = this.cellOf(space, leaf, leaves);
    this.mark(space, leaf, CHANGED_AS_OF);
    const before = this.replace(cell, id, location);
    if ((leaves.stateOf(leaf) & COPIED) === 0) return { before, beforeAsOf: before };
    const copy = this.copies.get(keyOf(space, leaf));
    if (copy === undefined) throw new RangeError(`leaf ${leaf} of space ${space} has no copy`);
    return { before, beforeAsOf: this.replace(copy, id, location) };
  }

  /** Where a leaf is stored; null if it was never stored. */
  leafLocation(space: number, leaf: number): RecordLocation | null {
    const leaves = this.spaces.get(space);
    return leaves === undefined || leaf >= leaves.length ? null : leaves.locationOf(leaf);
  }

  /** Stores a leaf again with the next checkpoint. */
  moveLeaf(space: number, leaf: number): void {
    this.cellOf(space, leaf, this.spaceOf(space, leaf));
    this.mark(space, leaf, CHANGED);
  }

  /** Begins a checkpoint: from now on, leaves are copied before they change. */
  begin(): void {
    this.isOpen = true;
    this.changedAsOf = this.changed;
    this.changed = new Set();
    for (const key of this.changedAsOf) this.leavesOf(key).setState(leafOf(key), CHANGED_AS_OF);
  }

  /**
   * Stores up to `limit` leaves as of the begin. Returns whether none is left. `write` must not
   * change the index.
   */
  writeChanged(limit: number, write: (leaf: ChangedLeaf) => RecordLocation | null): boolean {
    let written = 0;
    for (const key of this.changedAsOf) {
      if (written === limit) return false;
      written++;
      const leaf = leafOf(key);
      const leaves = this.leavesOf(key);
      const cell = this.copies.get(key) ?? leaves.cellOf(leaf);
      if (cell === null) throw new RangeError(`changed leaf ${leaf} is not in memory`);
      const before = leaves.locationOf(leaf);
      const content = contentOf(this.pool.wordsOf(cell));
      leaves.setLocation(leaf, write({ space: spaceOf(key), leaf, content, before }));
      leaves.setState(leaf, leaves.stateOf(leaf) & ~CHANGED_AS_OF);
      this.changedAsOf.delete(key);
    }
    return true;
  }

  /** Ends the checkpoint, written or not. */
  end(): void {
    this.isOpen = false;
    for (const cell of this.copies.values()) this.pool.release(cell);
    for (const key of this.copies.keys()) this.unmark(key, COPIED);
    this.copies.clear();
    for (const key of this.changedAsOf) {
      this.unmark(key, CHANGED_AS_OF);
      this.mark(spaceOf(key), leafOf(key), CHANGED);
    }
    this.changedAsOf.clear();
    this.roomAbove = this.leavesMax;
  }

  /** Where the leaves are stored, by space. */
  *roots(): Iterable<readonly [space: number, root: Uint8Array]> {
    for (const [space, leaves] of this.spaces) yield [space, leaves.encode()];
  }

  /** Spaces and how many leaves they have. */
  *leafCounts(): Iterable<readonly [space: number, leaves: number]> {
    for (const [space, { length }] of this.spaces) yield [space, length];
  }

  private spaceOf(space: number, leaf: number): SpaceLeaves {
    let leaves = this.spaces.get(space);
    if (leaves === undefined) {
      leaves = new SpaceLeaves();
      this.spaces.set(space, leaves);
    }
    leaves.extend(leaf);
    return leaves;
  }

  private leavesOf(key: number): SpaceLeaves {
    return this.spaceOf(spaceOf(key), leafOf(key));
  }

  /** The cell of a leaf, which is created if it does not exist. */
  private cellOf(space: number, leaf: number, leaves: SpaceLeaves): number {
    const existing = leaves.cellOf(leaf) ?? this.load(space, leaf, leaves);
    if (existing !== null) return existing;
    this.makeRoom();
    const cell = this.pool.take(keyOf(space, leaf));
    leaves.setCell(leaf, cell);
    return cell;
  }

  /** Loads a leaf; null if it is not stored. */
  private load(space: number, leaf: number, leaves: SpaceLeaves): number | null {
    const location = leaves.locationOf(leaf);
    if (location === null) return null;
    const content = this.readLeaf(space, leaf, location);
    this.makeRoom();
    const cell = this.pool.take(keyOf(space, leaf));
    const words = this.pool.wordsOf(cell);
    new Uint8Array(words.buffer, words.byteOffset, words.byteLength).set(content);
    leaves.setCell(leaf, cell);
    return cell;
  }

  private makeRoom(): void {
    if (this.pool.leafCount < this.roomAbove) return;
    const key = this.pool.unusedKey((each) => this.leavesOf(each).stateOf(leafOf(each)) === 0);
    if (key === null) {
      this.roomAbove += RETRY_LEAVES;
      return;
    }
    const leaves = this.leavesOf(key);
    const cell = leaves.cellOf(leafOf(key));
    leaves.setCell(leafOf(key), null);
    if (cell !== null) this.pool.release(cell);
  }

  private copy(space: number, leaf: number, leaves: SpaceLeaves): void {
    const state = leaves.stateOf(leaf);
    const cell = leaves.cellOf(leaf);
    if (!this.isOpen || (state & COPIED) !== 0 || cell === null) return;
    const copy = this.pool.take();
    this.pool.wordsOf(copy).set(this.pool.wordsOf(cell));
    this.copies.set(keyOf(space, leaf), copy);
    leaves.setState(leaf, state | COPIED);
  }

  private mark(space: number, leaf: number, bit: typeof CHANGED | typeof CHANGED_AS_OF): void {
    const leaves = this.spaceOf(space, leaf);
    const state = leaves.stateOf(leaf);
    if ((state & bit) !== 0) return;
    leaves.setState(leaf, state | bit);
    (bit === CHANGED ? this.changed : this.changedAsOf).add(keyOf(space, leaf));
  }

  private unmark(key: number, bit: number): void {
    const leaves = this.leavesOf(key);
    leaves.setState(leafOf(key), leaves.stateOf(leafOf(key)) & ~bit);
  }

  private read(cell: number, id: number): RecordLocation | null {
    this.pool.touch(cell);
    return readLocation(this.pool.slabOf(cell), this.pool.wordAt(cell, id % LEAF_ENTRIES));
  }

  private replace(cell: number, id: number, location: RecordLocation | null) {
    const before = this.read(cell, id);
    writeLocation(this.pool.slabOf(cell), this.pool.wordAt(cell, id % LEAF_ENTRIES), location);
    return before;
  }
}

/** The bytes of a leaf up to its last location; null if it has none. */
function contentOf(words: Uint32Array): Uint8Array | null {
  let end = words.length;
  while (end > 0 && words[end - LOCATION_WORDS] === 0) end -= LOCATION_WORDS;
  return end === 0 ? null : new Uint8Array(words.buffer, words.byteOffset, end * 4);
}

function keyOf(space: number, leaf: number): number {
  return space * LEAF_KEYS + leaf;
}

function spaceOf(key: number): number {
  return Math.floor(key / LEAF_KEYS);
}

function leafOf(key: number): number {
  return key % LEAF_KEYS;
}
