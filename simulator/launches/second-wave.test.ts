import { describe, expect, test } from 'vitest';
import { createSimulation } from '../simulation.ts';
import { PRESETS } from '../simulation-presets.ts';

const HOUR_MS = 3_600_000;

/** The hours after its launch in which each token was traded, over a day of a quiet market. */
function tradedHours(secondWaveShare: number): number[][] {
  const config = {
    ...PRESETS.month,
    ...{ seed: 'waves', secondWaveShare, launchesPerHour: 3, poolLaunchesPerHour: 0 },
  };
  const simulation = createSimulation(config);
  const hours = new Map<string, Set<number>>();
  const launchedMs = new Map<string, number>();
  while (simulation.world.nowMs < config.startMs + 12 * HOUR_MS) {
    const step = simulation.step();
    if (step === null || !step.isCanonical) continue;
    for (const { facts } of step.block.transactions) {
      for (const fact of facts) {
        if (fact.kind !== 'trade') continue;
        const { nowMs } = simulation.world;
        const startMs = launchedMs.get(fact.baseMint) ?? nowMs;
        launchedMs.set(fact.baseMint, startMs);
        const own = hours.get(fact.baseMint) ?? new Set<number>();
        hours.set(fact.baseMint, own.add(Math.floor((nowMs - startMs) / HOUR_MS)));
      }
    }
  }
  const launched = simulation.truth.launches.map(({ mint }) => [...(hours.get(mint) ?? [])]);
  return launched.filter((traded) => traded.length > 0);
}

/** Share of tokens that were traded again after an hour or more without trades. */
function againShare(tokens: readonly (readonly number[])[]): number {
  const isAgain = (traded: readonly number[]) => {
    const sorted = traded.toSorted((one, other) => one - other);
    return sorted.some((hour, at) => at > 0 && hour - (sorted[at - 1] ?? 0) > 1);
  };
  return tokens.filter(isAgain).length / tokens.length;
}

describe('second waves', () => {
  test('make tokens trade again hours after their first attention ended', () => {
    const [none, all] = [againShare(tradedHours(0)), againShare(tradedHours(1))];
    expect(none).toBeLessThan(0.1);
    // Half of the delays are above three hours, and the last launches have no time for it.
    expect(all - none).toBeGreaterThan(0.3);
  });
});
