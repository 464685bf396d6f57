/** A hash of bytes: MurmurHash3_x86_32 (Appleby, 2011), below 2^32. */
export function hashOfBytes(bytes: Uint8Array, seed: number): number {
  const { length } = bytes;
  const end = length & ~3;
  let hash = seed | 0;
  for (let at = 0; at < end; at += 4) {
    const word =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    hash ^= scrambled(word);
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let at = length - 1; at >= end; at--) tail = (tail << 8) | (bytes[at] as number);
  if (end < length) hash ^= scrambled(tail);
  hash ^= length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function scrambled(word: number): number {
  const product = Math.imul(word, 0xcc9e2d51);
  return Math.imul((product << 15) | (product >>> 17), 0x1b873593);
}
