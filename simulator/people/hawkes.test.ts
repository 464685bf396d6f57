import { describe, expect, test } from 'vitest';
import { Random } from '../random/random.ts';
import { type Excitement, echoDelaysMs, type FadingArrivals, nextArrivalMs } from './hawkes.ts';

/** Times of all arrivals of one run, including indirect ones. */
function arrivalsOf(random: Random, rate: FadingArrivals, excitement: Excitement): number[] {
  const times: number[] = [];
  let since = nextArrivalMs(random, rate, 0);
  while (since !== null) {
    times.push(since);
    since = nextArrivalMs(random, rate, since);
  }
  for (let index = 0; index < times.length; index++) {
    const time = times[index] as number;
    for (const delayMs of echoDelaysMs(random, excitement)) times.push(time + delayMs);
  }
  return times;
}

const RUNS = 4_000;

function meanOver(runs: number, measure: (random: Random) => number): number {
  const root = new Random('hawkes');
  let sum = 0;
  for (let run = 0; run < runs; run++) sum += measure(root.fork(`${run}`));
  return sum / runs;
}

describe('self-exciting arrivals', () => {
  const rate = { count: 20, fadeMs: 60_000 };

  test.each([0, 0.3, 0.6])('number count / (1 - ratio) in total, at ratio %d', (ratio) => {
    const mean = meanOver(
      RUNS,
      (random) => arrivalsOf(random, rate, { ratio, echoMs: 20_000 }).length,
    );
    // Standard error of the mean: the sd of a cluster process is sqrt(count / (1 - ratio)^3).
    const error = Math.sqrt(rate.count / (1 - ratio) ** 3 / RUNS);
    expect(Math.abs(mean - rate.count / (1 - ratio))).toBeLessThan(4 * error);
  });

  test('number the integral of the expected intensity at a time midway', () => {
    const [ratio, echoMs, untilMs] = [0.5, 20_000, 45_000];
    const mean = meanOver(
      RUNS,
      (random) =>
        arrivalsOf(random, rate, { ratio, echoMs }).filter((time) => time < untilMs).length,
    );
    expect(mean).toBeCloseTo(expectedUntil(rate, { ratio, echoMs }, untilMs), 0);
  });

  test('are spontaneous with a mean age of fadeMs', () => {
    const ages: number[] = [];
    meanOver(400, (random) => {
      ages.push(...arrivalsOf(random, rate, { ratio: 0, echoMs: 1 }));
      return 0;
    });
    const mean = ages.reduce((sum, age) => sum + age, 0) / ages.length;
    expect(Math.abs(mean / rate.fadeMs - 1)).toBeLessThan(4 / Math.sqrt(ages.length));
  });

  test('never occur if none are expected', () => {
    expect(nextArrivalMs(new Random('none'), { count: 0, fadeMs: 1_000 }, 0)).toBeNull();
    expect(echoDelaysMs(new Random('none'), { ratio: 0, echoMs: 1_000 })).toEqual([]);
  });
});

/**
 * The mean field equation m(t) = mu(t) + ratio / echo * integral of exp(-(t - s) / echo) m(s) ds,
 * integrated numerically: a derivation of the same number without clusters.
 */
function expectedUntil(
  { count, fadeMs }: FadingArrivals,
  { ratio, echoMs }: Excitement,
  untilMs: number,
): number {
  const step = 5;
  let [memory, sum] = [0, 0];
  for (let time = 0; time < untilMs; time += step) {
    const intensity = (count / fadeMs) * Math.exp(-time / fadeMs) + memory;
    sum += intensity * step;
    memory += ((ratio / echoMs) * intensity - memory / echoMs) * step;
  }
  return sum;
}
