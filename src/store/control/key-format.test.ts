import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { formatKey, isMistypedKey, KEY_RANDOM_BYTES } from './key-format.ts';

describe('a key', () => {
  test('is prefix, id, secret and checksum in base62, each of fixed width', () => {
    const { keyId, text } = formatKey(new Uint8Array(KEY_RANDOM_BYTES));
    expect(keyId).toBe('0'.repeat(11));
    expect(text.slice(0, 64)).toBe(`tik_live_${'0'.repeat(11)}_${'0'.repeat(43)}`);
    expect(text).toHaveLength(71);
  });

  test('writes bytes as one big-endian number', () => {
    // Id bytes 0…0 61, secret bytes 0…0 62: 'z' is 61, '10' is 62.
    const random = new Uint8Array(KEY_RANDOM_BYTES);
    random[7] = 61;
    random[39] = 62;
    expect(formatKey(random).text.slice(0, 64)).toBe(
      `tik_live_${'0'.repeat(10)}z_${'0'.repeat(41)}10`,
    );
  });

  test('encodes the largest bytes within its fixed widths', () => {
    const { text } = formatKey(new Uint8Array(KEY_RANDOM_BYTES).fill(255));
    const [, , id = '', secret = ''] = text.split('_');
    const numberOf = (digits: string) =>
      [...digits].reduce((sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)), 0n);
    expect(numberOf(id)).toBe(2n ** 64n - 1n);
    expect(numberOf(secret)).toBe(2n ** 256n - 1n);
  });

  test('ends with the CRC-32 of the text before it', () => {
    const { text } = formatKey(new Uint8Array(KEY_RANDOM_BYTES).fill(7));
    const body = text.slice(0, 64);
    const checksum = [...text.slice(65)].reduce(
      (sum, digit) => sum * 62 + DIGITS.indexOf(digit),
      0,
    );
    expect(checksum).toBe(crc32(body));
  });

  test('with one changed character is recognised as mistyped', () => {
    const { text } = formatKey(new Uint8Array(KEY_RANDOM_BYTES).fill(7));
    expect(isMistypedKey(text)).toBe(false);
    for (let index = 'tik_live_'.length; index < text.length; index++) {
      if (text[index] === '_') continue;
      const other = text[index] === 'a' ? 'b' : 'a';
      const mistyped = text.slice(0, index) + other + text.slice(index + 1);
      expect(isMistypedKey(mistyped)).toBe(true);
    }
  });

  test.each(['', 'secret', 'tik_live_', 'tik_live_x_y_z', 'tik_test_00000000000_a_b'])(
    'is not recognised in %j, which may be a bootstrap key',
    (text) => {
      expect(isMistypedKey(text)).toBe(false);
    },
  );

  test('cannot be created from fewer bytes', () => {
    expect(() => formatKey(new Uint8Array(39))).toThrow(RangeError);
  });
});

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
