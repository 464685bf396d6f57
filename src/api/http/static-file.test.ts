import { describe, expect, test } from 'vitest';
import { chooseEncoding } from './static-file.ts';

describe('chooseEncoding', () => {
  const both = { br: Buffer.of(1), gzip: Buffer.of(2) };
  test.each([
    ['gzip, deflate, br, zstd', both, 'br'],
    ['gzip', both, 'gzip'],
    ['BR;q=0.5', both, 'br'],
    ['br;q=0, gzip;q=1.0', both, 'gzip'],
    ['br;q=0.000', both, 'identity'],
    ['brotli', both, 'identity'],
    ['', both, 'identity'],
    [undefined, both, 'identity'],
    ['br, gzip', { br: null, gzip: Buffer.of(2) }, 'gzip'],
    ['br, gzip', { br: null, gzip: null }, 'identity'],
  ] as const)('%s', (accepted, file, expected) => {
    expect(chooseEncoding(accepted, file)).toBe(expected);
  });
});
