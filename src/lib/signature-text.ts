/**
 * Encodes and decodes signatures as base58, for code that handles one per row: twice as fast as
 * `base58.ts`, which supports any length.
 *
 * The size is fixed, so all powers are precomputed: 32 words of 16 bits are added up as 18 limbs of
 * five digits with one carry pass at the end, and vice versa. Sums stay below 2^51 and are exact.
 */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const INVALID = 255;
const ONE = 49;
const DIGIT_OF = new Uint8Array(128).fill(INVALID);
const CODE_OF = new Uint8Array(58);
for (let digit = 0; digit < 58; digit++) {
  DIGIT_OF[ALPHABET.charCodeAt(digit)] = digit;
  CODE_OF[digit] = ALPHABET.charCodeAt(digit);
}

export const SIGNATURE_BYTES = 64;
const WORDS = SIGNATURE_BYTES / 2;
const WORD = 2 ** 16;
const LIMBS = 18;
const LIMB_DIGITS = 5;
const LIMB = 58 ** LIMB_DIGITS;
const DIGITS = LIMBS * LIMB_DIGITS;
/** Of 64 bytes that do not start with a zero. */
const TEXT_LENGTH_MAX = 88;

const POWERS_OF_WORDS = powers(WORD, WORDS, LIMB, LIMBS);
const POWERS_OF_LIMBS = powers(LIMB, LIMBS, WORD, WORDS);
/** Codes of two digits, the lower one in the lower byte. */
const PAIR = 58 ** 2;
const PAIR_CODES = Uint16Array.from({ length: PAIR }, (_, pair) => {
  const [high, low] = [CODE_OF[Math.floor(pair / 58)] ?? 0, CODE_OF[pair % 58] ?? 0];
  return high * 256 + low;
});

const words = new Float64Array(WORDS);
const limbs = new Float64Array(LIMBS);
const codes = Buffer.alloc(DIGITS + SIGNATURE_BYTES);

/** Encodes the 64 bytes from `start` on. */
export function encodeSignature(bytes: Uint8Array, start: number): string {
  let zeros = 0;
  while (zeros < SIGNATURE_BYTES && bytes[start + zeros] === 0) zeros++;
  for (let word = 0, at = start + SIGNATURE_BYTES; word < WORDS; word++) {
    at -= 2;
    words[word] = (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
  }
  convert(words, POWERS_OF_WORDS, limbs, LIMB);
  let at = SIGNATURE_BYTES + DIGITS;
  for (let limb = 0; limb < LIMBS; limb++) {
    // Below 58^5 < 2^30, which integer arithmetic can represent.
    const value = (limbs[limb] as number) | 0;
    const upper = (value / PAIR) | 0;
    const first = (upper / PAIR) | 0;
    at -= LIMB_DIGITS;
    const middle = PAIR_CODES[upper - first * PAIR] as number;
    const low = PAIR_CODES[value - upper * PAIR] as number;
    codes[at + 4] = low;
    codes[at + 3] = low >>> 8;
    codes[at + 2] = middle;
    codes[at + 1] = middle >>> 8;
    codes[at] = CODE_OF[first] as number;
  }
  while (at < codes.length && codes[at] === ONE) at++;
  for (let zero = 0; zero < zeros; zero++) codes[--at] = ONE;
  return codes.toString('latin1', at, codes.length);
}

/** Decodes a text into 64 bytes; returns false for text that is not the base58 of 64 bytes. */
export function decodeSignature(text: string, into: Uint8Array): boolean {
  if (!readLimbs(text)) return false;
  if (convert(limbs, POWERS_OF_LIMBS, words, WORD) !== 0) return false;
  for (let word = 0, at = SIGNATURE_BYTES; word < WORDS; word++) {
    const value = words[word] ?? 0;
    into[--at] = value;
    into[--at] = value >>> 8;
  }
  let zeros = 0;
  while (zeros < SIGNATURE_BYTES && into[zeros] === 0) zeros++;
  for (let digit = 0; digit < zeros; digit++) if (text.charCodeAt(digit) !== ONE) return false;
  return zeros === SIGNATURE_BYTES
    ? text.length === SIGNATURE_BYTES
    : text.charCodeAt(zeros) !== ONE;
}

/**
 * Fills `limbs`, least significant first; returns false for text that is too long or has an invalid
 * character.
 */
function readLimbs(text: string): boolean {
  const { length } = text;
  if (length > TEXT_LENGTH_MAX) return false;
  // Valid digits are below 64: an invalid one sets a higher bit.
  let bits = 0;
  for (let limb = 0, end = length; limb < LIMBS; limb++, end -= LIMB_DIGITS) {
    let value = 0;
    for (let at = end > LIMB_DIGITS ? end - LIMB_DIGITS : 0; at < end; at++) {
      const code = text.charCodeAt(at);
      const digit = DIGIT_OF[code & 127] as number;
      bits |= digit | (code >>> 1);
      value = value * 58 + digit;
    }
    limbs[limb] = value;
  }
  return bits < 64;
}

/** Powers of one base, written as digits of another base, with the number of digits of each. */
interface Powers {
  readonly digits: Float64Array;
  readonly counts: Uint8Array;
}

/** Converts a number to digits of `base`; returns the final carry. */
function convert(
  from: Float64Array,
  { digits, counts }: Powers,
  into: Float64Array,
  base: number,
): number {
  into.fill(0);
  const width = into.length;
  // Two powers at a time, which halves the reads and writes of each sum. Their number is even.
  for (let power = 0, at = 0; power < from.length; power += 2, at += 2 * width) {
    const factor = from[power] as number;
    const next = from[power + 1] as number;
    const count = counts[power + 1] as number;
    for (let digit = 0; digit < count; digit++) {
      const index = at + digit;
      into[digit] =
        (into[digit] as number) +
        factor * (digits[index] as number) +
        next * (digits[index + width] as number);
    }
  }
  let carry = 0;
  for (let digit = 0; digit < into.length; digit++) {
    const sum = (into[digit] as number) + carry;
    carry = Math.floor(sum / base);
    into[digit] = sum - carry * base;
  }
  return carry;
}

/** Powers of `of` from exponent 0 on, in at most `digitsMax` digits of `base`. */
function powers(of: number, count: number, base: number, digitsMax: number): Powers {
  const digits = new Float64Array(count * digitsMax);
  const counts = new Uint8Array(count);
  for (let power = 0; power < count; power++) {
    let left = BigInt(of) ** BigInt(power);
    for (let digit = 0; left > 0n; digit++, left /= BigInt(base)) {
      digits[power * digitsMax + digit] = Number(left % BigInt(base));
      counts[power] = digit + 1;
    }
  }
  return { digits, counts };
}
