import { describe, expect, test } from 'vitest';
import { SOON_MS } from '../support/slow-machine.ts';
import { regressionStorms } from './regression-storms.ts';
import { runStorm, STORM_AT_LEAST, type StormOptions } from './run-storm.ts';

/** A busy machine may need long; the results must be exact nevertheless. */
const STORM_MS = 900_000;
/** The limit of G6, and the additional time allowed on a busy machine. */
const NAMED_MS = 10_000;

type Counted = keyof typeof STORM_AT_LEAST;
const atLeast = Object.entries(STORM_AT_LEAST) as [Counted, number][];

/** A number requests the seeds 1, 2 and so on; anything else is a list separated by commas. */
const asked = process.env.MINTSCOPE_TEST_CHAOS_SEEDS ?? 'gate';
const seeds = /^\d+$/.test(asked)
  ? Array.from({ length: Number(asked) }, (_, index) => String(index + 1))
  : asked.split(',');
const storms: readonly StormOptions[] = [
  ...seeds.map((seed) => ({ seed, kills: 2, gap: null })),
  ...regressionStorms().filter(({ isOpen }) => !isOpen),
];

describe('a service that follows failing nodes and is killed (F-01, F-07, F-10, F-11, F-13, F-14)', () => {
  test.each(storms)(
    'matches a calm run and the venues in storm $seed with $kills kills, and breaks no rule',
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
        expect(seenMs).toBeLessThan(NAMED_MS + SOON_MS);
      }
      expect(result.isGapClosed).toBe(true);
    },
    STORM_MS,
  );
});
