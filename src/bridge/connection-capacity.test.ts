import { expect, test } from 'vitest';
import { connectionCapacity } from './connection-capacity.ts';

test.each([
  [1_024, 512],
  [256, 64],
  [65_536, 20_000],
  [null, 20_000],
])('a limit of %s files leaves %s connections', (filesMax, capacity) => {
  expect(connectionCapacity(filesMax)).toBe(capacity);
});
