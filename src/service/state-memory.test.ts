import { expect, test } from 'vitest';
import { stateMemoryOf } from './state-memory.ts';

const GIB = 2 ** 30;

test('a state takes what is set, three quarters of it for pages of 1 KiB', () => {
  expect(stateMemoryOf(4 * GIB, 64 * GIB)).toEqual({
    pagesMax: 3 * 2 ** 20,
    objectBytesMax: GIB,
  });
});

test('a state takes a third of the machine if nothing is set', () => {
  expect(stateMemoryOf(null, 24 * GIB)).toEqual(stateMemoryOf(8 * GIB, 24 * GIB));
});
