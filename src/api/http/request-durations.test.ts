import { Histogram, Registry } from '@prometheus-io/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RequestDurations } from './request-durations.ts';

const NAME = 'duration_seconds';
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

const request = fc.tuple(
  fc.constantFrom('GET', 'POST'),
  fc.constantFrom('/v1/a', '/v1/b "quoted"'),
  fc.constantFrom(200, 404),
  // Bounds of buckets belong to them. Quarters of them have exact sums in any order.
  fc.constantFrom(0, 0.0005, 0.00051, 0.25, 0.5, 1, 2, 5, 6),
);

function linesOf(page: string): string[] {
  const lines = page.split('\n').map((line) => {
    const [, name, labels = '', rest] = /^([^{ ]+)(?:\{(.*)\})? (.*)$/.exec(line) ?? [];
    return `${name} ${labels.split(/,(?=[a-z]+=")/).sort()} ${rest}`;
  });
  return lines.filter((line) => line.includes('_bucket') || line.includes('_count')).sort();
}

test('Durations of requests are written as those of a histogram of the library', async () => {
  const property = fc.asyncProperty(fc.array(request), async (requests) => {
    const [own, theirs] = [new Registry(), new Registry()];
    const durations = new RequestDurations(NAME);
    own.registerMetric(durations.asMetric());
    const histogram = new Histogram({
      ...{ name: NAME, help: 'x', labelNames: ['method', 'route', 'status'], buckets: BUCKETS },
      registers: [theirs],
    });
    for (const [method, route, status, seconds] of requests) {
      durations.observe(method, route, status, seconds);
      histogram.observe({ method, route, status }, seconds);
    }
    const page = await own.metrics();
    expect(linesOf(page)).toEqual(linesOf(await theirs.metrics()));
    const sums = [...page.matchAll(/_sum\{.*\} (.*)/g)].map(([, sum]) => Number(sum));
    const total = requests.reduce((sum, [, , , seconds]) => sum + seconds, 0);
    expect(sums.reduce((sum, one) => sum + one, 0)).toBeCloseTo(total, 9);
    const counted = [...durations.counts()].reduce((sum, [, count]) => sum + count, 0);
    expect(counted).toBe(requests.length);
  });
  await fc.assert(property);
});
