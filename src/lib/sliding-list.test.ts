import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SlidingList } from './sliding-list.ts';

test('equals an array under any sequence of pushes and shifts', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.integer(), fc.constant('shift' as const))), (steps) => {
      const list = new SlidingList<number>();
      const plain: number[] = [];
      for (const step of steps) {
        if (step === 'shift') expect(list.shift()).toBe(plain.shift());
        else {
          list.push(step);
          plain.push(step);
        }
        expect(list.size).toBe(plain.length);
        for (let index = -1; index <= plain.length; index++) {
          expect(list.at(index)).toBe(plain[index]);
        }
      }
    }),
  );
});

test('is empty after it was cleared', () => {
  const list = new SlidingList<number>();
  list.push(1);
  list.push(2);
  list.shift();
  list.clear();
  expect([list.size, list.at(0), list.shift()]).toEqual([0, undefined, undefined]);
});
