import { describe, expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

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
