import { ObjectHashes } from './object-hashes.ts';
import { OBJECT } from './object-step.ts';
import type { AgeCounts } from './pages/age-counts.ts';
import { DamagedStateError, type PagePool } from './pages/page-pool.ts';
import type { PageSpace } from './pages/page-space.ts';
import type { PooledObjects } from './pages/pooled-objects.ts';
import { UndoLog } from './undo-log.ts';
import { WordList } from './word-list.ts';

/** Converts objects to text and back. `decode` returns what was encoded, as a new object. */
export interface ObjectFormat<Value> {
  /** Another name means another layout. */
  readonly name: string;
  encode(value: Value): string;
  /** Throws for anything that `encode` did not return. */
  decode(text: string): Value;
}

/** An object in memory. */
interface Entry<Value> {
  /** Null when the object was removed; the entry remains until the store knows. */
  value: Value | null;
  /** When it was last used. */
  tick: number;
  /** The checkpoint that its changes belong to; 0 if it is as stored. */
  dirty: number;
  /** Bytes when it was encoded last; 0 if it never was. */
  bytes: number;
  /** The record of changes that the last call of `changing` was in. */
  record: number;
}

/**
 * Objects by number. Those in use are ordinary objects in memory; others lie encoded in the store
 * of the pool and come back, as new objects, when they are asked for.
 *
 * Call `changing` before an object changes, in every slot: it is then stored with the next
 * checkpoint, and its hash is part of the sums. What the change is undone with is the caller's: as
 * for any object, `UndoLog.keep` or the like. An object stays in memory as long as one of its
 * changes can be undone.
 */
export class ObjectMap<Value extends object> implements PooledObjects {
  private readonly undo: UndoLog;
  private readonly pages: PagePool;
  private readonly format: ObjectFormat<Value>;
  private readonly space: PageSpace;
  private readonly hashes: ObjectHashes;
  /** One word: how many objects there are. */
  private readonly count: WordList;
  private readonly entries = new Map<number, Entry<Value>>();
  /** Those that `evictBefore` has yet to examine, null for all. While it rests it holds old tables. */
  private candidates: MapIterator<[number, Entry<Value>]> | null = null;
  /** How many came into memory since its last call. */
  private arrived = 0;
  /** Objects whose hash may be outdated, and those of them that `settleIdle` has yet to examine. */
  private readonly unsettled = new Map<number, Entry<Value>>();
  private idle = this.unsettled.entries();

  constructor(format: ObjectFormat<Value>, undo = new UndoLog(), name = 'objects') {
    this.format = format;
    this.undo = undo;
    this.pages = undo.pages;
    this.space = this.pages.createSpace(name, format.name);
    this.hashes = new ObjectHashes(undo, `${name} hashes`);
    this.count = new WordList(undo, `${name} count`);
    this.pages.addObjects(this);
  }

  /** Number of objects. */
  get size(): number {
    return this.count.get(0);
  }

  /** Number of objects in memory. */
  get residentCount(): number {
    return this.entries.size;
  }

  has(id: number): boolean {
    const known = this.entries.get(id);
    return known === undefined ? this.hashes.has(id) : known.value !== null;
  }

  get(id: number): Value | undefined {
    return this.entryOf(id)?.value ?? undefined;
  }

  /** Adds an object, or replaces the one of this number. */
  set(id: number, value: Value): void {
    const before = this.get(id) ?? null;
    this.undo.step(OBJECT, this, id, before);
    this.put(id, value);
    if (before === null) this.count.set(0, this.size + 1);
  }

  /** Removes an object, if there is one. */
  delete(id: number): void {
    const before = this.get(id);
    if (before === undefined) return;
    this.undo.step(OBJECT, this, id, before);
    this.put(id, null);
    this.count.set(0, this.size - 1);
  }

  /** Call before an object changes. Throws RangeError for a number without an object. */
  changing(id: number): Value {
    const entry = this.entryOf(id);
    if (entry?.value == null) throw new RangeError(`there is no object ${id}`);
    this.touch(id, entry);
    if (this.undo.isOpen && entry.record !== this.undo.record) {
      entry.record = this.undo.record;
      this.undo.step(OBJECT, this, id, entry.value);
    }
    return entry.value;
  }

  /** The object of a number that is in memory, null for none. For an undo. */
  resident(id: number): Value | null {
    return this.entries.get(id)?.value ?? null;
  }

  /** Sets the object of a number, null for none. Called by an undo. */
  restore(id: number, value: Value | null): void {
    this.put(id, value);
  }

  settle(): void {
    for (const [id, entry] of this.unsettled) this.settleEntry(id, entry);
  }

  settleForCheckpoint(): void {
    for (const [id, entry] of this.unsettled) {
      const bytes = this.settleEntry(id, entry);
      if (entry.dirty !== 0) this.storeAsOf(id, entry, bytes);
    }
  }

  settleIdle(): void {
    this.settleSome(IDLE_EXAMINED, IDLE_TICKS);
  }

  settleAhead(slotsLeft: number): void {
    this.settleSome(Math.ceil(this.unsettled.size / slotsLeft), 1);
  }

  /** Examines so many changed objects, and settles those that were not used for so many slots. */
  private settleSome(count: number, idleTicks: number): void {
    const idleSince = this.pages.tick - idleTicks;
    for (let examined = 0; examined < count; examined++) {
      const { value: next } = this.idle.next();
      if (next === undefined) {
        this.idle = this.unsettled.entries();
        return;
      }
      const [id, entry] = next;
      if (entry.tick < idleSince) this.settleEntry(id, entry);
    }
  }

  /** Numbers of objects that differ from their hash, with no call of `changing`. For tests. */
  unannounced(): number[] {
    const found: number[] = [];
    for (const [id, { value }] of this.entries) {
      if (value === null || this.unsettled.has(id)) continue;
      if (!this.hashes.isOf(id, this.bytesOf(value))) found.push(id);
    }
    return found;
  }

  addAges(ages: AgeCounts): void {
    // One step leads it to the table of now: others would stay in memory, with all their entries.
    if (this.candidates?.next().done === true) this.candidates = null;
    const now = this.pages.tick;
    for (const { tick, bytes } of this.entries.values()) {
      ages.add(now - tick, ENTRY_BYTES + bytes * BYTES_OF_ENCODED);
    }
  }

  evictBefore(tick: number, count: number): void {
    // Older records may restore an object only by its identity.
    const before = Math.min(tick, this.pages.tick - this.undo.size);
    let left = count + ARRIVED_FACTOR * this.arrived;
    this.arrived = 0;
    // One round at most: the iterator begins again at the end.
    const examinedMax = Math.min(this.entries.size + 1, EXAMINED_FACTOR * left);
    for (let examined = 0; examined < examinedMax && left > 0; examined++) {
      this.candidates ??= this.entries.entries();
      const { value: next } = this.candidates.next();
      if (next === undefined) this.candidates = null;
      else if (next[1].tick < before) {
        this.evict(...next);
        left--;
      }
    }
  }

  dirtyIds(): number[] {
    const ids: number[] = [];
    for (const [id, { dirty }] of this.entries) if (dirty !== 0) ids.push(id);
    return ids;
  }

  writeAsOf(id: number): void {
    const entry = this.entries.get(id);
    if (entry === undefined || entry.dirty === 0 || entry.dirty === this.pages.checkpoint) return;
    this.storeAsOf(id, entry, this.storedBytes(entry));
  }

  private storeAsOf(id: number, entry: Entry<Value>, bytes: Uint8Array | null): void {
    this.pages.store?.putAsOf(this.space.number, id, bytes);
    entry.dirty = 0;
    if (entry.value === null) this.entries.delete(id);
  }

  private evict(id: number, entry: Entry<Value>): void {
    const settled = this.unsettled.has(id) ? this.settleEntry(id, entry) : undefined;
    if (entry.dirty !== 0) this.storeNewest(id, entry, settled);
    this.entries.delete(id);
  }

  /** `bytes`: what it is stored as, if that is known. */
  private storeNewest(id: number, entry: Entry<Value>, bytes = this.storedBytes(entry)): void {
    const isOfCheckpoint = this.pages.isWriting && entry.dirty !== this.pages.checkpoint;
    if (isOfCheckpoint) this.writeAsOf(id);
    else this.pages.store?.put(this.space.number, id, bytes);
  }

  /** Brings the hash of an object up to date. Returns what it is stored as; null if it was removed. */
  private settleEntry(id: number, entry: Entry<Value>): Uint8Array | null {
    this.unsettled.delete(id);
    const bytes = this.storedBytes(entry);
    this.hashes.set(id, bytes);
    // There is no store that has to know of a removal.
    if (bytes === null && this.pages.store === null) this.entries.delete(id);
    return bytes;
  }

  private storedBytes(entry: Entry<Value>): Uint8Array | null {
    return entry.value === null ? null : this.encode(entry);
  }

  private entryOf(id: number): Entry<Value> | undefined {
    const known = this.entries.get(id);
    if (known !== undefined) {
      known.tick = this.pages.tick;
      return known;
    }
    return this.hashes.has(id) ? this.load(id) : undefined;
  }

  private load(id: number): Entry<Value> {
    const bytes = this.pages.store?.read(this.space.number, id) ?? null;
    if (bytes === null || !this.hashes.isOf(id, bytes)) {
      throw new DamagedStateError(`object ${id} of "${this.space.name}" is damaged`);
    }
    const value = this.format.decode(Buffer.from(bytes).toString('utf8'));
    const entry = { value, tick: this.pages.tick, dirty: 0, bytes: bytes.length, record: 0 };
    this.entries.set(id, entry);
    this.arrived++;
    return entry;
  }

  /** Sets the value of a number, also when an undo restores it. */
  private put(id: number, value: Value | null): void {
    const known = this.entries.get(id);
    if (known !== undefined) {
      this.touch(id, known);
      known.value = value;
      return;
    }
    const entry = { value, tick: this.pages.tick, dirty: 0, bytes: 0, record: 0 };
    this.entries.set(id, entry);
    this.arrived++;
    this.touch(id, entry);
  }

  private touch(id: number, entry: Entry<Value>): void {
    const { checkpoint } = this.pages;
    entry.tick = this.pages.tick;
    if (entry.dirty !== checkpoint) {
      if (entry.dirty !== 0 && this.pages.isWriting) this.writeAsOf(id);
      entry.dirty = checkpoint;
      // Writing an object that was removed forgets its entry.
      this.entries.set(id, entry);
    }
    this.unsettled.set(id, entry);
  }

  private encode(entry: Entry<Value>): Uint8Array {
    const bytes = this.bytesOf(entry.value as Value);
    entry.bytes = bytes.length;
    return bytes;
  }

  private bytesOf(value: Value): Uint8Array {
    return Buffer.from(this.format.encode(value), 'utf8');
  }
}

/** Memory of an entry, and of an object for each byte of its text. */
const ENTRY_BYTES = 200;
const BYTES_OF_ENCODED = 4;
/** Objects that did not change for so many slots are settled, so many examined after each slot. */
const IDLE_TICKS = 32;
const IDLE_EXAMINED = 64;
/** More leave memory than came, so that there are fewer; those in use are passed over. */
const ARRIVED_FACTOR = 2;
const EXAMINED_FACTOR = 16;
