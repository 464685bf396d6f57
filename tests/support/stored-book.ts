import { expect } from 'vitest';
import { PagePool } from '../../src/lib/pages/page-pool.ts';
import { UndoLog } from '../../src/lib/undo-log.ts';
import { MemoryPageStore } from './memory-page-store.ts';
import { pageSums } from './page-sums.ts';

/** A book, or several that belong together, as a test drives it. */
export interface StoredBook<Book, Input> {
  /** Creates the book, with the state of the pages of `undo`. */
  create(undo: UndoLog): Book;
  apply(book: Book, input: Input): void;
  /** Ends a slot: takes what the book returns once per slot. */
  endSlot?(book: Book): unknown;
  /** Whatever can be asked. Must not change the book. */
  answers(book: Book): unknown;
}

/** A slot; an undone one is applied and then undone. */
export interface StoredSlot<Input> {
  readonly inputs: readonly Input[];
  readonly isUndone: boolean;
}

/** A book whose memory is that of one page, and its store. */
interface SmallMemory<Book> {
  readonly store: MemoryPageStore;
  readonly undo: UndoLog;
  readonly book: Book;
}

/**
 * Expects the same answers after each slot from a book in memory and from one of which all but a
 * page leaves memory after each slot; and the same from a book that is restored from a checkpoint,
 * begun before the slot at `restoredAt` and written while the following ones are applied, both as
 * of the checkpoint and after the later slots.
 */
export function expectSameStored<Book, Input>(
  kind: StoredBook<Book, Input>,
  slots: readonly StoredSlot<Input>[],
  restoredAt: number,
): void {
  const plainUndo = new UndoLog(1);
  const plain = kind.create(plainUndo);
  const small = inSmallMemory(kind, new MemoryPageStore());
  const checkpointAt = Math.min(restoredAt, slots.length);
  let atCheckpoint: unknown = null;
  let sums = new Uint32Array();
  for (const [index, slot] of slots.entries()) {
    if (index === checkpointAt) {
      sums = beginCheckpoint(small);
      atCheckpoint = kind.answers(plain);
    }
    const taken = applySlot(kind, plain, plainUndo, slot);
    expect(applySlot(kind, small.book, small.undo, slot)).toEqual(taken);
    if (index >= checkpointAt) small.undo.pages.writeSome(2);
    expect(kind.answers(small.book)).toEqual(kind.answers(plain));
  }
  if (checkpointAt === slots.length) {
    sums = beginCheckpoint(small);
    atCheckpoint = kind.answers(plain);
  }
  while (!small.undo.pages.writeSome(100));
  const restored = inSmallMemory(kind, new MemoryPageStore(new Map(small.store.atCheckpoint)));
  restored.undo.pages.restoreSums(sums);
  expect(kind.answers(restored.book)).toEqual(atCheckpoint);
  for (const slot of slots.slice(checkpointAt)) {
    applySlot(kind, restored.book, restored.undo, slot);
  }
  expect(kind.answers(restored.book)).toEqual(kind.answers(plain));
  expect(pageSums(restored.undo)).toEqual(pageSums(small.undo));
}

function inSmallMemory<Book, Input>(
  kind: StoredBook<Book, Input>,
  store: MemoryPageStore,
): SmallMemory<Book> {
  const undo = new UndoLog(1, new PagePool({ pagesMax: 1, objectBytesMax: 1, store }));
  return { store, undo, book: kind.create(undo) };
}

function beginCheckpoint<Book>({ store, undo }: SmallMemory<Book>): Uint32Array<ArrayBuffer> {
  store.beginCheckpoint();
  undo.pages.beginCheckpoint();
  return new Uint32Array(undo.pages.copySums());
}

function applySlot<Book, Input>(
  { apply, endSlot }: StoredBook<Book, Input>,
  book: Book,
  undo: UndoLog,
  { inputs, isUndone }: StoredSlot<Input>,
): unknown {
  undo.open();
  for (const input of inputs) apply(book, input);
  const taken = endSlot?.(book);
  undo.close();
  undo.pages.advance();
  undo.pages.trim();
  if (isUndone) undo.undo();
  else undo.forget(1);
  undo.pages.trim();
  return taken;
}
