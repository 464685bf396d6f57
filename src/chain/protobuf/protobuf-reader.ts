import { RecordRefusal } from '../rpc-json/json-value.ts';
import { addressText } from './address-texts.ts';

/** Wire types: how a field's value is laid out. Groups (3 and 4) are long abandoned. */
const VARINT = 0;
const FIXED_64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;

/**
 * Reads protocol buffers field by field, within bounds and without copies. Anything that is not
 * well-formed is refused by throwing RecordRefusal; entry points turn that into a value.
 *
 * `next` moves to a field of the message being read; the field must then be read or skipped.
 * Layout: https://protobuf.dev/programming-guides/encoding/
 */
export class ProtobufReader {
  readonly bytes: Uint8Array;
  /** Number of the field that `next` found. */
  field = 0;
  /** Where the value of the last `span` begins and ends. */
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

  /** Reads a message that stands at known places from now on. */
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

  /** Passes over a field that nobody asked for. */
  skip(): void {
    if (this.wireType === VARINT) this.unsigned();
    else if (this.wireType === LENGTH_DELIMITED) this.span();
    else if (this.wireType === FIXED_64) this.move(8);
    else if (this.wireType === FIXED_32) this.move(4);
    else throw this.refusal(`wire type ${this.wireType} of field ${this.field}`);
  }

  /** Finds a message, bytes or text: they stand at `bytes` from `start` to `end`. */
  span(): void {
    this.expect(LENGTH_DELIMITED);
    const length = this.varint();
    this.start = this.at;
    this.move(length);
    this.end = this.at;
  }

  /** Bytes of a fixed size; returns where they begin. */
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

  /** Bytes as a text of as many characters. */
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

  /** Moves into a message within this one; give what it returns to `close` at its end. */
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
   * Notes where a repeated integer stands, whose values `packedAt` gives: writers pack them or repeat
   * the field. Returns how many values there are; each is checked to be one of 64 bits.
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

  /** The values of a repeated integer, from where `locateUnsigned` found them. */
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

  /** An integer that a number holds exactly: tags, lengths, indices, slots. */
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

  /** Seven bits a byte, least first. */
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

  /** Passes over an integer of 64 bits at most. */
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
/** Of 64 bits, of which the last byte holds one. */
const VARINT_BYTES_MAX = 10;
/** Bytes of a varint whose value a number holds exactly. */
const EXACT_STEPS = 7;

/** Adds to a list that hostile input would make as long as itself. */
export function appendTo<T>(values: T[], value: T, max: number, name: string): void {
  if (values.length >= max) throw tooMany(max, name);
  values.push(value);
}

export function tooMany(max: number, name: string): RecordRefusal {
  return new RecordRefusal('bad-transaction', `more than ${max} ${name}`);
}

/** Adds where the value that the reader is at begins and where it ends. */
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
