import { expect, test } from 'vitest';
import { bytesPerWallet } from './footprint.ts';

const FIRST = { wallets: 1_000, memoryBytes: 700_000, diskBytes: 500_000, fileBytes: 900_000 };
const LAST = { wallets: 3_000, memoryBytes: 1_500_000, diskBytes: 1_100_000, fileBytes: 2_900_000 };

test('bytes of a wallet are those of the growth, without what is fixed', () => {
  expect(bytesPerWallet(FIRST, LAST)).toEqual({ memory: 400, disk: 300, files: 1_000 });
});

test('memory is not reported where a part of the state is only on disk', () => {
  expect(bytesPerWallet(FIRST, { ...LAST, memoryBytes: null })?.memory).toBeNull();
  expect(bytesPerWallet({ ...FIRST, memoryBytes: null }, LAST)?.memory).toBeNull();
});

test('nothing is reported when no wallet was added', () => {
  expect(bytesPerWallet(FIRST, FIRST)).toBeNull();
});
