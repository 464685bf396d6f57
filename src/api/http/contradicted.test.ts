import { describe, expect, it } from 'vitest';
import { fakeApiDeps } from '../../../tests/support/fake-api-deps.ts';
import { DATA_URLS, fakeApiServer, getAsReader } from '../../../tests/support/fake-api-server.ts';
import type { Standstill } from '../chain-status.ts';

function serverWith(standstill: Standstill | null) {
  return fakeApiServer({ chain: { ...fakeApiDeps().chain, standstill: () => standstill } });
}

describe('a replica that most others contradict', () => {
  const server = serverWith({ isLasting: true, isContradicted: true });

  it.each(DATA_URLS.filter((url) => !url.startsWith('/v1/coverage')))(
    'answers 503 with the place of the reason for %s',
    async (url) => {
      const answer = await getAsReader(server, url);
      expect(answer.statusCode).toBe(503);
      expect(answer.json().message).toMatch(/differs from that of most others.*GET \/readyz/);
    },
  );

  it('still says which state it has, and answers probes', async () => {
    expect((await getAsReader(server, '/v1/coverage')).statusCode).toBe(200);
    expect((await getAsReader(server, '/readyz')).statusCode).not.toBe(404);
    expect((await getAsReader(server, '/livez')).json().message).toMatch(/no longer followed/);
  });

  it('does not concern one that has only lost its source', async () => {
    const answer = await getAsReader(serverWith({ isLasting: true }), '/v1/coverage');
    expect(answer.statusCode).toBe(200);
    const [url = ''] = DATA_URLS;
    expect((await getAsReader(serverWith({ isLasting: true }), url)).statusCode).not.toBe(503);
  });
});
