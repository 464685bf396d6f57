import { describe, expect, test } from 'vitest';
import { rowLayout } from './row-layout.ts';

const LAYOUT = rowLayout({
  small: 'u8',
  list: ['u16', 3],
  word: 'u32',
  real: 'f64',
  signed: 'i64',
  unsigned: 'u64',
});

describe('a layout of rows', () => {
  test('gives every field an aligned offset of its own, in a multiple of 8 bytes', () => {
    const widths = { u8: 1, u16: 2, u32: 4, f64: 8, i64: 8, u64: 8 };
    const taken = new Set<number>();
    let bytes = 0;
    for (const { kind, offset, length } of Object.values(LAYOUT.fields)) {
      expect(offset % widths[kind]).toBe(0);
      for (let at = 0; at < widths[kind] * length; at++) taken.add(offset + at);
      bytes += widths[kind] * length;
    }
    expect(taken.size).toBe(bytes);
    expect(Math.max(...taken)).toBeLessThan(LAYOUT.rowBytes);
    // 1 + 3·2 + 4 + 3·8 = 35, of which the next multiple of 8 is 40.
    expect(LAYOUT.rowBytes).toBe(40);
  });
});
