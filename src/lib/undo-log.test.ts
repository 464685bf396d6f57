import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UndoLog } from './undo-log.ts';
import type { UndoStep } from './undo-steps.ts';
import { WordList } from './word-list.ts';

/** Every kind of container that can be changed. */
interface Shelf {
  readonly record: { count: number; name?: string };
  readonly total: { count: number; readonly name: string };
  readonly list: number[];
  readonly queue: number[];
  readonly map: Map<string, number>;
  readonly set: Set<number>;
  readonly words: Uint32Array;
  sum: { value: number };
}

function createShelf(): Shelf {
  return {
    record: { count: 0 },
    total: { count: 0, name: 'total' },
    list: [1, 2, 3],
    queue: [1, 2, 3],
    map: new Map([['a', 1]]),
    set: new Set([1, 2]),
    words: new Uint32Array([1, 2, 3, 4, 5, 6, 7, 8]),
    sum: { value: 0 },
  };
}

type Change = (shelf: Shelf, undo: UndoLog) => void;

const key = fc.constantFrom('a', 'b', 'c');
const number = fc.integer({ min: 0, max: 5 });

const change: fc.Arbitrary<Change> = fc.oneof(
  number.map(
    (count): Change =>
      ({ record }, undo) => {
        undo.keep(record);
        record.count = count;
      },
  ),
  fc.option(key).map(
    (name): Change =>
      ({ record }, undo) => {
        undo.keep(record);
        if (name === null) delete record.name;
        else record.name = name;
      },
  ),
  fc.tuple(number, number).map(
    ([at, value]): Change =>
      ({ list }, undo) => {
        undo.keep(list);
        list.splice(at, 1, value, value);
      },
  ),
  number.map(
    (value): Change =>
      ({ queue }, undo) => {
        undo.push(queue);
        queue.push(value);
      },
  ),
  number.map(
    (count): Change =>
      ({ queue }, undo) => {
        undo.head(queue, count);
        queue.splice(0, count);
      },
  ),
  fc.tuple(key, fc.option(number)).map(
    ([name, value]): Change =>
      ({ map }, undo) => {
        undo.map(map, name);
        if (value === null) map.delete(name);
        else map.set(name, value);
      },
  ),
  fc.tuple(number, fc.boolean()).map(
    ([value, isAdded]): Change =>
      ({ set }, undo) => {
        undo.set(set, value);
        if (isAdded) set.add(value);
        else set.delete(value);
      },
  ),
  number.map(
    (count): Change =>
      ({ total }, undo) => {
        if (undo.isFirst(total)) undo.fields(total, { count: total.count });
        total.count = count;
      },
  ),
  fc.array(number, { maxLength: 3 }).map(
    (values): Change =>
      ({ queue }, undo) => {
        undo.length(queue);
        queue.push(...values);
      },
  ),
  number.map(
    (value): Change =>
      ({ words }, undo) => {
        undo.step(WORD, words, value, words[value] ?? 0);
        words[value] = 9;
      },
  ),
  number.map(
    (value): Change =>
      (shelf, undo) => {
        undo.step(SUM, shelf, shelf.sum);
        shelf.sum = { value };
      },
  ),
);

const WORD: UndoStep<[words: Uint32Array, at: number, word: number]> = {
  revert(words, at, word) {
    words[at] = word;
  },
  repeater(words, at) {
    const present = words[at] ?? 0;
    return () => {
      words[at] = present;
    };
  },
};

const SUM: UndoStep<[shelf: Shelf, sum: Shelf['sum']]> = {
  revert(shelf, sum) {
    shelf.sum = sum;
  },
  repeater(shelf) {
    const { sum } = shelf;
    return () => {
      shelf.sum = sum;
    };
  },
};

function changeAll(shelf: Shelf, undo: UndoLog, changes: readonly Change[]): void {
  undo.open();
  for (const apply of changes) apply(shelf, undo);
  undo.close();
}

describe('an undo log', () => {
  test('reverts any changes of any containers, record by record', () => {
    fc.assert(
      fc.property(fc.array(fc.array(change), { maxLength: 5 }), (records) => {
        const undo = new UndoLog(5);
        const shelf = createShelf();
        const before: Shelf[] = [];
        for (const changes of records) {
          before.push(structuredClone(shelf));
          changeAll(shelf, undo, changes);
        }
        while (undo.size > 0) {
          undo.undo();
          expect(shelf).toEqual(before.pop());
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('reverts the changes of a record, and nothing of the record whose memory it reuses', () => {
    const round = fc.tuple(fc.array(change, { maxLength: 8 }), fc.boolean());
    fc.assert(
      fc.property(fc.array(round, { maxLength: 12 }), (rounds) => {
        const undo = new UndoLog(1);
        const shelf = createShelf();
        for (const [changes, isForgotten] of rounds) {
          const before = structuredClone(shelf);
          changeAll(shelf, undo, changes);
          if (isForgotten) {
            undo.forget(1);
            continue;
          }
          undo.undo();
          expect(shelf).toEqual(before);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('shows everything as it was when the record began, and then as it is', () => {
    const piece = fc.array(change, { maxLength: 6 });
    fc.assert(
      fc.property(piece, fc.array(piece, { maxLength: 4 }), (earlier, pieces) => {
        const undo = new UndoLog(2);
        const shelf = createShelf();
        changeAll(shelf, undo, earlier);
        const before = structuredClone(shelf);
        undo.open();
        for (const changes of pieces) {
          for (const apply of changes) apply(shelf, undo);
          const present = structuredClone(shelf);
          expect(undo.asOfOpening(() => structuredClone(shelf))).toEqual(before);
          expect(shelf).toEqual(present);
        }
        undo.close();
        undo.undo();
        expect(shelf).toEqual(before);
        undo.undo();
        expect(shelf).toEqual(createShelf());
      }),
      { numRuns: 1_000 },
    );
  });

  test('shows pages as they were, also when the read fails, and reverts them afterwards', () => {
    const undo = new UndoLog(1);
    const words = new WordList(undo);
    for (let at = 0; at < 1_000; at++) words.set(at, at);
    undo.open();
    for (let at = 0; at < 1_000; at += 3) words.set(at, 7);
    const all = () => Array.from({ length: 1_000 }, (_, at) => words.get(at));
    const changed = all();
    expect(undo.asOfOpening(all)).toEqual(Array.from({ length: 1_000 }, (_, at) => at));
    const failing = () => {
      throw new Error('a read that fails');
    };
    expect(() => undo.asOfOpening(failing)).toThrow('a read that fails');
    expect(all()).toEqual(changed);
    for (let at = 0; at < 1_000; at += 5) words.set(at, 8);
    undo.close();
    expect(() => undo.asOfOpening(all)).toThrow('no record of changes is open');
    undo.undo();
    expect(all()).toEqual(Array.from({ length: 1_000 }, (_, at) => at));
  });

  test('reverts more steps than fit a part of its memory, the newest first, record by record', () => {
    const undo = new UndoLog(3);
    const counter = { value: 0 };
    const countTo = (end: number) => {
      undo.open();
      while (counter.value < end) {
        undo.fields(counter, { value: counter.value });
        counter.value++;
      }
      undo.close();
    };
    for (const end of [700, 1_400, 1_500]) countTo(end);
    undo.forget(1);
    // Uses what the forgotten record had, in another order.
    countTo(2_600);
    for (const end of [1_500, 1_400, 700]) {
      undo.undo();
      expect(counter.value).toBe(end);
    }
    expect(undo.size).toBe(0);
  });

  test('restores more blocks than fit a part of its memory', () => {
    const undo = new UndoLog(1);
    const words = new WordList(undo);
    for (let at = 0; at < 100_000; at++) words.set(at, at);
    for (let round = 0; round < 2; round++) {
      undo.open();
      for (let at = 0; at < 100_000; at++) words.set(at, 7);
      undo.close();
      undo.undo();
      const wrong = [];
      for (let at = 0; at < 100_000; at++) if (words.get(at) !== at) wrong.push(at);
      expect(wrong).toEqual([]);
    }
  });

  test('restores fields of a class and removes those that it did not have', () => {
    class Counter {
      private count = 1;
      rise(): number {
        return ++this.count;
      }
    }
    const counter = new Counter();
    const undo = new UndoLog(1);
    undo.open();
    undo.keep(counter);
    counter.rise();
    Object.assign(counter, { extra: true });
    undo.close();
    undo.undo();
    expect(counter).toEqual(new Counter());
    expect(Object.keys(counter)).toEqual(['count']);
  });

  test('restores more items than a call accepts arguments', () => {
    const long = Array.from({ length: 300_000 }, (_, index) => index);
    const undo = new UndoLog(1);
    undo.open();
    undo.head(long, 299_999);
    long.splice(0, 299_999);
    undo.close();
    undo.undo();
    expect(long.length).toBe(300_000);
    expect([long[0], long[299_998], long[299_999]]).toEqual([0, 299_998, 299_999]);
  });

  test('keeps nothing outside of a record, and nothing of dropped records', () => {
    const undo = new UndoLog(2);
    const record = { count: 1 };
    const set = (count: number) => {
      undo.keep(record);
      record.count = count;
    };
    set(2);
    for (const count of [3, 4]) {
      undo.open();
      set(count);
      undo.close();
    }
    undo.forget(1);
    undo.undo();
    expect(record.count).toBe(3);
    expect(() => undo.undo()).toThrow(RangeError);
    expect(record.count).toBe(3);
  });

  test('holds the maximum number of records, and opens one at a time', () => {
    const undo = new UndoLog(1);
    undo.open();
    expect(undo.isOpen).toBe(true);
    expect(() => undo.open()).toThrow('open already');
    undo.close();
    expect(undo.isOpen).toBe(false);
    expect(() => undo.open()).toThrow('no more than 1 changes can be held');
  });
});
