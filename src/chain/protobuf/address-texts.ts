/** Cache slots; a power of two. A new text replaces the one in its cache slot. */
const CACHE_SIZE = 1 << 13;
const LENGTH_MAX = 44;
const keptBytes = new Uint8Array(CACHE_SIZE * LENGTH_MAX);
const keptTexts = new Array<string | undefined>(CACHE_SIZE);

/**
 * The text of `bytes[start, end)`, which should be an address. Mints, token programs and busy
 * owners recur throughout a block, so their texts are cached. This affects speed only.
 */
export function addressText(bytes: Buffer, start: number, end: number): string {
  const length = end - start;
  if (length < 32 || length > LENGTH_MAX) return bytes.toString('utf8', start, end);
  const cacheIndex =
    ((bytes[start + 2] as number) |
      ((bytes[start + 9] as number) << 4) |
      ((bytes[start + 20] as number) << 8)) &
    (CACHE_SIZE - 1);
  const base = cacheIndex * LENGTH_MAX;
  const known = keptTexts[cacheIndex];
  if (known?.length === length && isSame(bytes, start, base, length)) return known;
  const text = bytes.toString('utf8', start, end);
  if (text.length !== length) return text;
  for (let at = 0; at < length; at++) keptBytes[base + at] = bytes[start + at] as number;
  keptTexts[cacheIndex] = text;
  return text;
}

function isSame(bytes: Buffer, start: number, base: number, length: number): boolean {
  for (let at = 0; at < length; at++) {
    if (bytes[start + at] !== keptBytes[base + at]) return false;
  }
  return true;
}
