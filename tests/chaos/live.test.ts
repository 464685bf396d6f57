import { describe, expect, test } from 'vitest';
import { regressionStorms } from './regression-storms.ts';
import { runStorm, STORM_AT_LEAST, type StormOptions } from './run-storm.ts';

/** Waiting may take long where the machine is busy; what must come out is exact all the same. */
const STORM_MS = 900_000;
/** What G6 allows, and what a machine that does other things too may add before it is late. */
const NAMED_MS = 10_000;
const BUSY_MS = 20_000;

type Counted = keyof typeof STORM_AT_LEAST;
const atLeast = Object.entries(STORM_AT_LEAST) as [Counted, number][];

/** A count asks for the seeds 1, 2 and so on, anything else is a list with commas. */
const asked = process.env.MINTSCOPE_CHAOS_SEEDS ?? 'gate';
const seeds = /^\d+$/.test(asked)
  ? Array.from({ length: Number(asked) }, (_, index) => String(index + 1))
  : asked.split(',');
const storms: readonly StormOptions[] = [
  ...seeds.map((seed) => ({ seed, kills: 2, gap: null })),
  ...regressionStorms().filter(({ isOpen }) => !isOpen),
];

describe('a service that follows failing nodes and is killed (F-01, F-07, F-10, F-11, F-13, F-14)', () => {
  test.each(storms)(
    'stores in storm $seed with $kills kills what a calm run stores and the venues say, and keeps the rules',
    async (options) => {
      const result = await runStorm(options);
      expect(result.differences).toEqual([]);
      expect(result.digest).toBe(result.calmDigest);
      expect(result.offences).toEqual([]);
      expect(result.kills).toBe(options.kills);
      for (const [what, least] of atLeast) expect(result[what], what).toBeGreaterThanOrEqual(least);
      expect(result.trades).toBeGreaterThan(50);
      if (options.gap === null) return;
      for (const seenMs of Object.values(result.gap ?? {})) {
        expect(seenMs).toBeLessThan(NAMED_MS + BUSY_MS);
      }
      expect(result.isGapClosed).toBe(true);
    },
    STORM_MS,
  );
});
