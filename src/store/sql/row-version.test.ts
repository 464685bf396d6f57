import { expect, test } from 'vitest';
import { rowVersion } from './row-version.ts';

const SLOT_MAX = 2 ** 40 - 1;

test('rows of a later epoch replace all rows of an earlier one; within an epoch, later slots replace earlier ones', () => {
  const versions = [
    rowVersion(1, 0),
    rowVersion(1, 400_000_000),
    rowVersion(1, 400_000_001),
    rowVersion(1, SLOT_MAX),
    rowVersion(2, 0),
    rowVersion(3, 400_000_000),
  ];
  expect(versions.toSorted((one, other) => Number(BigInt(one) - BigInt(other)))).toEqual(versions);
  expect(new Set(versions).size).toBe(versions.length);
});
