import type { AgeCounts } from './pages/age-counts.ts';
import { hashOfBytes } from './pages/bytes-hash.ts';
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
  /** Two words by number, the hash of the object; both 0 without an object. */
  private readonly hashes: WordList;
  /** One word: how many objects there are. */
  private readonly count: WordList;
  private readonly entries = new Map<number, Entry<Value>>();
  /** Objects whose hash may be outdated. */
  private readonly unsettled = new Map<number, Entry<Value>>();

  constructor(format: ObjectFormat<Value>, undo = new UndoLog(), name = 'objects') {
    this.format = format;
    this.undo = undo;
    this.pages = undo.pages;
    this.space = this.pages.createSpace(name, format.name);
    this.hashes = new WordList(undo, `${name} hashes`);
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
    return known === undefined ? this.isStored(id) : known.value !== null;
  }

  get(id: number): Value | undefined {
    return this.entryOf(id)?.value ?? undefined;
  }

  /** Adds an object, or replaces the one of this number. */
  set(id: number, value: Value): void {
    const known = this.entryOf(id);
    const before = known?.value ?? null;
    this.undo.step(restoreObject, this, id, before);
    this.put(id, value);
    if (before === null) this.count.set(0, this.size + 1);
  }

  /** Removes an object, if there is one. */
  delete(id: number): void {
    const before = this.get(id);
    if (before === undefined) return;
    this.undo.step(restoreObject, this, id, before);
    this.put(id, null);
    this.count.set(0, this.size - 1);
  }

  /** Call before an object changes. Throws RangeError for a number without an object. */
  changing(id: number): Value {
    const entry = this.entryOf(id);
    if (entry === undefined || entry.value === null)
      throw new RangeError(`there is no object ${id}`);
    this.touch(id, entry);
    if (this.undo.isOpen && entry.record !== this.undo.record) {
      entry.record = this.undo.record;
      this.undo.step(restoreObject, this, id, entry.value);
    }
    return entry.value;
  }

  /** Sets the object of a number, null for none. Called by an undo. */
  restore(id: number, value: Value | null): void {
    this.put(id, value);
  }

  settle(): void {
    for (const [id, entry] of this.unsettled) this.hash(id, this.storedBytes(entry));
    this.unsettled.clear();
  }

  /**
   * Numbers of objects in memory that differ from their hash although no change was announced: a
   * missing call of `changing`. For tests.
   */
  unannounced(): number[] {
    const found: number[] = [];
    for (const [id, { value }] of this.entries) {
      if (value === null || this.unsettled.has(id)) continue;
      if (!this.isHash(id, this.bytesOf(value))) found.push(id);
    }
    return found;
  }

  addAges(ages: AgeCounts): void {
    const now = this.pages.tick;
    for (const { tick, bytes } of this.entries.values()) {
      ages.add(now - tick, ENTRY_BYTES + bytes * BYTES_OF_ENCODED);
    }
  }

  evictBefore(tick: number): void {
    // Older records may restore an object only by its identity.
    const before = Math.min(tick, this.pages.tick - this.undo.size);
    for (const [id, entry] of this.entries) {
      if (entry.tick >= before) continue;
      if (entry.dirty !== 0) this.storeNewest(id, entry);
      this.entries.delete(id);
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
    this.pages.store?.putAsOf(this.space.number, id, this.storedBytes(entry));
    entry.dirty = 0;
    if (entry.value === null) this.entries.delete(id);
  }

  private storeNewest(id: number, entry: Entry<Value>): void {
    const isAsOf = this.pages.isWriting && entry.dirty !== this.pages.checkpoint;
    // What has not changed since the checkpoint began was settled then.
    if (isAsOf) this.writeAsOf(id);
    else {
      const bytes = this.storedBytes(entry);
      if (this.unsettled.delete(id)) this.hash(id, bytes);
      this.pages.store?.put(this.space.number, id, bytes);
    }
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
    return this.isStored(id) ? this.load(id) : undefined;
  }

  private isStored(id: number): boolean {
    return this.hashes.get(2 * id) !== 0 || this.hashes.get(2 * id + 1) !== 0;
  }

  private load(id: number): Entry<Value> {
    const bytes = this.pages.store?.read(this.space.number, id) ?? null;
    if (bytes === null || !this.isHash(id, bytes)) {
      throw new DamagedStateError(`object ${id} of "${this.space.name}" is damaged`);
    }
    const value = this.format.decode(Buffer.from(bytes).toString('utf8'));
    const entry = { value, tick: this.pages.tick, dirty: 0, bytes: bytes.length, record: 0 };
    this.entries.set(id, entry);
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

  private hash(id: number, bytes: Uint8Array | null): void {
    if (bytes === null) this.setHash(id, 0, 0);
    // Never both 0, which would mean that there is no object.
    else this.setHash(id, hashOfBytes(bytes, FIRST_SEED) || 1, hashOfBytes(bytes, SECOND_SEED));
  }

  private isHash(id: number, bytes: Uint8Array): boolean {
    return (
      this.hashes.get(2 * id) === (hashOfBytes(bytes, FIRST_SEED) || 1) &&
      this.hashes.get(2 * id + 1) === hashOfBytes(bytes, SECOND_SEED)
    );
  }

  private setHash(id: number, first: number, second: number): void {
    this.hashes.set(2 * id, first);
    this.hashes.set(2 * id + 1, second);
  }
}

/** Memory of an entry, and of an object for each byte of its text. */
const ENTRY_BYTES = 200;
const BYTES_OF_ENCODED = 4;
const FIRST_SEED = 0x9e3779b1;
const SECOND_SEED = 0x7f4a7c15;

function restoreObject<Value extends object>(
  objects: ObjectMap<Value>,
  id: number,
  value: Value | null,
): void {
  objects.restore(id, value);
}
