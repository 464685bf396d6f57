import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstDifference, stateImage } from '../../../tests/support/state-image.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { IdQueue } from './id-queue.ts';

/** Numbers of ids pushed, then removed. */
const turns = fc.array(fc.record({ pushed: fc.nat(80), removed: fc.nat(80) }), { maxLength: 12 });
type Turns = typeof turns extends fc.Arbitrary<infer T> ? T : never;

/** Applies the turns to a queue and an array, and returns what was removed from each. */
function run(queue: IdQueue, array: number[], each: Turns, firstId: number) {
  const removed: number[][] = [[], []];
  let id = firstId;
  for (const turn of each) {
    for (let count = 0; count < turn.pushed; count++) {
      queue.push(id);
      array.push(id++);
    }
    for (let count = 0; count < turn.removed && array.length > 0; count++) {
      removed[0]?.push(queue.oldest);
      removed[1]?.push(array.shift() ?? -1);
      queue.shift();
    }
  }
  return removed;
}

test('a queue returns ids in the order of an array, and undo restores it', () => {
  fc.assert(
    fc.property(turns, turns, (kept, undone) => {
      const undo = new UndoLog(1);
      const [queue, array] = [new IdQueue(undo, 'queue'), [] as number[]];
      const [found, expected] = run(queue, array, kept, 0);
      expect(found).toEqual(expected);
      expect(queue.oldest).toBe(array[0] ?? -1);
      const before = stateImage(queue);
      undo.open();
      run(queue, [...array], undone, 10_000);
      undo.close();
      undo.undo();
      expect(firstDifference(before, stateImage(queue))).toBeNull();
    }),
    { numRuns: 300 },
  );
});

test('a queue takes no more rows when as many ids are removed as added', () => {
  const queue = new IdQueue(new UndoLog(), 'queue');
  const array: number[] = [];
  run(queue, array, [{ pushed: 40_000, removed: 0 }], 0);
  for (let round = 0; round < 50; round++)
    run(queue, array, [{ pushed: 2_000, removed: 2_000 }], 0);
  // 31 ids each, except that the first and the last row may be partly used.
  expect(queue.rowCount).toBeGreaterThanOrEqual(Math.ceil(40_000 / 31));
  expect(queue.rowCount).toBeLessThanOrEqual(Math.ceil(40_000 / 31) + 1);
});
