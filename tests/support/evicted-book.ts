import { expect } from 'vitest';
import { PagePool } from '../../src/lib/pages/page-pool.ts';
import { UndoLog } from '../../src/lib/undo-log.ts';
import { MemoryPageStore } from './memory-page-store.ts';

/** A book whose whole state lies in pages and objects of a pool. */
export interface StoredBook<Book, Slot> {
  create(undo: UndoLog): Book;
  /** Applies a slot and returns what it publishes. */
  apply(book: Book, slot: Slot): unknown;
  /** Everything that can be read from the book. */
  view(book: Book): unknown;
  /** Objects that changed without being marked as changed. */
  unannounced(book: Book): readonly unknown[];
}

/**
 * What happens to a book: a slot, the undo of the newest one, or all slots become final and all
 * objects leave memory.
 */
export type BookStep<Slot> = { readonly slot: Slot } | 'undo' | 'final';

/** Nothing stays in memory that can leave it. */
const NO_MEMORY = { pagesMax: 1, objectBytesMax: 1 };
const UNDO_MAX = 4;
/** Objects leave memory in every sixteenth slot. */
const TRIM_TICKS = 16;

/** One book and what it depends on. */
class Run<Book, Slot> {
  readonly pages: PagePool;
  readonly book: Book;
  private readonly laws: StoredBook<Book, Slot>;
  private readonly undo: UndoLog;
  /** The sums before each slot that can be undone. */
  private readonly before: string[][] = [];

  constructor(laws: StoredBook<Book, Slot>, pages: PagePool) {
    this.laws = laws;
    this.pages = pages;
    this.undo = new UndoLog(UNDO_MAX, pages);
    this.book = laws.create(this.undo);
  }

  step(step: BookStep<Slot>): unknown {
    if (step === 'undo') {
      if (this.undo.size === 0) return null;
      this.undo.undo();
      expect(this.sums()).toEqual(this.before.pop());
      return null;
    }
    if (step === 'final') {
      this.undo.forget(this.undo.size);
      this.before.length = 0;
      do {
        this.pages.advance();
      } while (this.pages.tick % TRIM_TICKS !== 0);
      this.pages.trim();
      return null;
    }
    if (this.undo.size === UNDO_MAX) {
      this.undo.forget(1);
      this.before.shift();
    }
    this.before.push(this.sums());
    this.undo.open();
    const published = this.laws.apply(this.book, step.slot);
    this.undo.close();
    this.pages.advance();
    this.pages.trim();
    expect(this.laws.unannounced(this.book)).toEqual([]);
    return published;
  }

  view(): unknown {
    return this.laws.view(this.book);
  }

  sums(): string[] {
    return this.pages.spaceNames.map((name, space) => `${name} ${this.pages.sumOf(space)}`);
  }
}

/**
 * Asserts that a book that is out of memory whenever it can be publishes and reads as one that never
 * is, and that each undo restores what was before its slot.
 */
export function expectSameWithoutMemory<Book, Slot>(
  laws: StoredBook<Book, Slot>,
  steps: readonly BookStep<Slot>[],
): void {
  const resident = new Run(laws, new PagePool());
  const evicted = new Run(laws, new PagePool({ ...NO_MEMORY, store: new MemoryPageStore() }));
  for (const step of steps) {
    expect(evicted.step(step)).toEqual(resident.step(step));
    // A view would bring objects back, which the next slot is to find out of memory.
    if (step !== 'final') expect(evicted.view()).toEqual(resident.view());
  }
  expect(evicted.sums()).toEqual(resident.sums());
}

/**
 * Asserts that a book restored from a checkpoint, which is written while later slots are applied,
 * reads as the book did at its beginning, and publishes the same from there on.
 */
export function expectRestored<Book, Slot>(
  laws: StoredBook<Book, Slot>,
  before: readonly BookStep<Slot>[],
  after: readonly Slot[],
): void {
  const store = new MemoryPageStore();
  const run = new Run(laws, new PagePool({ ...NO_MEMORY, store }));
  for (const step of before) run.step(step);
  const view = run.view();
  const sumsNow = run.sums();
  store.beginCheckpoint();
  run.pages.beginCheckpoint();
  const sums = run.pages.copySums();
  const published = after.map((slot) => {
    run.pages.writeSome(1);
    return run.step({ slot });
  });
  while (!run.pages.writeSome(1));
  const copy = new MemoryPageStore(new Map(store.atCheckpoint));
  const restored = new Run(laws, new PagePool({ ...NO_MEMORY, store: copy }));
  restored.pages.restoreSums(sums);
  expect(restored.sums()).toEqual(sumsNow);
  expect(restored.view()).toEqual(view);
  expect(after.map((slot) => restored.step({ slot }))).toEqual(published);
  expect(restored.view()).toEqual(run.view());
  expect(restored.sums()).toEqual(run.sums());
}
