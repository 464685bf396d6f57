import { expect } from 'vitest';
import { AddressIds } from '../../src/lib/address-ids.ts';
import { ObjectMap } from '../../src/lib/object-map.ts';
import { CellTable } from '../../src/lib/pages/cell-table.ts';
import { PagePool } from '../../src/lib/pages/page-pool.ts';
import { PageSpace } from '../../src/lib/pages/page-space.ts';
import { UndoLog } from '../../src/lib/undo-log.ts';
import type { Address } from '../../src/model/units.ts';
import { MemoryPageStore } from './memory-page-store.ts';
import { sumsOf } from './page-sums.ts';

/** A kind of book, and what can be asked of it. Answers are compared by value. */
export interface BookKind<Book, Slot> {
  create(ids: AddressIds<Address>, undo: UndoLog): Book;
  /** Applies a slot; returns what the book publishes. */
  apply(book: Book, slot: Slot): unknown;
  answers(book: Book): unknown;
}

export interface SlotPlan<Slot> {
  readonly slot: Slot;
  /** How many slots are reverted afterwards, at most RECORDS_MAX of those applied last. */
  readonly reverted: number;
}

export const RECORDS_MAX = 2;
/** The pool evicts objects once in so many ticks. */
const OBJECTS_TRIMMED_EVERY = 16;

/**
 * Applies slots to a book whose contents leave memory after each slot, and to one whose contents
 * stay. Expects the same answers and sums after each slot and each revert, and that every change was
 * announced. Before slot `storedAt` a checkpoint begins, which is written while the next slots are
 * applied; expects that a book restored from it has the answers of that moment, and that it has the
 * answers of the other books once the slots since are applied to it.
 */
export function expectAsInMemory<Book, Slot>(
  kind: BookKind<Book, Slot>,
  plans: readonly SlotPlan<Slot>[],
  storedAt: number,
): void {
  const store = new MemoryPageStore();
  const evicted = new Side(kind, store);
  const plain = new Side(kind, null);
  let checkpoint: Checkpoint<Slot> | null = null;
  for (const [index, { slot, reverted }] of plans.entries()) {
    if (index === storedAt) {
      plain.forgetAll();
      evicted.forgetAll();
      store.beginCheckpoint();
      evicted.pages.beginCheckpoint();
      checkpoint = { answers: plain.answers, sums: evicted.pages.copySums(), slots: [] };
    }
    expect(evicted.apply(slot)).toEqual(plain.apply(slot));
    checkpoint?.slots.push(slot);
    evicted.writeSome();
    evicted.leaveMemory();
    evicted.expectEqual(plain);
    for (let times = Math.min(reverted, plain.undo.size); times > 0; times--) {
      plain.revert();
      evicted.revert();
      checkpoint?.slots.pop();
      evicted.leaveMemory();
      evicted.expectEqual(plain);
    }
  }
  if (checkpoint === null) return;
  while (!evicted.writeSome());
  const restored = new Side(kind, new MemoryPageStore(new Map(store.atCheckpoint)));
  expect(restored.answers).toEqual(checkpoint.answers);
  restored.pages.restoreSums(checkpoint.sums);
  for (const slot of checkpoint.slots) restored.apply(slot);
  restored.expectEqual(plain);
}

interface Checkpoint<Slot> {
  readonly answers: unknown;
  readonly sums: Uint32Array;
  /** Applied since. */
  readonly slots: Slot[];
}

/** A book with its own pool. */
class Side<Book, Slot> {
  readonly pages: PagePool;
  readonly undo: UndoLog;
  private readonly kind: BookKind<Book, Slot>;
  private readonly book: Book;
  private readonly before: unknown[] = [];

  /** The contents leave memory if there is a store. */
  constructor(kind: BookKind<Book, Slot>, store: MemoryPageStore | null) {
    this.kind = kind;
    this.pages = store === null ? new PagePool() : new PagePool({ ...NOTHING_STAYS, store });
    this.undo = new UndoLog(RECORDS_MAX, this.pages);
    this.book = kind.create(new AddressIds<Address>(this.undo), this.undo);
  }

  get answers(): unknown {
    return structuredClone(this.kind.answers(this.book));
  }

  apply(slot: Slot): unknown {
    if (this.undo.size === RECORDS_MAX) {
      this.undo.forget(1);
      this.before.shift();
    }
    this.before.push(this.answers);
    this.undo.open();
    const published = structuredClone(this.kind.apply(this.book, slot));
    this.undo.close();
    this.pages.settle();
    for (const objects of objectMapsIn(this.book)) expect(objects.unannounced()).toEqual([]);
    return published;
  }

  revert(): void {
    this.undo.undo();
    expect(this.answers).toEqual(this.before.pop());
  }

  expectEqual(other: Side<Book, Slot>): void {
    expect(this.answers).toEqual(other.answers);
    expect(sumsOf(this.pages)).toBe(sumsOf(other.pages));
  }

  forgetAll(): void {
    this.undo.forget(this.undo.size);
    this.before.length = 0;
  }

  /** A part of an open checkpoint; true when it is complete. */
  writeSome(): boolean {
    return !this.pages.isWriting || this.pages.writeSome(2);
  }

  leaveMemory(): void {
    do {
      this.pages.advance();
      this.pages.trim();
    } while (this.pages.tick % OBJECTS_TRIMMED_EVERY !== 0);
  }
}

const NOTHING_STAYS = { pagesMax: 1, objectBytesMax: 1 };

/** The maps of objects among the fields of a book and of its parts. */
function objectMapsIn(part: unknown, seen = new Set<unknown>()): ObjectMap<object>[] {
  if (part instanceof ObjectMap) return [part];
  if (typeof part !== 'object' || part === null || seen.has(part)) return [];
  // Pages contain no objects, and searching all of their words takes seconds.
  if (part instanceof UndoLog || part instanceof PagePool || part instanceof PageSpace) return [];
  if (part instanceof CellTable || ArrayBuffer.isView(part)) return [];
  seen.add(part);
  return Object.values(part).flatMap((value) => objectMapsIn(value, seen));
}
