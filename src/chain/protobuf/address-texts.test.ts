import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { addressText } from './address-texts.ts';

describe('addressText', () => {
  test('returns the text of the bytes, independent of what was cached before', () => {
    const known = address('known');
    // Texts with the same cache index, so they replace each other.
    const rival = `${known.slice(0, -1)}${known.endsWith('1') ? '2' : '1'}`;
    for (const text of [known, rival, known, rival, rival]) {
      const bytes = Buffer.from(`..${text}..`);
      expect(addressText(bytes, 2, 2 + text.length)).toBe(text);
    }
  });

  test('equals Node’s decoding for any bytes', () => {
    const few = fc.constantFrom(0x31, 0x7a, 0xc3, 0xa9, 0xff);
    fc.assert(
      fc.property(fc.array(few, { maxLength: 50 }), (values) => {
        const bytes = Buffer.from(values);
        const text = bytes.toString('utf8');
        expect(addressText(bytes, 0, bytes.length)).toBe(text);
        expect(addressText(bytes, 0, bytes.length)).toBe(text);
      }),
    );
  });
});
