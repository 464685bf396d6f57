import { describe, expect, test } from 'vitest';
import type { World } from '../market/world.ts';
import { Random } from '../random/random.ts';
import { SecondWaves } from './second-wave.ts';

const HOUR_MS = 3_600_000;

/** Delays and qualities of the second waves of a thousand tokens. */
function wavesOf(share: number): { readonly delayMs: number; readonly quality: number }[] {
  const found: { delayMs: number; quality: number }[] = [];
  let delayMs = 0;
  const world = {
    nowMs: 0,
    after: (ms: number, action: () => void) => {
      delayMs = ms;
      action();
    },
  };
  const waves = new SecondWaves(world as unknown as World, new Random('waves'), share);
  const crowd = {
    attract: (_: unknown, { quality }: { readonly quality: number }) => {
      found.push({ delayMs, quality });
    },
  };
  for (let token = 0; token < 1_000; token++) waves.plan(`mint ${token}` as never, crowd);
  return found;
}

describe('second waves', () => {
  test('come to the share of tokens that is asked for, within four standard errors', () => {
    expect(wavesOf(0)).toEqual([]);
    expect(wavesOf(1)).toHaveLength(1_000);
    // Deviation of a binomial of 1,000 at 0.15: 11.3.
    expect(Math.abs(wavesOf(0.15).length - 150)).toBeLessThan(46);
  });

  test('come after a median of three hours, at a quality that is noticed', () => {
    const waves = wavesOf(1);
    const later = waves.filter(({ delayMs }) => delayMs > 3 * HOUR_MS);
    // Deviation of a binomial of 1,000 at a half: 15.8.
    expect(Math.abs(later.length - 500)).toBeLessThan(64);
    for (const { quality } of waves) {
      expect(quality).toBeGreaterThanOrEqual(0.45);
      expect(quality).toBeLessThanOrEqual(0.85);
    }
  });
});
