/**
 * The perceptual hash of METHODS §1, which is `phash` of the Python library imagehash: the lowest
 * 8 × 8 frequencies of a 32 × 32 picture by a two-dimensional DCT-II, each as a bit that is set if
 * it is above their median, row by row, the first bit most significant.
 */

/** Width and height of the picture that is hashed. */
export const SIDE = 32;

const LOW_SIDE = 8;
/** The short hash uses the first half of the rows. */
const SHORT_ROWS = 4;

export interface PerceptualHashes {
  /** 16 hex digits. */
  readonly hash64: string;
  /** 8 hex digits: rows 0 to 3 of the same frequencies, against their own median. */
  readonly hash32: string;
}

/** `luminance` has 32 rows of 32 values from 0 to 255. */
export function perceptualHashes(luminance: ArrayLike<number>): PerceptualHashes {
  const frequencies = lowFrequencies(luminance);
  return {
    hash64: bitsAboveMedian(frequencies),
    hash32: bitsAboveMedian(frequencies.subarray(0, SHORT_ROWS * LOW_SIDE)),
  };
}

/** cos(π · frequency · (2 · sample + 1) / 64) for the eight lowest frequencies. */
const COSINES = Float64Array.from({ length: LOW_SIDE * SIDE }, (_, at) => {
  const [frequency, sample] = [Math.floor(at / SIDE), at % SIDE];
  return Math.cos((Math.PI * frequency * (2 * sample + 1)) / (2 * SIDE));
});

/** Transforms rows, then the eight columns left; not normalised, as only the order matters. */
function lowFrequencies(luminance: ArrayLike<number>): Float64Array {
  const rows = new Float64Array(SIDE * LOW_SIDE);
  for (let y = 0; y < SIDE; y++) {
    for (let across = 0; across < LOW_SIDE; across++) {
      let sum = 0;
      for (let x = 0; x < SIDE; x++) {
        sum += (luminance[y * SIDE + x] as number) * (COSINES[across * SIDE + x] as number);
      }
      rows[y * LOW_SIDE + across] = sum;
    }
  }
  const frequencies = new Float64Array(LOW_SIDE * LOW_SIDE);
  for (let down = 0; down < LOW_SIDE; down++) {
    for (let across = 0; across < LOW_SIDE; across++) {
      let sum = 0;
      for (let y = 0; y < SIDE; y++) {
        sum += (rows[y * LOW_SIDE + across] as number) * (COSINES[down * SIDE + y] as number);
      }
      frequencies[down * LOW_SIDE + across] = sum;
    }
  }
  return frequencies;
}

function bitsAboveMedian(frequencies: Float64Array): string {
  const sorted = frequencies.toSorted();
  const middle = sorted.length / 2;
  const median = ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
  let hex = '';
  for (let at = 0; at < frequencies.length; at += 4) {
    let digit = 0;
    for (let bit = 0; bit < 4; bit++) {
      digit = digit * 2 + ((frequencies[at + bit] as number) > median ? 1 : 0);
    }
    hex += digit.toString(16);
  }
  return hex;
}
