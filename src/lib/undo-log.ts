import { PagePool } from './pages/page-pool.ts';
import { UndoParts, UndoRecord } from './undo-record.ts';
import {
  HEAD,
  ITEM,
  ITEMS,
  LENGTH,
  MAP_ENTRY,
  NAMED_FIELDS,
  OWN_FIELDS,
  SET_MEMBER,
  type UndoStep,
} from './undo-steps.ts';

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
  private readonly parts = new UndoParts();
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
    this.current = new UndoRecord(this.parts);
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
    record.clear();
  }

  /**
   * Runs `read` while everything is as it was when the open record began, and returns its result;
   * then everything is as it was before the call. `read` must not change anything that is recorded.
   * Throws Error between records.
   */
  asOfOpening<Result>(read: () => Result): Result {
    const record = this.current;
    if (record === null) throw new Error('no record of changes is open');
    this.current = null;
    try {
      return this.pages.withoutRecord(() => record.suspend(this.pages, read));
    } finally {
      this.current = record;
    }
  }

  /** Drops the oldest `count` records; they can no longer be reverted. */
  forget(count: number): void {
    for (const record of this.records.splice(0, count)) record.clear();
  }

  /**
   * Keeps the own fields of an object, or the items of a short array; only the first call of a
   * record copies. Objects that the fields refer to need images of their own.
   */
  keep(object: object): void {
    if (!this.isFirst(object)) return;
    if (Array.isArray(object)) this.current?.add(ITEMS, object, object.slice());
    else this.current?.add(OWN_FIELDS, object, { ...object });
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
    this.current?.add(NAMED_FIELDS, object, image);
  }

  /** Call before setting or deleting an entry of a Map. No Map may contain undefined. */
  map<Key, Value>(map: Map<Key, Value>, key: Key): void {
    this.current?.add(MAP_ENTRY, map, key, map.get(key));
  }

  /** Call before adding a value to a Set or deleting it. */
  set<Value>(set: Set<Value>, value: Value): void {
    this.current?.add(SET_MEMBER, set, value, set.has(value));
  }

  /** Call before pushing one item to an array. */
  push(array: unknown[]): void {
    this.current?.add(ITEM, array);
  }

  /** Call before pushing any number of items to an array. */
  length(array: unknown[]): void {
    this.current?.add(LENGTH, array, array.length);
  }

  /** Call before removing the first `count` items of an array. */
  head(array: unknown[], count: number): void {
    this.current?.add(HEAD, array, array.slice(0, count));
  }

  /** Records a change that no before-image describes, with the operands of what reverts it. */
  step(step: UndoStep<[]>): void;
  step<A>(step: UndoStep<[A]>, a: A): void;
  step<A, B>(step: UndoStep<[A, B]>, a: A, b: B): void;
  step<A, B, C>(step: UndoStep<[A, B, C]>, a: A, b: B, c: C): void;
  step<A, B, C, D>(step: UndoStep<[A, B, C, D]>, a: A, b: B, c: C, d: D): void;
  step(step: UndoStep<never>, a?: unknown, b?: unknown, c?: unknown, d?: unknown): void {
    this.current?.add(step, a, b, c, d);
  }
}
