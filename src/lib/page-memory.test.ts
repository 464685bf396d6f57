import { describe, expect, test } from 'vitest';
import { newPage } from './page-memory.ts';

const MIB = 2 ** 20;

describe('a page', () => {
  test.each([1, 4_095, 4_096, 131_072])('of %i bytes has that many zeros', (sizeBytes) => {
    const page = newPage(sizeBytes);
    expect(page.length).toBe(sizeBytes);
    expect(page.every((byte) => byte === 0)).toBe(true);
  });

  test('of a table does not count as a buffer that makes V8 mark the whole heap', () => {
    const before = process.memoryUsage().external;
    const pages = Array.from({ length: 512 }, () => newPage(131_072));
    expect(process.memoryUsage().external - before).toBeLessThan(8 * MIB);
    const counted = Array.from({ length: 512 }, () => new Uint8Array(131_072));
    expect(process.memoryUsage().external - before).toBeGreaterThan(60 * MIB);
    expect(pages.length).toBe(counted.length);
  });
});
