import { decodeBase58 } from '../../src/lib/base58.ts';

/** Borsh encodings of single values, for tests that write instruction data and events by hand. */
export function u8(value: number): Uint8Array {
  return Uint8Array.of(value);
}

export function u16(value: number): Uint8Array {
  return littleEndian(BigInt(value), 2);
}

export function u32(value: number): Uint8Array {
  return littleEndian(BigInt(value), 4);
}

export function u64(value: bigint): Uint8Array {
  return littleEndian(value, 8);
}

export function i128(value: bigint): Uint8Array {
  return littleEndian(BigInt.asUintN(128, value), 16);
}

export function flag(value: boolean): Uint8Array {
  return u8(value ? 1 : 0);
}

export function text(value: string): Uint8Array {
  const content = new TextEncoder().encode(value);
  return concat(u32(content.length), content);
}

/** The 32 bytes of an address. */
export function key(address: string): Uint8Array {
  const bytes = decodeBase58(address);
  if (bytes === null) throw new Error(`not base58: ${address}`);
  return bytes;
}

export function hex(digits: string): Uint8Array {
  return Uint8Array.from(Buffer.from(digits, 'hex'));
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => Array.from(part)));
}

function littleEndian(value: bigint, byteCount: number): Uint8Array {
  return Uint8Array.from({ length: byteCount }, (_, at) =>
    Number((value >> BigInt(8 * at)) & 255n),
  );
}
