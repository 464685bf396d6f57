import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concat, flag, key, text, u8, u16, u32, u64 } from '../../tests/support/borsh-bytes.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { BorshReader } from './borsh-reader.ts';
import { SYSTEM_PROGRAM } from './program.ts';

describe('BorshReader', () => {
  test('reads fields in order', () => {
    const bytes = concat(
      u8(200),
      flag(true),
      u16(65_000),
      u32(4_000_000_000),
      u64(18_446_744_073_709_551_615n),
      key(address('someone')),
      text('héllo'),
      u8(9),
    );
    const reader = new BorshReader(bytes);
    expect(reader.u8()).toBe(200);
    expect(reader.bool()).toBe(true);
    expect(reader.u16()).toBe(65_000);
    expect(reader.u32()).toBe(4_000_000_000);
    expect(reader.u64()).toBe(2n ** 64n - 1n);
    expect(reader.address()).toBe(address('someone'));
    expect(reader.string()).toBe('héllo');
    expect(reader.remaining).toBe(1);
    reader.skip(1);
    expect(reader.remaining).toBe(0);
    expect(reader.isShort).toBe(false);
  });

  test('reads signed and 128-bit integers', () => {
    const reader = new BorshReader(concat(u32(0xffff_fffe), u64(2n ** 64n - 5n), u64(7n), u64(1n)));
    expect(reader.i32()).toBe(-2);
    expect(reader.i64()).toBe(-5n);
    expect(reader.u128()).toBe(2n ** 64n + 7n);
  });

  test('reads short signed integers and floating-point numbers', () => {
    // 0.1 in IEEE 754: 0x3fb999999999999a.
    const reader = new BorshReader(concat(u16(0xfffe), u64(0x3fb9_9999_9999_999an), u8(1)));
    expect(reader.i16()).toBe(-2);
    expect(reader.f64()).toBe(0.1);
    expect(reader.i16()).toBe(0);
    expect(reader.isShort).toBe(true);
    expect(reader.f64()).toBe(0);
  });

  test('starts at an offset, also within a larger buffer', () => {
    const part = concat(u8(1), u8(2), u16(0x0403), u8(5)).subarray(1);
    expect(new BorshReader(part, 1).u16()).toBe(0x0403);
  });

  test('replaces invalid UTF-8 with replacement characters', () => {
    expect(new BorshReader(concat(u32(2), u8(0x61), u8(0xff))).string()).toBe('a\uFFFD');
  });

  test('returns zeros from the first field past the end on, and reports it', () => {
    const reader = new BorshReader(concat(u16(513), u8(7)));
    expect(reader.u16()).toBe(513);
    expect(reader.isShort).toBe(false);
    expect(reader.u16()).toBe(0);
    expect(reader.isShort).toBe(true);
    expect(reader.u8()).toBe(0);
    expect(reader.u64()).toBe(0n);
    expect(reader.address()).toBe(SYSTEM_PROGRAM);
    expect(reader.string()).toBe('');
  });

  test('treats a string longer than the bytes as running past the end', () => {
    const reader = new BorshReader(concat(u32(0xffff_ffff), u8(1)));
    expect(reader.string()).toBe('');
    expect(reader.isShort).toBe(true);
  });

  test('reads every u64 as DataView does, and never throws on truncated bytes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.nat(8), (value, length) => {
        const reader = new BorshReader(u64(value).subarray(0, length));
        expect(reader.u64()).toBe(length === 8 ? value : 0n);
        expect(reader.isShort).toBe(length < 8);
      }),
    );
  });
});
