/** Texts kept; a power of two. Each has one place, where a newcomer replaces it. */
const PLACES = 1 << 13;
const LENGTH_MAX = 44;
const keptBytes = new Uint8Array(PLACES * LENGTH_MAX);
const keptTexts = new Array<string | undefined>(PLACES);

/**
 * The text of `bytes[start, end)`, which is an address or ought to be. Mints, token programs and
 * busy owners recur throughout a block, so their texts are kept. That changes speed only.
 */
export function addressText(bytes: Buffer, start: number, end: number): string {
  const length = end - start;
  if (length < 32 || length > LENGTH_MAX) return bytes.toString('utf8', start, end);
  const place =
    ((bytes[start + 2] as number) |
      ((bytes[start + 9] as number) << 4) |
      ((bytes[start + 20] as number) << 8)) &
    (PLACES - 1);
  const base = place * LENGTH_MAX;
  const known = keptTexts[place];
  if (known?.length === length && isSame(bytes, start, base, length)) return known;
  const text = bytes.toString('utf8', start, end);
  if (text.length !== length) return text;
  for (let at = 0; at < length; at++) keptBytes[base + at] = bytes[start + at] as number;
  keptTexts[place] = text;
  return text;
}

function isSame(bytes: Buffer, start: number, base: number, length: number): boolean {
  for (let at = 0; at < length; at++) {
    if (bytes[start + at] !== keptBytes[base + at]) return false;
  }
  return true;
}
