import { PagePool } from './pages/page-pool.ts';
import { UndoRecord } from './undo-record.ts';

/**
 * Before-images of the changes made by the fold, so its most recent part can be reverted exactly.
 *
 * Between `open` and `close`, code that changes state calls the method for that kind of state
 * *before* the change; at other times each call is one branch and records nothing. Objects created
 * since `open` need no image: they become unreachable once the references to them are reverted.
 *
 * The contents are restored, but removed entries of a Map or Set are re-inserted at the end, so
 * nothing may depend on the order of one that has entries removed. The order of arrays is restored.
 */
export class UndoLog {
  /** The pages of the tables whose changes are recorded here. */
  readonly pages: PagePool;
  private readonly recordsMax: number;
  private readonly records: UndoRecord[] = [];
  private readonly spares: UndoRecord[] = [];
  private current: UndoRecord | null = null;
  private opened = 0;
  private readonly kept = new Set<object>();
  private lastKept: object | null = null;

  constructor(recordsMax = 0, pages = new PagePool()) {
    this.recordsMax = recordsMax;
    this.pages = pages;
  }

  /** Number of records that can be reverted. */
  get size(): number {
    return this.records.length;
  }

  /** True between `open` and `close`: for callers for which preparing a step is expensive. */
  get isOpen(): boolean {
    return this.current !== null;
  }

  /**
   * Number of the open record, 0 between records; never repeats. For callers that remember
   * themselves which images they took.
   */
  get record(): number {
    return this.current === null ? 0 : this.opened;
  }

  /**
   * Starts a record. Throws RangeError when the maximum number of records is held, and Error when
   * one is open: the previous change was interrupted and left the state half changed.
   */
  open(): void {
    if (this.current !== null) throw new Error('a record of changes is open already');
    if (this.records.length >= this.recordsMax) {
      throw new RangeError(`no more than ${this.recordsMax} changes can be held for an undo`);
    }
    this.current = this.spares.pop() ?? new UndoRecord();
    this.opened++;
    this.records.push(this.current);
    this.pages.beginRecord(this.current);
  }

  close(): void {
    this.current = null;
    this.pages.endRecord();
    this.lastKept = null;
    this.kept.clear();
  }

  /** Reverts the newest record. Throws RangeError when there is none. */
  undo(): void {
    const record = this.records.pop();
    if (record === undefined) throw new RangeError('there is no record of changes to undo');
    this.close();
    record.revert(this.pages);
    this.recycle(record);
  }

  /** Drops the oldest `count` records; they can no longer be reverted. */
  forget(count: number): void {
    for (const record of this.records.splice(0, count)) this.recycle(record);
  }

  /**
   * Keeps the own fields of an object, or the items of a short array; only the first call of a
   * record copies. Objects that the fields refer to need images of their own.
   */
  keep(object: object): void {
    if (!this.isFirst(object)) return;
    if (Array.isArray(object)) this.current?.add(restoreItems, object, object.slice());
    else this.current?.add(restoreObject, object, { ...object });
  }

  /**
   * True for the first call of a record with an object, false between records: for callers that
   * copy what they change of it themselves.
   */
  isFirst(object: object): boolean {
    // Changes of one object tend to follow one another: most calls need no lookup.
    if (this.current === null || object === this.lastKept) return false;
    this.lastKept = object;
    if (this.kept.has(object)) return false;
    this.kept.add(object);
    return true;
  }

  /** Call before changing the fields that `image` has; `image` contains their current values. */
  fields<Kept extends object>(object: Kept, image: object): void {
    this.current?.add(restoreFields, object, image);
  }

  /** Call before setting or deleting an entry of a Map. No Map may contain undefined. */
  map<Key, Value>(map: Map<Key, Value>, key: Key): void {
    this.current?.add(restoreEntry, map, key, map.get(key));
  }

  /** Call before adding a value to a Set or deleting it. */
  set<Value>(set: Set<Value>, value: Value): void {
    this.current?.add(restoreMember, set, value, set.has(value));
  }

  /** Call before pushing one item to an array. */
  push(array: unknown[]): void {
    this.current?.add(popItem, array);
  }

  /** Call before pushing any number of items to an array. */
  length(array: unknown[]): void {
    this.current?.add(restoreLength, array, array.length);
  }

  /** Call before removing the first `count` items of an array. */
  head(array: unknown[], count: number): void {
    this.current?.add(restoreHead, array, array.slice(0, count));
  }

  /**
   * Records a change that no before-image describes; `inverse`, called with the operands, reverts
   * it.
   */
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

/** A growing chain drops one record for each that it opens. */
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
  // `unshift(...items)` would fail: there can be more items than a call accepts arguments.
  const rest = array.splice(0);
  for (const item of items) array.push(item);
  for (const item of rest) array.push(item);
}
