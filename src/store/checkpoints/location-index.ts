import { LeafPool } from './leaf-pool.ts';
import { isSameLocation, type RecordLocation } from './record-location.ts';
import { SpaceLeaves } from './space-leaves.ts';
import { contentOfLeaf, encodeLeafChanges, LEAF_ENTRIES, type StoredLeaf } from './stored-leaf.ts';

/** Reads a stored leaf. */
export type ReadLeaf = (space: number, leaf: number, location: RecordLocation) => StoredLeaf;

/** A leaf to store. */
export interface ChangedLeaf {
  readonly space: number;
  readonly leaf: number;
  /** All locations, or changes of them (`encodeLeafChanges`). */
  readonly kind: 'leaf' | 'leafChanges';
  /** Null if it has no locations any more. */
  readonly content: Uint8Array | null;
  /** Records that nothing refers to any more once this is stored. */
  readonly replaced: readonly RecordLocation[];
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
/**
 * With more changes a leaf is stored in full. Of a leaf with c changes per checkpoint, 6 * 80 bytes
 * of changes are written on average, and 4 KiB every 80 / c checkpoints.
 */
const CHANGES_MAX = 80;
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
    return cell === null ? null : this.pool.read(cell, id % LEAF_ENTRIES);
  }

  /** Replaces a location, null for none, and returns the earlier one. */
  set(space: number, id: number, location: RecordLocation | null): RecordLocation | null {
    const leaf = Math.floor(id / LEAF_ENTRIES);
    const leaves = this.spaceOf(space, leaf);
    const cell = this.cellOf(space, leaf, leaves);
    this.copy(space, leaf, leaves);
    this.mark(space, leaf, CHANGED);
    return this.pool.replace(cell, id % LEAF_ENTRIES, location);
  }

  /** Replaces a location in the open checkpoint as well; null for none. */
  setAsOf(space: number, id: number, location: RecordLocation | null): ReplacedLocations {
    const leaf = Math.floor(id / LEAF_ENTRIES);
    const leaves = this.spaceOf(space, leaf);
    const cell = this.cellOf(space, leaf, leaves);
    this.mark(space, leaf, CHANGED_AS_OF);
    const entry = id % LEAF_ENTRIES;
    const before = this.pool.replace(cell, entry, location);
    if ((leaves.stateOf(leaf) & COPIED) === 0) return { before, beforeAsOf: before };
    const copy = this.copies.get(keyOf(space, leaf));
    if (copy === undefined) throw new RangeError(`leaf ${leaf} of space ${space} has no copy`);
    return { before, beforeAsOf: this.pool.replace(copy, entry, location) };
  }

  /** Where a leaf is stored; null if it was never stored. */
  leafLocation(space: number, leaf: number): RecordLocation | null {
    const leaves = this.spaces.get(space);
    return leaves === undefined || leaf >= leaves.length ? null : leaves.locationOf(leaf);
  }

  /** Where the base of a leaf lies; null if it was never stored. */
  baseLocation(space: number, leaf: number): RecordLocation | null {
    if (this.leafLocation(space, leaf) === null) return null;
    return this.pool.baseOf(this.cellOf(space, leaf, this.spaceOf(space, leaf)));
  }

  /** Stores a leaf again in full with the next checkpoint. */
  moveLeaf(space: number, leaf: number): void {
    this.pool.markAll(this.cellOf(space, leaf, this.spaceOf(space, leaf)));
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
      const changed = this.changedLeaf(key, cell);
      const location = write(changed);
      leaves.setLocation(leaf, location);
      if (changed.kind === 'leaf') {
        const current = leaves.cellOf(leaf) ?? cell;
        this.pool.setBase(current, location, cell);
      }
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

  /** How to store a leaf, whose content is in a cell. */
  private changedLeaf(key: number, cell: number): ChangedLeaf {
    const space = spaceOf(key);
    const leaf = leafOf(key);
    const stored = this.leavesOf(key).locationOf(leaf);
    const base = this.pool.baseOf(cell);
    // A stored leaf without changes is its own base.
    const isChanges = stored !== null && base !== null && !isSameLocation(stored, base);
    const ofChanges = isChanges ? [stored] : [];
    const content = contentOfLeaf(this.pool.wordsOf(cell));
    const changes = this.pool.changesOf(cell, CHANGES_MAX);
    if (base === null || content === null || changes === null) {
      const replaced = base === null ? ofChanges : [...ofChanges, base];
      return { space, leaf, kind: 'leaf', content, replaced };
    }
    const bytes = encodeLeafChanges(base, changes);
    return { space, leaf, kind: 'leafChanges', content: bytes, replaced: ofChanges };
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
    const stored = this.readLeaf(space, leaf, location);
    this.makeRoom();
    const cell = this.pool.load(keyOf(space, leaf), stored);
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
    this.copies.set(keyOf(space, leaf), this.pool.copy(cell));
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
