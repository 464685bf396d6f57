import { expect, test } from 'vitest';
import { mapInTurns } from './map-in-turns.ts';

test('maps in order and lets the event loop run in between', async () => {
  const items = Array.from({ length: 1_000 }, (_, index) => index);
  let mapped = 0;
  let heardAfter = 0;
  setImmediate(() => {
    heardAfter = mapped;
  });
  const doubled = await mapInTurns(items, (item) => {
    mapped++;
    return item * 2;
  });
  expect(doubled).toEqual(items.map((item) => item * 2));
  expect(heardAfter).toBeGreaterThan(0);
  expect(heardAfter).toBeLessThan(items.length);
});
