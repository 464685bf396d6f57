const VARINT = 0;
const FIXED_64 = 1;
const LENGTH_DELIMITED = 2;
const FIRST_SIZE = 1_024;

/**
 * Writes protocol buffers field by field. Zeros, false and empty texts are omitted, as proto3
 * requires; `optional` fields are always written. Layout:
 * https://protobuf.dev/programming-guides/encoding/
 */
export class ProtobufWriter {
  private buffer = Buffer.allocUnsafe(FIRST_SIZE);
  private size = 0;

  /** Throws RangeError for values that exceed 64 bits. */
  unsigned(field: number, value: number | bigint): void {
    if (value !== 0 && value !== 0n) this.optionalUnsigned(field, value);
  }

  optionalUnsigned(field: number, value: number | bigint): void {
    this.tag(field, VARINT);
    this.varint(value);
  }

  flag(field: number, value: boolean): void {
    if (value) this.optionalFlag(field, value);
  }

  optionalFlag(field: number, value: boolean): void {
    this.optionalUnsigned(field, value ? 1 : 0);
  }

  double(field: number, value: number): void {
    if (value === 0) return;
    this.tag(field, FIXED_64);
    this.reserve(8);
    this.size = this.buffer.writeDoubleLE(value, this.size);
  }

  text(field: number, text: string): void {
    if (text !== '') this.entry(field, text);
  }

  /** One entry of a repeated field; an empty text is written too. */
  entry(field: number, text: string): void {
    const length = Buffer.byteLength(text);
    this.tag(field, LENGTH_DELIMITED);
    this.varint(length);
    this.reserve(length);
    this.size += this.buffer.write(text, this.size);
  }

  bytes(field: number, bytes: ArrayLike<number>): void {
    if (bytes.length === 0) return;
    this.tag(field, LENGTH_DELIMITED);
    this.varint(bytes.length);
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.size);
    this.size += bytes.length;
  }

  /** A repeated integer field in packed form. */
  packed(field: number, values: readonly (number | bigint)[]): void {
    if (values.length === 0) return;
    this.message(field, () => {
      for (const value of values) this.varint(value);
    });
  }

  /**
   * A nested message: the fields that `write` writes to this writer. An empty one is written too.
   */
  message(field: number, write: () => void): void {
    this.tag(field, LENGTH_DELIMITED);
    const start = this.size;
    write();
    const end = this.size;
    // The length is only known now but comes first: shift the written bytes to make space.
    this.varint(end - start);
    const lengthBytes = this.size - end;
    const length = this.buffer.subarray(end, this.size).toString('latin1');
    this.buffer.copyWithin(start + lengthBytes, start, end);
    this.buffer.write(length, start, 'latin1');
  }

  /** Returns a copy of the written bytes. */
  done(): Uint8Array {
    return new Uint8Array(this.buffer.subarray(0, this.size));
  }

  private tag(field: number, wireType: number): void {
    this.varint(field * 8 + wireType);
  }

  /** Seven bits per byte, lowest first. */
  private varint(value: number | bigint): void {
    if (value < 0 || value >= 2n ** 64n) throw new RangeError(`${value} is no integer of 64 bits`);
    this.reserve(VARINT_BYTES_MAX);
    let rest = value;
    if (typeof rest === 'bigint') {
      for (; rest > 0x7fn; rest >>= 7n) this.buffer[this.size++] = Number(rest & 0x7fn) | 0x80;
      this.buffer[this.size++] = Number(rest);
      return;
    }
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) {
      this.buffer[this.size++] = (rest % 0x80) | 0x80;
    }
    this.buffer[this.size++] = rest;
  }

  private reserve(count: number): void {
    if (this.size + count <= this.buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.size + count));
    this.buffer.copy(grown, 0, 0, this.size);
    this.buffer = grown;
  }
}

const VARINT_BYTES_MAX = 10;
