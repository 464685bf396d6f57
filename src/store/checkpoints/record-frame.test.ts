import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isBlank,
  RECORD_KINDS,
  readHeader,
  readRecord,
  recordSizeBytes,
  writeRecord,
} from './record-frame.ts';

const anyKey = fc.record({
  kind: fc.constantFrom(...RECORD_KINDS),
  space: fc.nat(2 ** 16 - 1),
  id: fc.maxSafeNat().map((id) => id % 2 ** 40),
});
const ORIGIN = { segment: 12, offsetBytes: 4_096 };

function recordOf(key: { kind: 'content'; space: number; id: number }, content: Uint8Array) {
  const bytes = Buffer.alloc(recordSizeBytes(content.length), 0xff);
  writeRecord(bytes, { ...key, content }, ORIGIN);
  return bytes;
}

test('a record is read as it was written, with what follows it ignored', () => {
  fc.assert(
    fc.property(anyKey, fc.uint8Array({ maxLength: 100 }), (key, content) => {
      const sizeBytes = recordSizeBytes(content.length);
      const bytes = Buffer.alloc(sizeBytes + 20, 0xff);
      writeRecord(bytes.subarray(0, sizeBytes), { ...key, content }, ORIGIN);
      expect(readRecord(bytes, ORIGIN)).toEqual({ ...key, content, sizeBytes });
    }),
  );
});

test('a header is read at any place, whatever the content is, and not where none fits', () => {
  fc.assert(
    fc.property(anyKey, fc.uint8Array({ maxLength: 100 }), fc.nat(50), (key, content, at) => {
      const sizeBytes = recordSizeBytes(content.length);
      const bytes = Buffer.alloc(at + sizeBytes, 0xff);
      writeRecord(bytes.subarray(at), { ...key, content }, ORIGIN);
      bytes.fill(0xaa, at + 16);
      expect(readHeader(bytes, at)).toEqual({ ...key, sizeBytes });
      expect(readHeader(bytes.subarray(0, at + 15), at)).toBe(null);
      bytes[at + 13] = RECORD_KINDS.length;
      expect(readHeader(bytes, at)).toBe(null);
    }),
  );
});

test('a record with one bit changed is refused, wherever the bit is', () => {
  const content = Buffer.from('the content of a record');
  const bytes = recordOf({ kind: 'content', space: 3, id: 2 ** 39 + 5 }, content);
  for (let bit = 0; bit < (16 + content.length) * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >>> 3] = (changed[bit >>> 3] ?? 0) ^ (1 << (bit & 7));
    expect(readRecord(changed, ORIGIN), `bit ${bit}`).toBe(null);
  }
});

test('a record is refused in another segment, at another offset, or cut off', () => {
  const bytes = recordOf({ kind: 'content', space: 3, id: 4 }, Buffer.from('content'));
  expect(readRecord(bytes, ORIGIN)).not.toBe(null);
  expect(readRecord(bytes, { ...ORIGIN, segment: 13 })).toBe(null);
  expect(readRecord(bytes, { ...ORIGIN, offsetBytes: 4_104 })).toBe(null);
  for (const length of [0, 15, 16, 22]) {
    expect(readRecord(bytes.subarray(0, length), ORIGIN)).toBe(null);
  }
});

test('the header has the documented layout', () => {
  const bytes = recordOf({ kind: 'content', space: 0x0102, id: 0x0504030201 }, Buffer.from([9]));
  expect(bytes.toString('hex', 4)).toBe(
    ['01000000', '0102030405', '00', '0201', '09', '00'.repeat(7)].join(''),
  );
  const seed = (Math.imul(12, 0x9e3779b1) ^ 4_096) >>> 0;
  expect(bytes.readUInt32LE(0)).toBe(crc32(bytes.subarray(4, 17), seed));
});

test('zeros are no record, except where those of an empty record were written', () => {
  const zeros = Buffer.alloc(40);
  expect(isBlank(zeros, 0, ORIGIN)).toBe(true);
  expect(isBlank(zeros, 24, ORIGIN)).toBe(true);
  expect(isBlank(zeros, 32, ORIGIN)).toBe(false);
  expect(isBlank(recordOf({ kind: 'content', space: 0, id: 0 }, Buffer.alloc(0)), 0, ORIGIN)).toBe(
    false,
  );
  for (let at = 0; at < 16; at++) {
    const changed = Buffer.from(zeros);
    changed[at] = 1;
    expect(isBlank(changed, 0, ORIGIN), `byte ${at}`).toBe(false);
  }
});
