import { decodeBase58 } from '../../lib/base58.ts';

/** Builds instruction data, little endian as Solana programs read it. */
export class ByteWriter {
  private readonly bytes: number[] = [];

  /** An unsigned integer of `size` bytes. */
  integer(value: bigint, size: number): void {
    for (let at = 0; at < size; at++) this.bytes.push(Number((value >> BigInt(8 * at)) & 0xffn));
  }

  raw(bytes: Iterable<number>): void {
    for (const byte of bytes) this.bytes.push(byte);
  }

  /** A 32-byte key; false when the text is not one. */
  key(text: string): boolean {
    const bytes = decodeBase58(text);
    if (bytes?.length !== 32) return false;
    this.raw(bytes);
    return true;
  }

  /** UTF-8 text after its length in bytes, an integer of `lengthSize` bytes. */
  text(text: string, lengthSize: number): void {
    const bytes = Buffer.from(text, 'utf8');
    this.integer(BigInt(bytes.length), lengthSize);
    this.raw(bytes);
  }

  toBytes(): Uint8Array {
    return Uint8Array.from(this.bytes);
  }
}
