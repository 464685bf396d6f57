import { expect, it } from 'vitest';
import { concat, key, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { readMigrationEvent } from './pump-migration-event.ts';

const FIRST = concat(
  new Uint8Array(16),
  key(address('user')),
  key(address('cat mint')),
  u64(206_900_000_000_000n),
  u64(84_990_359_420n),
  u64(15_000_001n),
  key(address('cat curve')),
  u64(1_750_000_000n),
  key(address('cat pool')),
);
const LATEST = concat(FIRST, key(address('quote mint')));

it('reads the initial amounts of a pool, whether or not the quote is named', () => {
  const amounts = { baseRaw: 206_900_000_000_000n, quoteRaw: 84_990_359_420n };
  expect(readMigrationEvent(FIRST)).toEqual(amounts);
  expect(readMigrationEvent(LATEST)).toEqual(amounts);
  expect(readMigrationEvent(concat(LATEST, u64(1n)))).toEqual(amounts);
});

it('rejects an event that ends anywhere else', () => {
  for (let length = 0; length < LATEST.length; length++) {
    const read = readMigrationEvent(LATEST.subarray(0, length));
    expect([length, read === null]).toEqual([length, length !== FIRST.length]);
  }
});
