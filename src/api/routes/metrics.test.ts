import { describe, expect, test } from 'vitest';
import { MINT, READ_KEY } from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../tests/support/fake-api-server.ts';
import { createMetrics } from '../http/metrics.ts';

describe('GET /metrics', () => {
  test('returns the Prometheus page, requests counted by route and never by URL', async () => {
    const server = fakeApiServer({ metrics: createMetrics() });
    const headers = { 'x-api-key': READ_KEY };
    await server.inject({ url: `/v1/token/${MINT}?x-secret=tik_secret`, headers });
    await server.inject({ url: '/v1/token/x', headers });
    await server.inject({ url: '/v1/token/%zz', headers });
    await server.inject({ url: '/nothing/here', headers });
    await server.inject({ url: '/v1/token/x' });
    const response = await server.inject('/metrics');
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    const counts = response.body
      .split('\n')
      .filter((line) => line.startsWith('mintscope_http_req'));
    const lines = counts.filter((line) => line.startsWith('mintscope_http_requests_total'));
    expect(lines.sort()).toEqual(
      [
        ['/v1/token/:token_address', 200, 1],
        ['/v1/token/:token_address', 400, 1],
        ['/v1/token/:token_address', 401, 1],
        ['unmatched', 400, 1],
        ['unmatched', 404, 1],
      ].map(
        ([route, status, count]) =>
          `mintscope_http_requests_total{method="GET",route="${route}",status="${status}"} ${count}`,
      ),
    );
    for (const text of [MINT, 'tik_', 'nothing', 'secret']) {
      expect(response.body).not.toContain(text);
    }
  });
});
