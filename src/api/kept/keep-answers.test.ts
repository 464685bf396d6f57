import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import {
  fakeApiDeps,
  fakeIndicators,
  fakeKey,
  fakePool,
  MINT,
  POOL,
  READ_KEY,
  SLOT,
  SLOT_TIME_MS,
} from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../tests/support/fake-api-server.ts';
import { asSlot } from '../../model/units.ts';
import type { ServerOptions } from '../server/server-options.ts';

const URL_OF_POOL = `/v1/indicators/current?pair_address=${POOL}`;
const URL_OF_TOKEN = `/v1/token/${MINT}`;
/** Headers of an answer that name the request, its time or its key. */
const OWN = /^(date|x-request-id|x-data-age-ms|ratelimit-(remaining|reset))$/;

const servers: FastifyInstance[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A server whose state the test changes. */
async function listening(options: Partial<ServerOptions> = {}) {
  const state = {
    publications: 1,
    slot: Number(SLOT),
    wallets: 5,
    nowMs: SLOT_TIME_MS + 1_000,
    isRevoked: false,
    scopes: ['read'] as ('read' | 'review:write')[],
    made: 0,
  };
  const fake = fakeApiDeps();
  const observed: unknown[][] = [];
  const app = fakeApiServer(
    {
      keys: {
        authenticate: (text) =>
          text === READ_KEY && !state.isRevoked ? fakeKey('reader', state.scopes) : null,
      },
      publications: () => state.publications,
      nowMs: () => state.nowMs,
      steadyNowMs: () => state.nowMs,
      chain: {
        ...fake.chain,
        sinceSlotMs: () => null,
        freshness: () => ({ slot: asSlot(state.slot), timeMs: SLOT_TIME_MS, isComplete: true }),
      },
      pools: {
        ...fake.pools,
        withIndicators: (pool) => {
          state.made++;
          return pool === POOL
            ? { pool: fakePool(), indicators: fakeIndicators({ totalWallets: state.wallets }) }
            : null;
        },
      },
      metrics: { ...fake.metrics, observeRequest: (...seen) => observed.push(seen) },
    },
    options,
  );
  servers.push(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const ask = (url = URL_OF_POOL, headers: Record<string, string> = {}, method = 'GET') =>
    answerOf({ port, path: url, method, headers: { 'x-api-key': READ_KEY, ...headers } });
  return { app, ask, state, observed };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function answerOf(options: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', ...options }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        body += chunk;
      });
      const { statusCode: status = 0, headers } = response;
      response.on('end', () => resolve({ status, headers, body }));
    });
    sent.once('error', reject).end();
  });
}

function shared({ headers, ...rest }: Answer) {
  return {
    ...rest,
    headers: Object.entries(headers)
      .filter(([name]) => !OWN.test(name))
      .sort(),
  };
}

describe('A kept answer', () => {
  test.each([URL_OF_POOL, URL_OF_TOKEN])(
    'is the same as the one that was made, with each header: %s',
    async (url) => {
      const { app, ask } = await listening({
        corsOrigins: ['https://page.example'],
        isSimulated: true,
      });
      const [made, kept] = [await ask(url), await ask(url)];
      expect(app.keptAnswers.sent).toBe(1);
      expect(made.status).toBe(200);
      expect(shared(kept)).toEqual(shared(made));
      expect(Object.keys(kept.headers).sort()).toEqual(Object.keys(made.headers).sort());
    },
  );

  test('has its own ID, age and allowance', async () => {
    const { app, ask, state } = await listening({ rateLimitPerMinute: 60, rateLimitBurst: 10 });
    const made = await ask();
    state.nowMs += 250;
    const kept = await ask();
    const named = await ask(URL_OF_POOL, { 'x-request-id': 'mine' });
    expect(app.keptAnswers.sent).toBe(2);
    expect([made, kept].map(({ headers }) => headers['x-data-age-ms'])).toEqual(['1000', '1250']);
    expect([made, kept, named].map(({ headers }) => headers['ratelimit-remaining'])).toEqual([
      '9',
      '8',
      '7',
    ]);
    expect(kept.headers['x-request-id']).not.toBe(made.headers['x-request-id']);
    expect(named.headers['x-request-id']).toBe('mine');
  });

  test('ends with the next publication, also with one of a lower slot', async () => {
    const { ask, state } = await listening();
    await ask();
    for (const slot of [state.slot + 1, state.slot - 2]) {
      state.publications++;
      state.slot = slot;
      state.wallets++;
      for (const { headers, body } of [await ask(), await ask()]) {
        expect(headers['x-slot']).toBe(String(slot));
        expect(JSON.parse(body).total_wallets).toBe(state.wallets);
      }
    }
    expect(state.made).toBe(3);
  });

  test('ends after a second, since figures of posts belong to no slot', async () => {
    const { ask, state } = await listening();
    await ask();
    state.nowMs += 999;
    await ask();
    expect(state.made).toBe(1);
    state.nowMs += 1;
    await ask();
    expect(state.made).toBe(2);
  });

  test('is refused to a key at once when it is revoked, or lacks the scope', async () => {
    const { ask, state } = await listening();
    await ask();
    expect((await ask(URL_OF_POOL, { 'x-api-key': 'another' })).status).toBe(401);
    state.scopes = ['review:write'];
    expect((await ask()).status).toBe(403);
    state.scopes = ['read'];
    state.isRevoked = true;
    expect((await ask()).status).toBe(401);
  });

  test('counts for the rate limit, and is refused beyond it', async () => {
    const { ask } = await listening({ rateLimitPerMinute: 60, rateLimitBurst: 3 });
    const statuses: number[] = [];
    for (let at = 0; at < 5; at++) statuses.push((await ask()).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });

  test('is counted and timed by its route', async () => {
    const { ask, observed } = await listening();
    await ask();
    await ask();
    expect(observed.map((seen) => seen.slice(0, 3))).toEqual(
      Array.from({ length: 2 }, () => ['GET', '/v1/indicators/current', 200]),
    );
    expect(Number(observed[1]?.[3])).toBeGreaterThan(0);
  });

  test('is not used for a request that says anything unusual', async () => {
    const { app, ask, state } = await listening({ corsOrigins: ['https://page.example'] });
    await ask();
    const page = await ask(URL_OF_POOL, { origin: 'https://page.example' });
    expect(page.headers['access-control-allow-origin']).toBe('https://page.example');
    const head = await ask(URL_OF_POOL, {}, 'HEAD');
    expect([head.status, head.body]).toEqual([200, '']);
    expect((await ask(URL_OF_POOL, {}, 'POST')).status).toBe(405);
    expect((await ask(URL_OF_POOL, { 'content-length': '0' })).status).toBe(200);
    expect(app.keptAnswers.sent).toBe(0);
    expect(state.made).toBe(4);
    // The answer to the page is not given to others.
    expect((await ask()).headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('is none of an earlier slot, of an unknown pool or of a bad request', async () => {
    const { app, ask } = await listening();
    for (const url of [
      `${URL_OF_POOL}&as_of_slot=${SLOT}`,
      `/v1/indicators/current?pair_address=${MINT}`,
      '/v1/indicators/current?pair_address=x',
    ]) {
      const [one, other] = [await ask(url), await ask(url)];
      expect(other.status).toBe(one.status);
    }
    expect(app.keptAnswers.sent).toBe(0);
  });
});
