import { expect, test } from 'vitest';
import { resourceRemedy } from './resource-remedy.ts';

test.each([
  ['Cannot open file /x: , errno: 24, strerror: Too many open files.', /ulimit -n/],
  ['Cannot reserve 1.00 MiB, not enough space. (NOT_ENOUGH_SPACE)', /free space/],
  ['database or disk is full', /free space/],
  ['ENOSPC: no space left on device, mkdir', /free space/],
  ['Cannot write to file: No space left on device', /free space/],
])('says what to do about "%s"', (message, remedy) => {
  expect(resourceRemedy(message)).toMatch(remedy);
});

test('has no advice for other failures', () => {
  expect(resourceRemedy('Unknown column')).toBeNull();
});
