import { expect, test } from 'vitest';
import { madeOnce } from './made-once.ts';

test('a value is made when it is first needed, and once, also if it is null', () => {
  let count = 0;
  const nullOnce = madeOnce(() => {
    count++;
    return null;
  });
  expect(count).toBe(0);
  expect([nullOnce(), nullOnce(), count]).toEqual([null, null, 1]);
});
