import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readingBytes } from '../rpc-json/read-block.ts';
import { ProtobufReader } from './protobuf-reader.ts';

function at(hex: string): ProtobufReader {
  const reader = new ProtobufReader(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
  expect(reader.next()).toBe(true);
  return reader;
}

/** The refusal message for the first field. */
function refusalOf(hex: string, read: (reader: ProtobufReader) => unknown) {
  return readingBytes(() => {
    const reader = new ProtobufReader(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
    reader.next();
    return read(reader);
  });
}

describe('the protobuf encoding guide', () => {
  test('encodes 150 in field 1 as 08 96 01', () => {
    const reader = at('08 96 01');
    expect(reader.field).toBe(1);
    expect(reader.unsigned()).toBe(150n);
    expect(reader.next()).toBe(false);
  });

  test('encodes "testing" in field 2', () => {
    const reader = at('12 07 74 65 73 74 69 6e 67');
    expect(reader.field).toBe(2);
    expect(reader.text()).toBe('testing');
  });

  test('encodes a message in field 3 with 150 in its field 1', () => {
    const reader = at('1a 03 08 96 01');
    const outer = reader.open();
    expect(reader.next()).toBe(true);
    expect(reader.count(200, 'value')).toBe(150);
    expect(reader.next()).toBe(false);
    reader.close(outer);
    expect(reader.next()).toBe(false);
  });

  test('packs 3, 270 and 86942 into field 6; repeating the field means the same', () => {
    const packed = at('32 06 03 8e 02 9e a7 05');
    const packedSpans: number[] = [];
    expect(packed.locateUnsigned(packedSpans)).toBe(3);
    expect(packed.packedAt(packedSpans)).toEqual([3n, 270n, 86_942n]);
    const repeated = new ProtobufReader(Buffer.from('3003308e02309ea705', 'hex'));
    const spans: number[] = [];
    let count = 0;
    while (repeated.next()) count += repeated.locateUnsigned(spans);
    expect(count).toBe(3);
    expect(repeated.packedAt(spans)).toEqual([3n, 270n, 86_942n]);
  });

  test('allows skipping unknown fields of any wire type', () => {
    const unknown = '50 ff01 59 0102030405060708 62 02 aabb 6d 01020304';
    const reader = at(`${unknown} 08 07`);
    for (let skipped = 0; skipped < 4; skipped++) {
      reader.skip();
      expect(reader.next()).toBe(true);
    }
    expect([reader.field, reader.unsigned()]).toEqual([1, 7n]);
  });
});

describe('integers', () => {
  test('of any 64 bits are read as the guide encodes them', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (value) => {
        const bytes = [0x08];
        let rest = value;
        for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
        bytes.push(Number(rest));
        const reader = new ProtobufReader(Uint8Array.from(bytes));
        reader.next();
        expect(reader.unsigned()).toBe(value);
        expect(reader.next()).toBe(false);
      }),
    );
  });

  test.each([
    ['08 ff ff ff ff ff ff ff ff ff 02', 'an integer exceeds 64 bits at byte 11'],
    ['08 80 80 80 80 80 80 80 80 80 80 01', 'an integer exceeds 64 bits at byte 11'],
    ['08 80', 'cut off at byte 2'],
    ['08', 'cut off at byte 1'],
    ['0a 01 05', 'wire type 2 of field 1, not 0 at byte 1'],
  ])('are refused as %s', (hex, message) => {
    const refusal = { status: 'refused', code: 'bad-encoding', position: null, message };
    expect(refusalOf(hex, (reader) => reader.unsigned())).toEqual(refusal);
  });

  test('above the safe range are refused where a number is required', () => {
    const exact = at('08 ff ff ff ff ff ff ff 0f');
    expect(exact.count(Number.MAX_SAFE_INTEGER, 'slot')).toBe(Number.MAX_SAFE_INTEGER);
    const beyond = refusalOf('08 80 80 80 80 80 80 80 10', (reader) =>
      reader.count(Number.MAX_SAFE_INTEGER, 'slot'),
    );
    expect(beyond).toMatchObject({ message: 'an integer exceeds 2^53 at byte 9' });
    expect(refusalOf('08 09', (reader) => reader.count(8, 'height'))).toMatchObject({
      code: 'bad-transaction',
      message: 'height 9 exceeds 8',
    });
  });
});

describe('malformed input', () => {
  test.each([
    ['0b', 'wire type 3 of field 1 at byte 1'],
    ['0f', 'wire type 7 of field 1 at byte 1'],
    ['00 01', 'field number 0 at byte 1'],
    ['80 80 80 80 10 00', 'field number 536870912 at byte 5'],
    ['09 01020304', 'cut off at byte 1'],
    ['0d 010203', 'cut off at byte 1'],
    ['0a 05 01020304', 'cut off at byte 2'],
    ['0a ff ff ff ff ff ff ff 0f 01', 'cut off at byte 9'],
  ])('is refused: %s', (hex, message) => {
    expect(refusalOf(hex, (reader) => reader.skip())).toMatchObject({ status: 'refused', message });
  });

  test('includes a nested message that ends after its parent', () => {
    const read = (reader: ProtobufReader) => {
      reader.open();
      reader.next();
      return reader.text();
    };
    expect(refusalOf('0a 03 0a 02 41 42', read)).toMatchObject({ message: 'cut off at byte 4' });
  });

  test.each([
    ['0a 02 0380', 'cut off at byte 4'],
    ['0a 0a ffffffffffffffffff02', 'an integer exceeds 64 bits at byte 11'],
    ['0a 0b 8080808080808080808000', 'an integer exceeds 64 bits at byte 11'],
    ['08 80', 'cut off at byte 2'],
    ['0d 01020304', 'wire type 5 of field 1, not 0 at byte 1'],
  ])('includes a list of integers in %s, before any of them is read', (hex, message) => {
    expect(refusalOf(hex, (reader) => reader.locateUnsigned([]))).toMatchObject({ message });
  });

  test('does not include the largest 64-bit integer', () => {
    const reader = at('0a 0a ffffffffffffffffff01');
    const spans: number[] = [];
    expect(reader.locateUnsigned(spans)).toBe(1);
    expect(reader.packedAt(spans)).toEqual([2n ** 64n - 1n]);
  });
});
