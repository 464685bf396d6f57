import { describe, expect, test } from 'vitest';
import { runStorm } from './run-storm.ts';

// Storms take most of a minute each and want both cores: `npm run chaos` runs them, and this file
// where the variable asks for it.
const isAsked = process.env.MINTSCOPE_CHAOS_SEEDS !== undefined;
if (!isAsked) process.stderr.write('SKIPPING storms: set MINTSCOPE_CHAOS_SEEDS to run them.\n');

describe.skipIf(!isAsked)(
  'a service that follows failing nodes and is killed (F-01, F-07, F-10, F-11, F-14)',
  () => {
    test.each(['1', '2'])(
      'stores in storm %s what a calm run stores, and what the venues say was traded',
      async (seed) => {
        const result = await runStorm({ seed, kills: 3, hasGap: false });
        expect(result.differences).toEqual([]);
        expect(result.digest).toBe(result.calmDigest);
        expect(result.kills).toBe(3);
        expect(result.faults).toBeGreaterThan(20);
        expect(result.faultKinds).toBeGreaterThan(5);
        expect(result.undos).toBeGreaterThan(0);
        expect(result.trades).toBeGreaterThan(50);
      },
      120_000,
    );
  },
);
