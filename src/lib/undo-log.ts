import { UndoRecord } from './undo-record.ts';

/**
 * Before-images of what a fold changes, so that its newest part can be taken back exactly.
 *
 * Between `open` and `close` whoever changes state calls the method for that kind of state *before*
 * the change; outside of that every call is one branch and nothing is kept. What was made since
 * `open` needs no image: it is out of reach once whatever leads to it was taken back.
 *
 * What comes back is content: entries of a Map or Set that were removed stand last afterwards, so
 * nothing may depend on the order of one that has entries removed. Arrays get their order back.
 */
export class UndoLog {
  private readonly recordsMax: number;
  private readonly records: UndoRecord[] = [];
  private readonly spares: UndoRecord[] = [];
  private current: UndoRecord | null = null;
  private opened = 0;
  private readonly kept = new Set<object>();
  private lastKept: object | null = null;

  constructor(recordsMax = 0) {
    this.recordsMax = recordsMax;
  }

  /** Records that can be taken back. */
  get size(): number {
    return this.records.length;
  }

  /** True between `open` and `close`: for callers to whom preparing a step would cost something. */
  get isOpen(): boolean {
    return this.current !== null;
  }

  /**
   * Which record is open, 0 between records; no number comes twice. For callers that themselves
   * remember of what they took an image.
   */
  get record(): number {
    return this.current === null ? 0 : this.opened;
  }

  /**
   * Starts a record. Throws RangeError when as many as may be are held already, and Error when one is
   * open: what broke it off left the state half changed.
   */
  open(): void {
    if (this.current !== null) throw new Error('a record of changes is open already');
    if (this.records.length >= this.recordsMax) {
      throw new RangeError(`no more than ${this.recordsMax} changes can be held for taking back`);
    }
    this.current = this.spares.pop() ?? new UndoRecord();
    this.opened++;
    this.records.push(this.current);
  }

  close(): void {
    this.current = null;
    this.lastKept = null;
    this.kept.clear();
  }

  /** Takes the newest record back. Throws RangeError when there is none. */
  undo(): void {
    const record = this.records.pop();
    if (record === undefined) throw new RangeError('nothing is held that could be taken back');
    this.close();
    record.revert();
    this.recycle(record);
  }

  /** Drops the oldest `count` records: they stay as they are. */
  forget(count: number): void {
    for (const record of this.records.splice(0, count)) this.recycle(record);
  }

  /**
   * Own fields of an object, or the items of a short array, as they are now; only the first call of
   * a record copies. What the fields point at needs images of its own.
   */
  keep(object: object): void {
    if (!this.isFirst(object)) return;
    if (Array.isArray(object)) this.current?.add(restoreItems, object, object.slice());
    else this.current?.add(restoreObject, object, { ...object });
  }

  /**
   * True for the first call of a record with an object, false between records: for callers that copy
   * what they change of it themselves.
   */
  isFirst(object: object): boolean {
    // Changes of one object follow one another: most calls need not look it up.
    if (this.current === null || object === this.lastKept) return false;
    this.lastKept = object;
    if (this.kept.has(object)) return false;
    this.kept.add(object);
    return true;
  }

  /** The fields that `image` has are about to be changed; what they are now is what it says. */
  fields<Kept extends object>(object: Kept, image: object): void {
    this.current?.add(restoreFields, object, image);
  }

  /** The entry of a Map that is about to be set or deleted. No Map may hold undefined. */
  map<Key, Value>(map: Map<Key, Value>, key: Key): void {
    this.current?.add(restoreEntry, map, key, map.get(key));
  }

  /** A value that is about to be added to a Set or deleted from it. */
  set<Value>(set: Set<Value>, value: Value): void {
    this.current?.add(restoreMember, set, value, set.has(value));
  }

  /** One item is about to be pushed to an array. */
  push(array: unknown[]): void {
    this.current?.add(popItem, array);
  }

  /** Items are about to be pushed to an array, any number of them. */
  length(array: unknown[]): void {
    this.current?.add(restoreLength, array, array.length);
  }

  /** The first `count` items of an array are about to be removed. */
  head(array: unknown[], count: number): void {
    this.current?.add(restoreHead, array, array.slice(0, count));
  }

  /** So many words from `start` on are about to be overwritten. */
  words(words: Uint32Array, start: number, count: number): void {
    this.current?.addWords(words, start, count);
  }

  /** A change that no before-image describes: `inverse`, called with the operands, takes it back. */
  step(inverse: () => void): void;
  step<A>(inverse: (a: A) => void, a: A): void;
  step<A, B>(inverse: (a: A, b: B) => void, a: A, b: B): void;
  step<A, B, C>(inverse: (a: A, b: B, c: C) => void, a: A, b: B, c: C): void;
  step<A, B, C, D>(inverse: (a: A, b: B, c: C, d: D) => void, a: A, b: B, c: C, d: D): void;
  step(
    inverse: (a: never, b: never, c: never, d: never) => void,
    a?: unknown,
    b?: unknown,
    c?: unknown,
    d?: unknown,
  ): void {
    this.current?.add(inverse, a, b, c, d);
  }

  private recycle(record: UndoRecord): void {
    if (this.spares.length < SPARES_MAX && record.clear()) this.spares.push(record);
  }
}

/** A chain that grows forgets one record for each that it opens. */
const SPARES_MAX = 4;

type Fields = Record<string, unknown>;

function restoreObject(object: Fields, image: Fields): void {
  for (const name of Object.keys(object)) {
    if (!Object.hasOwn(image, name)) delete object[name];
  }
  Object.assign(object, image);
}

function restoreFields(object: object, image: object): void {
  Object.assign(object, image);
}

function restoreItems(array: unknown[], items: readonly unknown[]): void {
  array.length = 0;
  for (const item of items) array.push(item);
}

function restoreEntry(map: Map<unknown, unknown>, key: unknown, value: unknown): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

function restoreMember(set: Set<unknown>, value: unknown, wasThere: boolean): void {
  if (wasThere) set.add(value);
  else set.delete(value);
}

function popItem(array: unknown[]): void {
  array.pop();
}

function restoreLength(array: unknown[], length: number): void {
  array.length = length;
}

function restoreHead(array: unknown[], items: readonly unknown[]): void {
  // Not by `unshift(...items)`: there can be more items than a call takes arguments.
  const rest = array.splice(0);
  for (const item of items) array.push(item);
  for (const item of rest) array.push(item);
}
