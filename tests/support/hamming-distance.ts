/** Bits in which two hashes of the same length differ. */
export function hammingDistance(one: string, other: string): number {
  let different = BigInt(`0x${one}`) ^ BigInt(`0x${other}`);
  let bits = 0;
  for (; different !== 0n; different &= different - 1n) bits++;
  return bits;
}
