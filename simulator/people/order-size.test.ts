import { describe, expect, test } from 'vitest';
import { Random } from '../random/random.ts';
import { crowdSizeLamports, freeSizeLamports, PRESET_SOL } from './order-size.ts';

const DRAWS = 20_000;

describe('sizes of the crowd', () => {
  test('are presets half the time, each equally often', () => {
    const random = new Random('sizes');
    const presets = PRESET_SOL.map((sol) => BigInt(sol * 1e9));
    const drawn = Array.from({ length: DRAWS }, () => crowdSizeLamports(random));
    for (const preset of presets) {
      const share = drawn.filter((size) => size === preset).length / DRAWS;
      // A tenth each; three standard deviations of a binomial share are below 0.0065.
      expect(Math.abs(share - 0.1)).toBeLessThan(0.0065);
    }
  });

  test('are otherwise log-normal around 0.2 SOL, from 0.01 to 8 SOL', () => {
    const random = new Random('free');
    const drawn = Array.from({ length: DRAWS }, () => Number(freeSizeLamports(random)) / 1e9);
    const sorted = drawn.toSorted((one, other) => one - other);
    const at = (share: number): number => sorted[Math.floor(share * DRAWS)] ?? 0;
    expect(at(0.5)).toBeCloseTo(0.2, 1);
    // One standard deviation up is a factor e.
    expect(at(0.8413) / at(0.5)).toBeCloseTo(Math.E, 0);
    expect(at(0)).toBeGreaterThanOrEqual(0.01);
    expect(sorted.at(-1)).toBeLessThanOrEqual(8);
  });
});
