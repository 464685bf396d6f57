/**
 * Reads integers from bytes, least significant byte first. Small byte arrays are stored in the
 * JavaScript heap until their buffer is requested, which then has to be allocated: reading single
 * bytes is several times faster than a DataView on an array that is read once or twice. There is no
 * bounds check: missing bytes count as zero.
 */

const WORD = 2 ** 32;

/** Reads a u32 as a number. */
export function readU32(bytes: Uint8Array, offset: number): number {
  return (
    ((bytes[offset] ?? 0) |
      ((bytes[offset + 1] ?? 0) << 8) |
      ((bytes[offset + 2] ?? 0) << 16) |
      ((bytes[offset + 3] ?? 0) << 24)) >>>
    0
  );
}

/** Reads a u64. */
export function readU64(bytes: Uint8Array, offset: number): bigint {
  const low = readU32(bytes, offset);
  const high = readU32(bytes, offset + 4);
  // Exact as a number up to 2^53, which creates one big integer instead of three.
  return high < 2 ** 21 ? BigInt(high * WORD + low) : (BigInt(high) << 32n) | BigInt(low);
}
