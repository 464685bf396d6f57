import { describe, expect, test } from 'vitest';
import { readOpenMetrics } from '../../../tests/support/open-metrics.ts';
import { createMetrics } from './metrics.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

describe('metrics in the OpenMetrics format', () => {
  test('have the trace of a request on the bucket of its duration', async () => {
    const metrics = createMetrics();
    metrics.observeTraced('GET', '/readyz', 200, 0.002, TRACE);
    const samples = readOpenMetrics(await metrics.renderOpen());
    const exemplars = samples.filter(({ exemplar }) => exemplar !== null);
    // 2 ms are in the bucket up to 2.5 ms, and an exemplar belongs to one bucket.
    expect(exemplars).toEqual([
      {
        name: 'mintscope_http_request_duration_seconds_bucket',
        labels: '{le="0.0025",method="GET",route="/readyz",status="200"}',
        value: 1,
        exemplar: { traceId: TRACE, value: 0.002 },
      },
    ]);
  });

  test('leave the plain page as it is, before and after', async () => {
    const metrics = createMetrics();
    metrics.observeTraced('GET', '/readyz', 200, 0.002, TRACE);
    metrics.exposeCounter({ name: 'seen_total', help: 'Seen.', read: () => [[{}, 3]] });
    metrics.exposeTraced({ name: 'wait_seconds', help: 'Waits.', buckets: [1] })(0.5, TRACE);
    const own = (page: string) => page.split('\n').filter((line) => line.includes('mintscope'));
    const before = own(await metrics.render());
    expect(readOpenMetrics(await metrics.renderOpen())).toContainEqual({
      name: 'mintscope_seen_total',
      labels: '',
      value: 3,
      exemplar: null,
    });
    expect(own(await metrics.render())).toEqual(before);
    expect(before).toContain('mintscope_seen_total 3');
    expect(before).toContain('# TYPE mintscope_seen_total counter');
    expect(before.join()).not.toContain(TRACE);
  });
});

describe('metrics page', () => {
  test('counts and times requests by method, route and status', async () => {
    const metrics = createMetrics();
    metrics.observeRequest('GET', '/v1/token/:token_address', 200, 0.002);
    metrics.observeRequest('GET', '/v1/token/:token_address', 200, 0.02);
    metrics.observeRequest('GET', '/v1/token/:token_address', 404, 0.001);
    const lines = (await metrics.render()).split('\n');
    const series = '{method="GET",route="/v1/token/:token_address",status="200"';
    expect(lines).toContain(`mintscope_http_requests_total${series}} 2`);
    expect(lines).toContain(`mintscope_http_request_duration_seconds_count${series}} 2`);
    expect(lines.filter((line) => line.includes('status="404"') && line.endsWith(' 1'))).toContain(
      'mintscope_http_requests_total{method="GET",route="/v1/token/:token_address",status="404"} 1',
    );
    const bucket = lines.find((line) => line.includes('le="0.0025"') && line.includes('"200"'));
    expect(bucket?.endsWith(' 1')).toBe(true);
  });

  test('reads the counts of the stages only when it is scraped', async () => {
    const metrics = createMetrics();
    let asked = 0;
    metrics.exposeCounter({
      name: 'events_total',
      help: 'Decoded events.',
      labelNames: ['kind'],
      read: () => {
        asked += 1;
        return [
          [{ kind: 'swap' }, 7],
          [{ kind: 'mint' }, 1],
        ];
      },
    });
    expect(asked).toBe(0);
    expect(await metrics.render()).toContain('mintscope_events_total{kind="swap"} 7');
    expect(await metrics.render()).toContain('mintscope_events_total{kind="swap"} 7');
    expect(asked).toBe(2);
  });

  test('shows gauges, and drops series that are no longer reported', async () => {
    const metrics = createMetrics();
    let samples: [Record<string, string>, number][] = [[{ source: 'a' }, 3]];
    metrics.exposeGauge({
      name: 'source_lag_slots',
      help: 'Lag.',
      labelNames: ['source'],
      read: () => samples,
    });
    expect(await metrics.render()).toContain('mintscope_source_lag_slots{source="a"} 3');
    samples = [[{ source: 'b' }, 4]];
    const page = await metrics.render();
    expect(page).toContain('mintscope_source_lag_slots{source="b"} 4');
    expect(page).not.toContain('source="a"');
  });
});
