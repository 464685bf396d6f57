import { expect } from 'vitest';
import { ObjectMap } from '../../src/lib/object-map.ts';
import { PagePool } from '../../src/lib/pages/page-pool.ts';
import { UndoLog } from '../../src/lib/undo-log.ts';
import { MemoryPageStore } from './memory-page-store.ts';
import { sumsOf } from './page-sums.ts';

/** A book under test, and how slots are applied to it. */
export interface BookTrial<Book, Slot> {
  readonly create: (undo: UndoLog) => Book;
  /** Applies a slot and returns its answers, which are compared. */
  readonly apply: (book: Book, slot: Slot) => unknown;
  /** Further answers of the book as it is. */
  readonly answers: (book: Book) => unknown;
}

/**
 * Expects that a book whose pages and objects leave memory after each slot gives the same answers
 * and contents as one in memory, that each slot can be undone, that every change of an object is
 * announced, and that a book restored from a checkpoint of any slot goes on with the same answers.
 * The checkpoint is written while later slots are applied.
 */
export function expectStored<Book, Slot>(
  { create, apply, answers }: BookTrial<Book, Slot>,
  slots: readonly Slot[],
  checkpointAt: number,
): void {
  const plainUndo = new UndoLog();
  const plain = create(plainUndo);
  const { store, pages, undo } = smallPool(new MemoryPageStore());
  const book = create(undo);
  let checkpoint: Checkpoint | null = null;
  for (const [index, slot] of slots.entries()) {
    if (index === checkpointAt) {
      checkpoint = { sums: beginCheckpoint(pages, store), answers: answers(book) };
    }
    const expected = apply(plain, slot);
    expect(applyUndoably(() => apply(book, slot), undo)).toEqual(expected);
    expect(answers(book)).toEqual(answers(plain));
    expect(sumsOf(pages)).toBe(sumsOf(plainUndo.pages));
    expect(unannounced(pages)).toEqual([]);
    pages.writeSome(1);
    evictAll(pages);
  }
  if (checkpoint === null) return;
  while (!pages.writeSome(100));
  const other = smallPool(new MemoryPageStore(new Map(store.atCheckpoint)));
  const restored = create(other.undo);
  other.pages.restoreSums(checkpoint.sums);
  expect(answers(restored)).toEqual(checkpoint.answers);
  for (const slot of slots.slice(checkpointAt)) {
    applyUndoably(() => apply(restored, slot), other.undo);
    evictAll(other.pages);
  }
  expect(answers(restored)).toEqual(answers(plain));
  expect(sumsOf(other.pages)).toBe(sumsOf(plainUndo.pages));
}

interface Checkpoint {
  readonly sums: Uint32Array;
  readonly answers: unknown;
}

function smallPool(store: MemoryPageStore) {
  const pages = new PagePool({ pagesMax: 1, objectBytesMax: 1, store });
  return { store, pages, undo: new UndoLog(1, pages) };
}

function beginCheckpoint(pages: PagePool, store: MemoryPageStore): Uint32Array {
  store.beginCheckpoint();
  pages.beginCheckpoint();
  return pages.copySums();
}

/** Applies a slot, undoes it, and applies it again. */
function applyUndoably(apply: () => unknown, undo: UndoLog): unknown {
  const before = sumsOf(undo.pages);
  const once = () => {
    undo.open();
    const answer = apply();
    undo.close();
    return answer;
  };
  const first = once();
  undo.undo();
  expect(sumsOf(undo.pages)).toBe(before);
  const second = once();
  expect(second).toEqual(first);
  undo.forget(1);
  return second;
}

function unannounced(pages: PagePool): number[] {
  const { objects } = pages as unknown as { readonly objects: readonly object[] };
  return objects.flatMap((each) => (each instanceof ObjectMap ? each.unannounced() : []));
}

/** Goes on until the pool trims objects too. */
function evictAll(pages: PagePool): void {
  do {
    pages.advance();
    pages.trim();
  } while (pages.tick % 16 !== 0);
}
