/** A field of a message: an integer, or bytes that contain text or a message. */
export interface WireField {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

/**
 * The fields of a protocol buffers message in order. Throws RangeError for other bytes. Layout:
 * https://protobuf.dev/programming-guides/encoding/
 */
export function* fieldsOf(bytes: Uint8Array): Generator<WireField> {
  const cursor = { bytes, at: 0 };
  while (cursor.at < bytes.length) {
    const tag = Number(varint(cursor));
    const number = Math.floor(tag / 8);
    const wireType = tag % 8;
    if (wireType === 0) yield { number, value: varint(cursor) };
    else if (wireType === 2) yield { number, value: take(cursor, Number(varint(cursor))) };
    else if (wireType === 1) take(cursor, 8);
    else if (wireType === 5) take(cursor, 4);
    else throw new RangeError(`wire type ${wireType}`);
  }
}

interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

function varint(cursor: Cursor): bigint {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = cursor.bytes[cursor.at++];
    if (byte === undefined) throw new RangeError('a number is cut off');
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  throw new RangeError('a number is too long');
}

function take(cursor: Cursor, length: number): Uint8Array {
  const taken = cursor.bytes.subarray(cursor.at, cursor.at + length);
  if (taken.length < length) throw new RangeError('a field is cut off');
  cursor.at += length;
  return taken;
}
