import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryPageStore } from '../../tests/support/memory-page-store.ts';
import { ObjectMap } from './object-map.ts';
import { PagePool } from './pages/page-pool.ts';
import { UndoLog } from './undo-log.ts';
import { WordList } from './word-list.ts';

interface Counter {
  count: number;
}

const JSON_TEXT = {
  name: 'json',
  encode: (value: Counter) => JSON.stringify(value),
  decode: (text: string) => JSON.parse(text) as Counter,
};

interface Shelf {
  readonly objects: ObjectMap<Counter>;
  readonly undo: UndoLog;
  readonly mirror: Map<number, number>;
}

type Change = (shelf: Shelf) => void;

/** Two of them have the same lower 31 bits. */
const IDS = [0, 1, 2, 3, 4, 2 ** 31 + 1];
const id = fc.constantFrom(...IDS);
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(id, fc.nat(3)).map(
    ([at, count]): Change =>
      ({ objects, mirror }) => {
        objects.set(at, { count });
        mirror.set(at, count);
      },
  ),
  id.map(
    (at): Change =>
      ({ objects, mirror }) => {
        objects.delete(at);
        mirror.delete(at);
      },
  ),
  id.map(
    (at): Change =>
      ({ objects, undo, mirror }) => {
        if (!objects.has(at)) return;
        const object = objects.changing(at);
        undo.keep(object);
        object.count++;
        mirror.set(at, object.count);
      },
  ),
);

function newShelf(pages = new PagePool()): Shelf {
  const undo = new UndoLog(3, pages);
  return { objects: new ObjectMap(JSON_TEXT, undo), undo, mirror: new Map() };
}

function contentsOf({ objects }: Shelf): Map<number, number> {
  const contents = new Map<number, number>();
  for (const at of IDS) {
    const object = objects.get(at);
    if (object !== undefined) contents.set(at, object.count);
    expect(objects.has(at)).toBe(object !== undefined);
  }
  return contents;
}

function applyAll(shelf: Shelf, changes: readonly Change[]): void {
  for (const apply of changes) apply(shelf);
}

/** Applies the changes of a slot, undoes them after `between` if they are to be undone. */
function applySlot(
  shelf: Shelf,
  { changes, isUndone }: { readonly changes: readonly Change[]; readonly isUndone: boolean },
  between: () => void,
): void {
  const { undo, mirror } = shelf;
  const before = new Map(mirror);
  undo.open();
  applyAll(shelf, changes);
  undo.close();
  between();
  if (!isUndone) {
    undo.forget(1);
    return;
  }
  undo.undo();
  mirror.clear();
  for (const [at, count] of before) mirror.set(at, count);
}

function expectMirrored(shelf: Shelf): void {
  expect(contentsOf(shelf)).toEqual(shelf.mirror);
  expect(shelf.objects.size).toBe(shelf.mirror.size);
  expect(shelf.objects.unannounced()).toEqual([]);
}

/** Goes on until objects are trimmed; returns how many are left in memory. */
function evictAll(pages: PagePool, { objects }: Pick<Shelf, 'objects'>): number {
  do {
    pages.advance();
    pages.trim();
  } while (pages.tick % 16 !== 0);
  return objects.residentCount;
}

function sumsOf({ undo: { pages } }: Shelf): string[] {
  return pages.spaceNames.map((_, space) => pages.sumOf(space));
}

/** Slots of changes; the last ones are undone; pages and objects leave memory after each. */
const rounds = fc.array(
  fc.record({ changes: fc.array(change, { maxLength: 6 }), isUndone: fc.boolean() }),
  { maxLength: 30 },
);

describe('a map of objects', () => {
  test('is like a Map whose values are evicted after each slot, with undos and checkpoints', () => {
    fc.assert(
      fc.property(rounds, fc.nat(), (drawn, seed) => {
        const pages = new PagePool({
          pagesMax: 1,
          objectBytesMax: 1,
          store: new MemoryPageStore(),
        });
        const shelf = newShelf(pages);
        const plain = newShelf();
        for (const [index, round] of drawn.entries()) {
          applySlot(shelf, round, () => {
            if ((seed >> (index % 30)) & 1) pages.settle();
          });
          pages.prepareCheckpoint(1 + (seed % 3));
          if (!round.isUndone) applyAll(plain, round.changes);
          expect(evictAll(pages, shelf)).toBe(0);
          expectMirrored(shelf);
        }
        expect(sumsOf(shelf)).toEqual(sumsOf(plain));
      }),
      { numRuns: 300 },
    );
  });

  test('keeps an object in memory while one of its changes can be undone', () => {
    const pages = new PagePool({ objectBytesMax: 1, store: new MemoryPageStore() });
    const { objects, undo } = newShelf(pages);
    objects.set(1, { count: 1 });
    const object = objects.get(1) as Counter;
    undo.open();
    undo.keep(objects.changing(1));
    object.count = 2;
    undo.close();
    pages.advance();
    objects.evictBefore(pages.tick + 100, 100);
    expect(objects.get(1)).toBe(object);
    undo.undo();
    expect(objects.get(1)).toEqual({ count: 1 });
    expect(evictAll(pages, { objects })).toBe(0);
    expect(objects.get(1)).toEqual({ count: 1 });
  });

  test('encodes an object for sums, not because many blocks changed', () => {
    const pages = new PagePool();
    const undo = new UndoLog(0, pages);
    let encoded = 0;
    const format = {
      ...JSON_TEXT,
      encode: (value: Counter) => {
        encoded++;
        return JSON_TEXT.encode(value);
      },
    };
    const objects = new ObjectMap(format, undo);
    const words = new WordList(undo);
    objects.set(1, { count: 1 });
    const WORDS_OF_BLOCK = 8;
    for (let block = 0; block < 200_000; block++) words.set(block * WORDS_OF_BLOCK, 1);
    pages.advance();
    expect(encoded).toBe(0);
    pages.sumOf(0);
    expect(encoded).toBe(1);
  });

  test('leaves only objects in use to the begin of a checkpoint that is prepared', () => {
    const pages = new PagePool({ store: new MemoryPageStore() });
    const undo = new UndoLog(0, pages);
    let encoded: number[] = [];
    const format = {
      ...JSON_TEXT,
      encode: (value: Counter) => {
        encoded.push(value.count);
        return JSON_TEXT.encode(value);
      },
    };
    const objects = new ObjectMap(format, undo);
    for (let count = 0; count < 50; count++) objects.set(count, { count });
    for (let slotsLeft = 8; slotsLeft > 0; slotsLeft--) {
      pages.advance();
      objects.changing(7);
      pages.prepareCheckpoint(slotsLeft);
    }
    expect(encoded.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 50 }, (_, count) => count).filter((count) => count !== 7),
    );
    encoded = [];
    pages.beginCheckpoint();
    expect(encoded).toEqual([7]);
  });

  test('finds a change that was not announced', () => {
    const { objects, undo } = newShelf();
    objects.set(1, { count: 1 });
    undo.pages.settle();
    (objects.get(1) as Counter).count = 2;
    expect(objects.unannounced()).toEqual([1]);
  });

  test('stores the contents as of the beginning of a checkpoint', () => {
    fc.assert(
      fc.property(rounds, rounds, (before, meanwhile) => {
        const store = new MemoryPageStore();
        const pages = new PagePool({ store });
        const shelf = newShelf(pages);
        for (const { changes } of before) applyAll(shelf, changes);
        const expected = contentsOf(shelf);
        store.beginCheckpoint();
        pages.beginCheckpoint();
        for (const { changes } of meanwhile) {
          applyAll(shelf, changes);
          pages.writeSome(1);
          pages.advance();
          pages.prepareCheckpoint(2);
        }
        while (!pages.writeSome(1));
        const copy = new MemoryPageStore(new Map(store.atCheckpoint));
        expect(contentsOf(newShelf(new PagePool({ store: copy })))).toEqual(expected);
        expect(contentsOf(shelf)).toEqual(shelf.mirror);
      }),
      { numRuns: 300 },
    );
  });

  test('refuses an object whose stored text changed', () => {
    const store = new MemoryPageStore();
    const pages = new PagePool({ objectBytesMax: 1, store });
    const { objects } = newShelf(pages);
    objects.set(1, { count: 1 });
    evictAll(pages, { objects });
    const [key = ''] = [...store.newest.keys()];
    store.newest.set(key, Buffer.from('{"count":2}'));
    expect(() => objects.get(1)).toThrow('object 1 of "objects" is damaged');
  });
});

test('objects that were removed take no memory, however many there were and few are asked to leave', async () => {
  // Below its bound of objects a pool evicts none; without a store it never does.
  for (const store of [new MemoryPageStore(), null]) {
    const pool = new PagePool({ store, pagesMax: 10_000, objectBytesMax: 1e9 });
    const undo = new UndoLog(64, pool);
    const objects = new ObjectMap(JSON_TEXT, undo);
    const grownBytes = (from: number, through: number) => {
      const before = usedBytes();
      for (let at = from; at < through; at++) replaceOne(objects, undo, at);
      return usedBytes() - before;
    };
    grownBytes(0, 20_000);
    // An entry takes some 190 bytes: all of them 19 MB.
    expect(grownBytes(20_000, 120_000)).toBeLessThan(6_000_000);
    expect(objects.size).toBe(100);
  }
});

/** A hundred objects remain. */
function replaceOne(objects: ObjectMap<Counter>, undo: UndoLog, at: number): void {
  undo.open();
  objects.set(at % 2_000_000, { count: at });
  if (at >= 100) objects.delete(at - 100);
  undo.close();
  undo.forget(1);
  undo.pages.advance();
  undo.pages.trim(1_024);
  if (at % 500 !== 0) return;
  undo.pages.beginCheckpoint();
  while (!undo.pages.writeSome(100_000));
}

function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
