/**
 * Base58 with the Bitcoin alphabet, as Solana writes keys, signatures and instruction data.
 *
 * Works on limbs held in doubles instead of single digits: four base58 digits at a time into 24-bit
 * limbs (58^4 · 2^24 < 2^48) when decoding, 16-bit words into 58^5 limbs (58^5 · 2^16 < 2^46) when
 * encoding. Both products stay exact below 2^53. Long texts are decoded through big integers instead.
 */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const INVALID = 255;
const DIGIT_OF = new Uint8Array(128).fill(INVALID);
const CODE_OF = new Uint8Array(58);
for (let digit = 0; digit < 58; digit++) {
  const code = ALPHABET.charCodeAt(digit);
  DIGIT_OF[code] = digit;
  CODE_OF[digit] = code;
}
const ONE = 49;
const LIMB = 2 ** 24;
const WORD = 2 ** 16;
const FIVE_DIGITS = 58 ** 5;

/** The longest text this module decodes: a v1 transaction of 4,096 bytes has 5,595 digits. */
const TEXT_LENGTH_MAX = 8_192;
/** From this length on, big integers are faster: four times for a transaction of 1,000 digits. */
const LONG_TEXT_LENGTH = 192;
const limbs = new Float64Array((LONG_TEXT_LENGTH * 6) / 24 + 8);

/**
 * Decodes base58 text. Returns null when a character is not in the alphabet or the text is longer
 * than any Solana message.
 */
export function decodeBase58(text: string): Uint8Array | null {
  const length = text.length;
  if (length > TEXT_LENGTH_MAX) return null;
  let zeros = 0;
  while (zeros < length && text.charCodeAt(zeros) === ONE) zeros++;
  if (length - zeros >= LONG_TEXT_LENGTH) return decodeLong(text, zeros);
  const count = readLimbs(text, zeros);
  if (count < 0) return null;
  return writeBytes(zeros, count);
}

/** Fills `limbs`, least significant first, and returns how many are used, or -1. */
function readLimbs(text: string, start: number): number {
  const length = text.length;
  let count = 0;
  for (let index = start; index < length; ) {
    let carry = 0;
    let factor = 1;
    for (let step = 0; step < 4 && index < length; step++) {
      const code = text.charCodeAt(index++);
      const digit = code < 128 ? (DIGIT_OF[code] as number) : INVALID;
      if (digit === INVALID) return -1;
      carry = carry * 58 + digit;
      factor *= 58;
    }
    for (let limb = 0; limb < count; limb++) {
      const value = (limbs[limb] as number) * factor + carry;
      carry = Math.floor(value / LIMB);
      limbs[limb] = value - carry * LIMB;
    }
    if (carry > 0) limbs[count++] = carry;
  }
  return count;
}

function writeBytes(zeros: number, count: number): Uint8Array {
  if (count === 0) return new Uint8Array(zeros);
  const top = limbs[count - 1] as number;
  const topBytes = top >= 2 ** 16 ? 3 : top >= 2 ** 8 ? 2 : 1;
  const bytes = new Uint8Array(zeros + (count - 1) * 3 + topBytes);
  let at = bytes.length;
  for (let limb = 0; limb < count - 1; limb++) {
    const value = limbs[limb] as number;
    bytes[--at] = value;
    bytes[--at] = value >>> 8;
    bytes[--at] = value >>> 16;
  }
  for (let byte = 0; byte < topBytes; byte++) bytes[--at] = top >>> (8 * byte);
  return bytes;
}

/** Digits of one group: 58^9 is the largest such power that a number represents exactly. */
const GROUP_DIGITS = 9;
/** 58^9, 58^18, 58^36 and so on: the weight of the upper one of two neighbours, by level. */
const WEIGHTS: bigint[] = [58n ** 9n];
for (let digits = GROUP_DIGITS; digits < TEXT_LENGTH_MAX; digits *= 2) {
  const weight = WEIGHTS[WEIGHTS.length - 1] as bigint;
  WEIGHTS.push(weight * weight);
}

/** Joins neighbours pairwise: a few multiplications of large numbers do most of the work. */
function decodeLong(text: string, zeros: number): Uint8Array | null {
  let parts = readGroups(text, zeros);
  if (parts === null) return null;
  for (let level = 0; parts.length > 1; level++) {
    const joined: bigint[] = [];
    for (let at = 0; at < parts.length; at += 2) {
      const low = parts[at] as bigint;
      const high = parts[at + 1];
      joined.push(high === undefined ? low : low + high * (WEIGHTS[level] as bigint));
    }
    parts = joined;
  }
  const hex = (parts[0] as bigint).toString(16);
  const body = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const bytes = new Uint8Array(zeros + body.length);
  bytes.set(body, zeros);
  return bytes;
}

/** Groups of nine digits, least significant first; null when a character is not a digit. */
function readGroups(text: string, start: number): bigint[] | null {
  const groups: bigint[] = [];
  for (let end = text.length; end > start; end -= GROUP_DIGITS) {
    let value = 0;
    for (let at = Math.max(start, end - GROUP_DIGITS); at < end; at++) {
      const code = text.charCodeAt(at);
      const digit = code < 128 ? (DIGIT_OF[code] as number) : INVALID;
      if (digit === INVALID) return null;
      value = value * 58 + digit;
    }
    groups.push(BigInt(value));
  }
  return groups;
}

const digits = new Float64Array(1_024);
const codes = Buffer.alloc(6_144);

/** Encodes `bytes[start, end)` as base58 text. At most 2,048 bytes. */
export function encodeBase58(bytes: Uint8Array, start = 0, end = bytes.length): string {
  if (end - start > 2_048) throw new RangeError(`base58 of ${end - start} bytes`);
  let first = start;
  while (first < end && bytes[first] === 0) first++;
  const zeros = first - start;
  const count = readDigits(bytes, first, end);
  return writeText(zeros, count);
}

/** Fills `digits`, least significant first, and returns how many are used. */
function readDigits(bytes: Uint8Array, first: number, end: number): number {
  let count = 0;
  let at = first;
  if ((end - first) % 2 === 1) digits[count++] = bytes[at++] as number;
  for (; (end - at) % 8 !== 0; at += 2) count = appendWord(wordAt(bytes, at), count);
  for (; at < end; at += 8) count = appendFourWords(bytes, at, count);
  return count;
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) * 256 + (bytes[at + 1] as number);
}

function appendWord(word: number, count: number): number {
  let carry = word;
  for (let digit = 0; digit < count; digit++) {
    const value = (digits[digit] as number) * WORD + carry;
    carry = Math.floor(value / FIVE_DIGITS);
    digits[digit] = value - carry * FIVE_DIGITS;
  }
  if (carry === 0) return count;
  digits[count] = carry;
  return count + 1;
}

/**
 * Four words in one pass: a division needs the carry of its own word only, so that four divisions
 * are under way at a time. Twice as fast for event data of 266 bytes.
 */
function appendFourWords(bytes: Uint8Array, at: number, count: number): number {
  let one = wordAt(bytes, at);
  let two = wordAt(bytes, at + 2);
  let three = wordAt(bytes, at + 4);
  let four = wordAt(bytes, at + 6);
  let digit = 0;
  for (; digit < count || one + two + three + four > 0; digit++) {
    let value = (digit < count ? (digits[digit] as number) : 0) * WORD + one;
    one = Math.floor(value / FIVE_DIGITS);
    value = (value - one * FIVE_DIGITS) * WORD + two;
    two = Math.floor(value / FIVE_DIGITS);
    value = (value - two * FIVE_DIGITS) * WORD + three;
    three = Math.floor(value / FIVE_DIGITS);
    value = (value - three * FIVE_DIGITS) * WORD + four;
    four = Math.floor(value / FIVE_DIGITS);
    digits[digit] = value - four * FIVE_DIGITS;
  }
  return digit;
}

function writeText(zeros: number, count: number): string {
  let at = zeros + count * 5;
  const end = at;
  for (let digit = 0; digit < count; digit++) {
    // Below 58^5 < 2^30, which integer arithmetic can represent.
    let value = (digits[digit] as number) | 0;
    for (let step = 0; step < 5; step++) {
      const rest = (value / 58) | 0;
      codes[--at] = CODE_OF[value - rest * 58] as number;
      value = rest;
    }
  }
  while (at < end && codes[at] === ONE) at++;
  for (let zero = 0; zero < zeros; zero++) codes[--at] = ONE;
  return codes.toString('latin1', at, end);
}

/** True for base58 text of exactly 32 bytes: a key or a block hash. */
export function isBase58Of32Bytes(text: string): boolean {
  return isBase58Between(text, KEY_RANGE);
}

/** True for base58 text of exactly 64 bytes: a signature. */
export function isBase58Of64Bytes(text: string): boolean {
  return isBase58Between(text, SIGNATURE_RANGE);
}

/** The smallest and the largest text of `sizeBytes` bytes whose first byte is not zero. */
interface TextRange {
  readonly sizeBytes: number;
  readonly least: string;
  readonly greatest: string;
}

const KEY_RANGE = rangeOf(32);
const SIGNATURE_RANGE = rangeOf(64);
const BASE58_TEXT = /^[1-9A-HJ-NP-Za-km-z]+$/;

function rangeOf(sizeBytes: number): TextRange {
  return {
    sizeBytes,
    least: encodeBase58(new Uint8Array(sizeBytes).fill(1, 0, 1)),
    greatest: encodeBase58(new Uint8Array(sizeBytes).fill(255)),
  };
}

/**
 * The alphabet is in ASCII order, so texts of equal length sort as their numbers do: no decoding is
 * needed, except for the rare text with leading zero bytes.
 */
function isBase58Between(text: string, { sizeBytes, least, greatest }: TextRange): boolean {
  const { length } = text;
  if (text.charCodeAt(0) === ONE) {
    return length <= greatest.length && decodeBase58(text)?.length === sizeBytes;
  }
  if (length === greatest.length) return text <= greatest && BASE58_TEXT.test(text);
  return length === least.length && text >= least && BASE58_TEXT.test(text);
}
