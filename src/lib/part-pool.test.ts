import { expect, test } from 'vitest';
import { PartPool } from './part-pool.ts';

test('parts that were given back are taken again, as many as may be kept', () => {
  let created = 0;
  const pool = new PartPool(() => ({ number: ++created }), 2);
  const [one, two, three] = [pool.take(), pool.take(), pool.take()];
  for (const part of [one, two, three]) pool.give(part);
  expect(pool.take()).toBe(two);
  expect(pool.take()).toBe(one);
  expect(pool.take()).toEqual({ number: 4 });
});
