import { expect, test } from 'vitest';
import { stateMemoryBytesOf, stateMemoryOf } from './state-memory.ts';

const GIB = 2 ** 30;

test('a state takes what is set, three quarters of it for pages of 1 KiB', () => {
  expect(stateMemoryBytesOf(4 * GIB, 64 * GIB)).toBe(4 * GIB);
  expect(stateMemoryOf(4 * GIB)).toEqual({
    pagesMax: 3 * 2 ** 20,
    objectBytesMax: GIB,
  });
});

test('a state takes a third of the machine if nothing is set', () => {
  expect(stateMemoryBytesOf(null, 24 * GIB)).toBe(8 * GIB);
});
