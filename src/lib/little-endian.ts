/**
 * Integers out of bytes, least significant byte first. Small byte arrays live inside the JavaScript
 * heap until somebody asks for their buffer, which then has to be made: reading single bytes is
 * several times faster than a DataView on an array that is read once or twice. Nothing here checks
 * that the bytes are there: those that are not count as zero.
 */

const WORD = 2 ** 32;

/** A u32 as a number. */
export function readU32(bytes: Uint8Array, offset: number): number {
  return (
    ((bytes[offset] ?? 0) |
      ((bytes[offset + 1] ?? 0) << 8) |
      ((bytes[offset + 2] ?? 0) << 16) |
      ((bytes[offset + 3] ?? 0) << 24)) >>>
    0
  );
}

/** A u64. */
export function readU64(bytes: Uint8Array, offset: number): bigint {
  const low = readU32(bytes, offset);
  const high = readU32(bytes, offset + 4);
  // Exact as a number up to 2^53, which makes one big integer instead of three.
  return high < 2 ** 21 ? BigInt(high * WORD + low) : (BigInt(high) << 32n) | BigInt(low);
}
