import { readU32, readU64 } from '../lib/little-endian.ts';
import { addressOfBytes } from './account-keys.ts';
import { SYSTEM_PROGRAM } from './program.ts';
import type { Address } from './units.ts';

const text = new TextDecoder('utf-8');

/**
 * Reads Borsh fields in order. Never throws: past the end it returns zeros and sets `isShort`,
 * which a decoder checks once after its last field and reports as `malformed`.
 */
export class BorshReader {
  /** A field ran past the end of the bytes, or its reader found a value that it cannot have. */
  isShort = false;
  private offset: number;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, offset = 0) {
    this.bytes = bytes;
    this.offset = offset;
  }

  /** Bytes not read yet. Shows whether the fields of a later layout are present. */
  get remaining(): number {
    return this.bytes.length - this.offset;
  }

  u8(): number {
    const at = this.take(1);
    return at < 0 ? 0 : (this.bytes[at] as number);
  }

  bool(): boolean {
    return this.u8() === 1;
  }

  u16(): number {
    const at = this.take(2);
    return at < 0 ? 0 : (this.bytes[at] as number) | ((this.bytes[at + 1] as number) << 8);
  }

  i16(): number {
    return (this.u16() << 16) >> 16;
  }

  u32(): number {
    const at = this.take(4);
    return at < 0 ? 0 : readU32(this.bytes, at);
  }

  i32(): number {
    return this.u32() | 0;
  }

  u64(): bigint {
    const at = this.take(8);
    return at < 0 ? 0n : readU64(this.bytes, at);
  }

  i64(): bigint {
    return BigInt.asIntN(64, this.u64());
  }

  u128(): bigint {
    const low = this.u64();
    return (this.u64() << 64n) | low;
  }

  f64(): number {
    const at = this.take(8);
    if (at < 0) return 0;
    const { buffer, byteOffset, byteLength } = this.bytes;
    return new DataView(buffer, byteOffset, byteLength).getFloat64(at, true);
  }

  address(): Address {
    const at = this.take(32);
    return at < 0 ? SYSTEM_PROGRAM : addressOfBytes(this.bytes, at);
  }

  /** A length-prefixed string, unchanged except that invalid UTF-8 becomes U+FFFD. */
  string(): string {
    const length = this.u32();
    const at = this.take(length);
    return at < 0 ? '' : text.decode(this.bytes.subarray(at, at + length));
  }

  skip(byteCount: number): void {
    this.take(byteCount);
  }

  private take(byteCount: number): number {
    const at = this.offset;
    if (this.isShort || at + byteCount > this.bytes.length) {
      this.isShort = true;
      return -1;
    }
    this.offset = at + byteCount;
    return at;
  }
}
