import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasTestData, testData } from '../../../tests/support/test-data.ts';
import { perceptualHashes, SIDE } from './perceptual-hash.ts';

/** A horizontal times a vertical wave: its DCT is one coefficient, up to rounding. */
function wave(across: number, down: number): number[] {
  return Array.from({ length: SIDE * SIDE }, (_, at) => {
    const [y, x] = [Math.floor(at / SIDE), at % SIDE];
    const part = (frequency: number, sample: number) =>
      Math.cos((Math.PI * frequency * (2 * sample + 1)) / (2 * SIDE));
    return 100 * part(across, x) * part(down, y);
  });
}

function sum(...parts: readonly number[][]): number[] {
  return Array.from({ length: SIDE * SIDE }, (_, at) =>
    parts.reduce((total, part) => total + (part[at] ?? 0), 0),
  );
}

describe('perceptualHashes', () => {
  it('has a bit for each frequency above the median, row by row, the first most significant', () => {
    // 32 frequencies of +1 and 32 of −1: the median is 0, and the bits are the signs.
    const pattern = 'a5c30ff0965a3c69';
    const signs = [...BigInt(`0x${pattern}`).toString(2).padStart(64, '0')].map(Number);
    expect(signs.filter((sign) => sign === 1)).toHaveLength(32);
    const waves = signs.map((sign, at) =>
      wave(at % 8, Math.floor(at / 8)).map((value) => value * (sign === 1 ? 1 : -1)),
    );
    // A frequency of 0 in one direction has twice the energy, with the same sign.
    expect(perceptualHashes(sum(...waves)).hash64).toBe(pattern);
  });

  it('has a short form of the first four rows, against their own median', () => {
    // Rows 0 to 3: 16 frequencies of +3 and 16 of +1, all above the long form's median of 0.
    const upper = 'ff00f0f0';
    const strengths = [...BigInt(`0x${upper}`).toString(2).padStart(32, '0')].map((bit) =>
      bit === '1' ? 9 : 1,
    );
    const waves = Array.from({ length: 64 }, (_, at) =>
      wave(at % 8, Math.floor(at / 8)).map((value) => value * (strengths[at] ?? -1)),
    );
    expect(perceptualHashes(sum(...waves))).toEqual({ hash64: 'ffffffff00000000', hash32: upper });
  });

  it.skipIf(!hasTestData)('equals imagehash for the same 32 × 32 values', () => {
    const reference = JSON.parse(
      readFileSync(join(testData, 'labels/phash/computed_reference.json'), 'utf8'),
    ) as { images: Record<string, { luma32: number[]; phash64: string }> };
    const images = Object.values(reference.images);
    expect(images.length).toBeGreaterThan(10);
    for (const { luma32, phash64 } of images) {
      expect(perceptualHashes(luma32).hash64).toBe(phash64);
    }
  });
});
