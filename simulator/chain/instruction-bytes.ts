import type { Address } from '../../src/model/units.ts';
import { bytesOf } from './keyring.ts';

/** Writes instruction data and event bytes: little-endian integers and Borsh strings. */
export class InstructionBytes {
  private readonly parts: Uint8Array[] = [];

  hex(text: string): this {
    this.parts.push(Buffer.from(text, 'hex'));
    return this;
  }

  u8(value: number): this {
    this.parts.push(Uint8Array.of(value));
    return this;
  }

  bool(value: boolean): this {
    return this.u8(value ? 1 : 0);
  }

  u16(value: number): this {
    this.next(2).writeUInt16LE(value);
    return this;
  }

  u32(value: number): this {
    this.next(4).writeUInt32LE(value);
    return this;
  }

  i32(value: number): this {
    this.next(4).writeInt32LE(value);
    return this;
  }

  u64(value: bigint): this {
    this.next(8).writeBigUInt64LE(value);
    return this;
  }

  i64(value: bigint): this {
    this.next(8).writeBigInt64LE(value);
    return this;
  }

  u128(value: bigint): this {
    return this.u64(value & 0xffff_ffff_ffff_ffffn).u64(value >> 64n);
  }

  /** Two's complement. */
  i128(value: bigint): this {
    return this.u128(BigInt.asUintN(128, value));
  }

  /** Several in a row. */
  addresses(...values: readonly Address[]): this {
    for (const value of values) this.address(value);
    return this;
  }

  /** Several in a row. */
  u64s(...values: readonly bigint[]): this {
    const bytes = this.next(8 * values.length);
    let offset = 0;
    for (const value of values) offset = bytes.writeBigUInt64LE(value, offset);
    return this;
  }

  address(value: Address): this {
    this.parts.push(bytesOf(value));
    return this;
  }

  /** A flag byte, followed by the address if there is one (Borsh Option). */
  optionalAddress(value: Address | null): this {
    return value === null ? this.u8(0) : this.u8(1).address(value);
  }

  string(value: string): this {
    const bytes = Buffer.from(value, 'utf8');
    return this.u32(bytes.length).raw(bytes);
  }

  raw(bytes: Uint8Array): this {
    this.parts.push(bytes);
    return this;
  }

  done(): Uint8Array {
    return Buffer.concat(this.parts);
  }

  /** The next bytes, zero until they are written. */
  private next(sizeBytes: number): Buffer {
    const bytes = Buffer.alloc(sizeBytes);
    this.parts.push(bytes);
    return bytes;
  }
}
