import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  concat,
  flag,
  i128,
  key,
  text,
  u8,
  u16,
  u32,
  u64,
} from '../../../tests/support/borsh-bytes.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { borshRecord } from './borsh-record.ts';

const RECORD = borshRecord(
  { mint: 'pubkey', is_buy: 'bool', bin: 'i32', amount: 'u64', at: 'i64', price: 'u128' },
  { name: 'string', bucket: 'u8' },
  { shares: [{ owner: 'pubkey', bps: 'u16' }], fees: { own: 'u64', gain: 'i128' } },
);
const FIRST = concat(
  key(address('mint')),
  flag(true),
  u32(2 ** 32 - 3),
  u64(2n ** 64n - 1n),
  u64(2n ** 64n - 5n),
  u64(7n),
  u64(1n),
);
const SECOND = concat(FIRST, text('cät'), u8(200));
const WHOLE = concat(
  SECOND,
  u32(2),
  ...['one', 'two'].flatMap((owner, index) => [key(address(owner)), u16(500 + index)]),
  u64(11n),
  i128(-12n),
);

describe('a record', () => {
  test('has the values of its fields, by type', () => {
    const { mint, is_buy, bin, amount, at, price } = RECORD.read(FIRST, 0) ?? {};
    expect([mint, is_buy, bin, amount, at, price]).toEqual([
      address('mint'),
      true,
      -3,
      2n ** 64n - 1n,
      -5n,
      2n ** 64n + 7n,
    ]);
  });

  test('begins at an offset, and more bytes may follow', () => {
    const record = RECORD.read(concat(u64(9n), WHOLE, u64(9n)), 8);
    expect([record?.mint, record?.name, record?.bucket]).toEqual([address('mint'), 'cät', 200]);
    expect(record?.fees?.own).toBe(11n);
    expect(record?.fees?.gain).toBe(-12n);
    expect(record?.shares?.map(({ owner, bps }) => [owner, bps])).toEqual([
      [address('one'), 500],
      [address('two'), 501],
    ]);
  });

  test('lacks the fields that were appended after its time', () => {
    const first = RECORD.read(FIRST, 0);
    expect([first?.name, first?.bucket, first?.shares, first?.fees]).toEqual(
      Array(4).fill(undefined),
    );
    const second = RECORD.read(SECOND, 0);
    expect([second?.name, second?.shares, second?.fees]).toEqual(['cät', undefined, undefined]);
  });

  test('is null when it ends anywhere else', () => {
    const ends = [FIRST.length, SECOND.length, WHOLE.length];
    for (let length = 0; length <= WHOLE.length; length++) {
      const record = RECORD.read(WHOLE.subarray(0, length), 0);
      expect([length, record !== null]).toEqual([length, ends.includes(length)]);
    }
  });

  test('never throws, and never reads past the end of the data', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(220), (bytes, offset) => {
        const record = RECORD.read(bytes, offset);
        if (record === null) return true;
        const { mint, price, name, bucket, shares, fees } = record;
        const isWhole = [mint, price].every((value) => value !== undefined);
        return (
          isWhole &&
          (name === undefined) === (bucket === undefined) &&
          (shares === undefined) === (fees === undefined)
        );
      }),
    );
  });
});
