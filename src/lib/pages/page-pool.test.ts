import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryPageStore } from '../../../tests/support/memory-page-store.ts';
import { UndoLog } from '../undo-log.ts';
import { WordList } from '../word-list.ts';
import { PagePool } from './page-pool.ts';
import type { PageStore } from './page-store.ts';

const LISTS = 2;
const nothing = () => undefined;
/** Indexes over several pages. */
const index = fc.nat(8).map((step) => step * 199);
const write = fc.tuple(fc.nat(LISTS - 1), index, fc.nat(3));
type Write = readonly [list: number, at: number, word: number];
const slots = fc.array(
  fc.record({ writes: fc.array(write, { maxLength: 12 }), isUndone: fc.boolean() }),
  { maxLength: 30 },
);

interface Words {
  readonly pages: PagePool;
  readonly undo: UndoLog;
  readonly lists: readonly WordList[];
}

function newWords(pages = new PagePool()): Words {
  const undo = new UndoLog(600, pages);
  return { pages, undo, lists: Array.from({ length: LISTS }, () => new WordList(undo)) };
}

function apply({ lists }: Words, writes: readonly Write[]): void {
  for (const [list, at, word] of writes) lists[list]?.set(at, word);
}

function contentsOf({ lists }: Words): number[][] {
  return lists.map((list) => Array.from({ length: 1_800 }, (_, at) => list.get(at)));
}

function sumsOf({ pages }: Words): string[] {
  return pages.spaceNames.map((_, space) => pages.sumOf(space));
}

/**
 * Applies slots, with pages evicted within and after each, and undoes those that are to be undone.
 */
function fold(words: Words, drawn: readonly { writes: Write[]; isUndone: boolean }[]): void {
  for (const { writes, isUndone } of drawn) {
    words.undo.open();
    for (const each of writes) {
      apply(words, [each]);
      words.pages.trimWithin();
    }
    words.undo.close();
    words.pages.advance();
    words.pages.trim();
    if (isUndone) words.undo.undo();
  }
}

const REFUSED = 'the device does not read';

/** A store that refuses to read for a time. */
class RefusingStore extends MemoryPageStore {
  isRefusing = false;

  override read(space: number, id: number): Uint8Array | null {
    if (this.isRefusing) throw new Error(REFUSED);
    return super.read(space, id);
  }
}

/** Reads a word as a client does, which goes on after the store has refused. */
function readOrRefused({ lists }: Words, at: number): void {
  try {
    lists[0]?.get(at);
  } catch (error) {
    expect(error).toEqual(new Error(REFUSED));
  }
}

describe('a pool of pages', () => {
  test('has the same contents and sums with a page in memory as with all, after undos', () => {
    fc.assert(
      fc.property(slots, (drawn) => {
        const small = newWords(new PagePool({ pagesMax: 1, store: new MemoryPageStore() }));
        const calm = newWords();
        fold(small, drawn);
        for (const { writes, isUndone } of drawn) if (!isUndone) apply(calm, writes);
        expect(contentsOf(small)).toEqual(contentsOf(calm));
        expect(sumsOf(small)).toEqual(sumsOf(calm));
        while (small.undo.size > 0) small.undo.undo();
        expect(sumsOf(small)).toEqual(sumsOf(newWords()));
      }),
      { numRuns: 300 },
    );
  });

  test('stores a checkpoint as of its beginning, whatever is written, undone and evicted', () => {
    fc.assert(
      fc.property(slots, slots, slots, fc.boolean(), (before, meanwhile, after, isSmall) => {
        const store = new MemoryPageStore();
        const words = newWords(new PagePool(isSmall ? { pagesMax: 1, store } : { store }));
        const checkpoint = (during: typeof slots extends fc.Arbitrary<infer S> ? S : never) => {
          const expected = contentsOf(words);
          const sums = words.pages.copySums();
          words.pages.beginCheckpoint();
          for (const slot of during) {
            fold(words, [slot]);
            words.pages.writeSome(1);
          }
          while (!words.pages.writeSome(1));
          const read = (space: number, page: number) =>
            store.atCheckpoint.get(`${space} ${page}`) ?? null;
          const restored = newWords(
            new PagePool({ store: { read, put: nothing, putAsOf: nothing } }),
          );
          restored.pages.restoreSums(sums);
          expect(contentsOf(restored)).toEqual(expected);
          const [first] = restored.lists;
          first?.set(3, 77);
          first?.set(3, expected[0]?.[3] ?? 0);
          expect(restored.pages.copySums()).toEqual(sums);
          store.beginCheckpoint();
        };
        fold(words, before);
        store.beginCheckpoint();
        checkpoint(meanwhile);
        checkpoint(after);
      }),
      { numRuns: 300 },
    );
  });

  test('says how much a checkpoint has to store, after others that were written or given up', () => {
    fc.assert(
      fc.property(slots, slots, slots, fc.boolean(), fc.boolean(), (...drawn) => {
        const [before, meanwhile, after, isSmall, isGivenUp] = drawn;
        let written = 0;
        const store = new MemoryPageStore();
        const counting: PageStore = {
          read: (space, id) => store.read(space, id),
          put: (space, id, bytes) => store.put(space, id, bytes),
          putAsOf: (space, id, bytes) => {
            store.putAsOf(space, id, bytes);
            written++;
          },
        };
        const pagesMax = isSmall ? 1 : Number.POSITIVE_INFINITY;
        const words = newWords(new PagePool({ pagesMax, store: counting }));
        const { pages } = words;
        fold(words, before);
        pages.beginCheckpoint();
        fold(words, meanwhile);
        if (isGivenUp) pages.abortCheckpoint();
        else while (!pages.writeSome(1));
        fold(words, after);
        written = 0;
        pages.beginCheckpoint();
        while (!pages.writeSome(1));
        expect(pages.checkpointSize).toBe(written);
      }),
      { numRuns: 300 },
    );
  });

  test('evicts the pages used longest ago', () => {
    const words = newWords(new PagePool({ pagesMax: 100, store: new MemoryPageStore() }));
    const [list] = words.lists as [WordList];
    for (let page = 0; page < 200; page++) {
      list.set(page * 256, page + 1);
      list.get(0);
      words.pages.advance();
      words.pages.trim();
      expect(words.pages.residentPages).toBeLessThanOrEqual(100);
    }
    const before = words.pages.residentPages;
    for (let page = 190; page < 200; page++) list.get(page * 256);
    expect([list.get(0), words.pages.residentPages]).toEqual([1, before]);
    list.get(5 * 256);
    expect(words.pages.residentPages).toBe(before + 1);
  });

  test('never has more pages after a slot than it may, and evicts few more when asked to', () => {
    const words = newWords(new PagePool({ pagesMax: 100, store: new MemoryPageStore() }));
    let residentMax = 0;
    for (let slot = 0; slot < 100; slot++) {
      // Seldom, a slot uses many pages.
      const used = slot % 10 === 9 ? 30 : 2;
      for (let page = 0; page < used; page++) words.lists[0]?.set((slot * 30 + page) * 256, 1);
      words.pages.advance();
      const excess = words.pages.residentPages - 100;
      const evicted = words.pages.trim(3);
      expect(evicted).toBeLessThanOrEqual(Math.max(3, excess));
      expect(words.pages.residentPages).toBeLessThanOrEqual(100);
      residentMax = Math.max(residentMax, words.pages.residentPages);
    }
    expect(residentMax).toBeGreaterThan(95);
  });

  test('has few more pages within a slot than it may, whatever the slot reads', () => {
    const words = newWords(new PagePool({ pagesMax: 100, store: new MemoryPageStore() }));
    const [list] = words.lists as [WordList];
    const pages = Array.from({ length: 1_000 }, (_, page) => page);
    for (const page of pages) {
      list.set(page * 256, page + 1);
      words.pages.trimWithin();
      expect(words.pages.residentPages).toBeLessThanOrEqual(120);
    }
    words.pages.settle();
    words.undo.open();
    list.set(0, 7);
    for (const page of pages.slice(1)) {
      expect(list.get(page * 256)).toBe(page + 1);
      words.pages.trimWithin();
      expect(words.pages.residentPages).toBeLessThanOrEqual(120);
    }
    words.undo.close();
    expect(words.pages.frames.size).toBeLessThanOrEqual(120);
    words.undo.undo();
    expect(list.get(0)).toBe(1);
  });

  test('keeps pages within a slot whose changes an undo reverts, and evicts them after it', () => {
    const words = newWords(new PagePool({ pagesMax: 100, store: new MemoryPageStore() }));
    const [list] = words.lists as [WordList];
    words.undo.open();
    for (let page = 0; page < 300; page++) {
      list.set(page * 256, 1);
      words.pages.trimWithin();
    }
    words.undo.close();
    expect(words.pages.residentPages).toBeGreaterThanOrEqual(300);
    words.pages.advance();
    words.pages.trim();
    expect(words.pages.residentPages).toBeLessThanOrEqual(100);
    words.undo.undo();
    expect(sumsOf(words)).toEqual(sumsOf(newWords()));
  });

  test('has the same sums whether many changes are counted at once or over some slots', () => {
    const WORDS_OF_PAGE = 256;
    const [gradual, atOnce] = [newWords(), newWords()];
    for (let page = 0; page < 20_000; page++) {
      for (const { lists } of [gradual, atOnce]) lists[0]?.set(page * WORDS_OF_PAGE, page + 1);
    }
    for (let slot = 0; slot < 12; slot++) {
      gradual.pages.advance();
      for (const { lists } of [gradual, atOnce]) lists[0]?.set(slot * 3 * WORDS_OF_PAGE, slot);
    }
    expect(sumsOf(gradual)).toEqual(sumsOf(atOnce));
  });

  test('refuses to count changes within a record, whose undo would take them back', () => {
    const { pages, undo } = newWords();
    undo.open();
    expect(() => pages.settle()).toThrow('a record of changes is open');
    undo.close();
    pages.settle();
  });

  test('refuses a stored page that is not one', () => {
    const store = new MemoryPageStore();
    const words = newWords(new PagePool({ pagesMax: 1, store }));
    words.lists[0]?.set(1_000, 1);
    words.pages.advance();
    words.lists[0]?.set(0, 1);
    words.pages.trim();
    store.put(0, 3, Uint8Array.of(0, 5));
    expect(() => words.lists[0]?.get(1_000)).toThrow('page 3 of "words" is damaged');
  });

  test('is as if nobody had asked after reads that the store refused', () => {
    fc.assert(
      fc.property(slots, fc.array(fc.tuple(index, fc.boolean())), (drawn, reads) => {
        const store = new RefusingStore();
        const words = newWords(new PagePool({ pagesMax: 2, store }));
        const calm = newWords();
        for (const slot of drawn) {
          for (const [at, isRefused] of reads) {
            store.isRefusing = isRefused;
            readOrRefused(words, at);
          }
          store.isRefusing = false;
          fold(words, [slot]);
          if (!slot.isUndone) apply(calm, slot.writes);
        }
        expect(contentsOf(words)).toEqual(contentsOf(calm));
        expect(sumsOf(words)).toEqual(sumsOf(calm));
      }),
      { numRuns: 300 },
    );
  });

  test('writes one checkpoint at a time, and another after an aborted one', () => {
    const store = new MemoryPageStore();
    const words = newWords(new PagePool({ store }));
    apply(words, [[0, 0, 1]]);
    words.pages.beginCheckpoint();
    expect(() => words.pages.beginCheckpoint()).toThrow('already');
    words.pages.abortCheckpoint();
    apply(words, [[0, 0, 2]]);
    words.pages.beginCheckpoint();
    while (!words.pages.writeSome(8));
    expect(store.atCheckpoint.size).toBe(1);
  });
});
