import { RecordRefusal } from '../rpc-json/json-value.ts';
import { addressText } from './address-texts.ts';

/** Wire types: how a field's value is encoded. Groups (3 and 4) are long deprecated. */
const VARINT = 0;
const FIXED_64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;

/**
 * Reads protobuf messages field by field, within bounds and without copies. Malformed input throws
 * RecordRefusal, which entry points turn into a value.
 *
 * `next` moves to a field of the current message; the field must then be read or skipped. Encoding:
 * https://protobuf.dev/programming-guides/encoding/
 */
export class ProtobufReader {
  readonly bytes: Uint8Array;
  /** Number of the field that `next` found. */
  field = 0;
  /** Where the value of the last `span` starts and ends. */
  start = 0;
  end = 0;
  private at: number;
  private limit: number;
  private wireType = 0;
  private readonly buffer: Buffer;

  constructor(bytes: Uint8Array) {
    const { buffer, byteOffset, byteLength } = bytes;
    // A Buffer's own views are Buffers, which are slower to make.
    this.bytes = new Uint8Array(buffer, byteOffset, byteLength);
    this.buffer = Buffer.from(buffer, byteOffset, byteLength);
    this.at = 0;
    this.limit = byteLength;
  }

  /** Continues with the message at `[start, end)`. */
  enter(start: number, end: number): void {
    this.at = start;
    this.limit = end;
  }

  /** Moves to the next field; false at the end of the message. */
  next(): boolean {
    if (this.at >= this.limit) return false;
    const tag = this.varint();
    this.field = Math.floor(tag / 8);
    this.wireType = tag & 7;
    if (this.field > 0 && this.field <= FIELD_MAX) return true;
    throw this.refusal(`field number ${this.field}`);
  }

  /** Skips a field that is not used. */
  skip(): void {
    if (this.wireType === VARINT) this.unsigned();
    else if (this.wireType === LENGTH_DELIMITED) this.span();
    else if (this.wireType === FIXED_64) this.move(8);
    else if (this.wireType === FIXED_32) this.move(4);
    else throw this.refusal(`wire type ${this.wireType} of field ${this.field}`);
  }

  /** Locates a message, bytes or text at `[start, end)` of `bytes`. */
  span(): void {
    this.expect(LENGTH_DELIMITED);
    const length = this.varint();
    this.start = this.at;
    this.move(length);
    this.end = this.at;
  }

  /** Bytes of a fixed size; returns their start. */
  spanOf(sizeBytes: number, name: string): number {
    this.span();
    const found = this.end - this.start;
    if (found === sizeBytes) return this.start;
    throw new RecordRefusal('bad-transaction', `${name} has ${found} bytes, not ${sizeBytes}`);
  }

  text(): string {
    this.span();
    return this.textAt(this.start, this.end);
  }

  /** Bytes as text with one character per byte. */
  latin1(): string {
    this.span();
    return this.buffer.toString('latin1', this.start, this.end);
  }

  textAt(start: number, end: number): string {
    return this.buffer.toString('utf8', start, end);
  }

  /** Text that should be an address. */
  address(): string {
    this.span();
    return addressText(this.buffer, this.start, this.end);
  }

  /** Moves into a message nested in this one; pass the returned value to `close` at its end. */
  open(): number {
    const outer = this.limit;
    this.span();
    this.at = this.start;
    this.limit = this.end;
    return outer;
  }

  close(outer: number): void {
    this.at = this.limit;
    this.limit = outer;
  }

  isSet(): boolean {
    return this.unsigned() !== 0n;
  }

  /** A whole number from 0 to `max`. */
  count(max: number, name: string): number {
    this.expect(VARINT);
    const value = this.varint();
    if (value <= max) return value;
    throw new RecordRefusal('bad-transaction', `${name} ${value} exceeds ${max}`);
  }

  unsigned(): bigint {
    this.expect(VARINT);
    return this.wideVarint();
  }

  /**
   * Records the location of a repeated integer for `packedAt`: writers pack the values or repeat
   * the field. Returns the number of values; each is checked to fit in 64 bits.
   */
  locateUnsigned(spans: number[]): number {
    if (this.wireType !== LENGTH_DELIMITED) {
      this.expect(VARINT);
      const start = this.at;
      this.passVarint(this.limit);
      spans.push(start, this.at);
      return 1;
    }
    this.span();
    spans.push(this.start, this.end);
    let count = 0;
    this.at = this.start;
    for (; this.at < this.end; count++) this.passVarint(this.end);
    return count;
  }

  /** The values of a repeated integer at the spans recorded by `locateUnsigned`. */
  packedAt(spans: readonly number[]): bigint[] {
    const values: bigint[] = [];
    for (let at = 0; at < spans.length; at += 2) {
      this.enter(spans[at] as number, spans[at + 1] as number);
      while (this.at < this.limit) values.push(this.wideVarint());
    }
    return values;
  }

  private expect(wireType: number): void {
    if (this.wireType === wireType) return;
    throw this.refusal(`wire type ${this.wireType} of field ${this.field}, not ${wireType}`);
  }

  private move(count: number): void {
    if (count > this.limit - this.at) throw this.refusal('cut off');
    this.at += count;
  }

  /** An integer that a number represents exactly: tags, lengths, indices, slots. */
  private varint(): number {
    if (this.at < this.limit) {
      const first = this.bytes[this.at] as number;
      if (first < 0x80) {
        this.at++;
        return first;
      }
    }
    const value = Number(this.wideVarint());
    if (value <= Number.MAX_SAFE_INTEGER) return value;
    throw this.refusal('an integer exceeds 2^53');
  }

  /** Seven bits per byte, least significant first. */
  private wideVarint(): bigint {
    const { bytes, limit } = this;
    let value = 0;
    let factor = 1;
    for (let step = 0; step < EXACT_STEPS; step++) {
      if (this.at >= limit) throw this.refusal('cut off');
      const byte = bytes[this.at++] as number;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return BigInt(value);
      factor *= 0x80;
    }
    return this.lastVarintBytes(BigInt(value));
  }

  private lastVarintBytes(low: bigint): bigint {
    let value = low;
    for (let shift = 7n * BigInt(EXACT_STEPS); shift <= 63n; shift += 7n) {
      if (this.at >= this.limit) throw this.refusal('cut off');
      const byte = this.bytes[this.at++] as number;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80 && value < 2n ** 64n) return value;
    }
    throw this.refusal('an integer exceeds 64 bits');
  }

  /** Skips an integer of at most 64 bits. */
  private passVarint(limit: number): void {
    const { bytes } = this;
    const last = this.at + VARINT_BYTES_MAX - 1;
    for (; this.at < limit; this.at++) {
      const byte = bytes[this.at] as number;
      if (this.at === last && byte > 1) throw this.refusal('an integer exceeds 64 bits');
      if (byte < 0x80) {
        this.at++;
        return;
      }
    }
    throw this.refusal('cut off');
  }

  private refusal(reason: string): RecordRefusal {
    return new RecordRefusal('bad-encoding', `${reason} at byte ${this.at}`);
  }
}

const FIELD_MAX = 2 ** 29 - 1;
/** Length of a 64-bit varint, whose last byte holds one bit. */
const VARINT_BYTES_MAX = 10;
/** Bytes of a varint whose value a number represents exactly. */
const EXACT_STEPS = 7;

/** Appends to a list with a bound, because hostile input may contain any number of elements. */
export function appendTo<T>(values: T[], value: T, max: number, name: string): void {
  if (values.length >= max) throw tooMany(max, name);
  values.push(value);
}

export function tooMany(max: number, name: string): RecordRefusal {
  return new RecordRefusal('bad-transaction', `more than ${max} ${name}`);
}

/** Appends start and end of the value at the reader's position. */
export function appendSpan(
  reader: ProtobufReader,
  spans: number[],
  max: number,
  name: string,
): void {
  reader.span();
  if (spans.length >= 2 * max) throw tooMany(max, name);
  spans.push(reader.start, reader.end);
}
