import { GraphError } from './graph-types.ts';
import { newPage } from './page-memory.ts';

/** Reads values from chunks of bytes. No value spans two chunks. */
export class ByteReader {
  private readonly chunks: Iterator<Uint8Array>;
  private chunk: Buffer = Buffer.alloc(0);
  private at = 0;

  constructor(chunks: Iterable<Uint8Array>) {
    this.chunks = chunks[Symbol.iterator]();
  }

  /**
   * Reads the first byte of a value. Like the other methods, throws GraphError at the end of the
   * data.
   */
  tag(): number {
    if (this.at === this.chunk.length && !this.next()) throw new GraphError('the bytes end early');
    return this.byte();
  }

  /** Reads an integer of 0 to 2^53 - 1 as a varint: 7 bits per byte, lowest first. */
  count(): number {
    let byte = this.byte();
    if (byte < 128) return byte;
    let count = byte & 127;
    for (let scale = 128; byte >= 128; scale *= 128) {
      byte = this.byte();
      count += (byte & 127) * scale;
      if (!Number.isSafeInteger(count)) throw new GraphError('a count is too large');
    }
    return count;
  }

  double(): number {
    return this.chunk.readDoubleLE(this.take(8));
  }

  word(): bigint {
    return this.chunk.readBigUInt64LE(this.take(8));
  }

  text(length: number, encoding: 'utf8' | 'utf16le'): string {
    const start = this.take(length);
    return this.chunk.toString(encoding, start, this.at);
  }

  /** Returns a copy of the next bytes. */
  bytes(length: number): Uint8Array {
    const start = this.take(length);
    const bytes = newPage(length);
    bytes.set(this.chunk.subarray(start, this.at));
    return bytes;
  }

  /** Throws GraphError if bytes remain. */
  assertEnd(): void {
    if (this.at < this.chunk.length || this.next()) throw new GraphError('bytes are left over');
  }

  /** Moves to the next non-empty chunk. Returns false after the last one. */
  private next(): boolean {
    for (;;) {
      const { done, value } = this.chunks.next();
      if (done === true) return false;
      if (value.length === 0) continue;
      this.chunk = Buffer.from(value.buffer, value.byteOffset, value.length);
      this.at = 0;
      return true;
    }
  }

  private byte(): number {
    const byte = this.chunk[this.at++];
    if (byte === undefined) throw new GraphError('a value is cut off');
    return byte;
  }

  private take(length: number): number {
    const start = this.at;
    if (start + length > this.chunk.length) throw new GraphError('a value is cut off');
    this.at += length;
    return start;
  }
}
