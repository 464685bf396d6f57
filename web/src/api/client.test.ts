import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkSession, get, isFailure, send, urlOf } from './client.ts';
import { session, setRenewal } from './session-state.ts';

interface Call {
  readonly url: string;
  readonly method: string;
  readonly atMs: number;
}

let calls: Call[] = [];

/** Answers of the service in order; the last one is repeated. "down" is a service that is not there. */
function answers(...given: (Response | 'down')[]): void {
  let index = 0;
  vi.stubGlobal('fetch', (url: string, { method, signal }: RequestInit) => {
    calls.push({ url, method: method ?? '', atMs: Date.now() });
    const answer = given[Math.min(index++, given.length - 1)];
    if (signal?.aborted === true) return Promise.reject(new DOMException('aborted', 'AbortError'));
    if (answer === 'down' || answer === undefined) return Promise.reject(new TypeError('failed'));
    return Promise.resolve(answer.clone());
  });
}

const refusal = (status: number, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ code: status, message: `Status ${status}.` }), { status, headers });

const found = (headers: Record<string, string> = {}) =>
  new Response('{"items":[],"total":3}', { headers });

/** Times between the calls. */
const pauses = () => calls.slice(1).map(({ atMs }, index) => atMs - (calls[index]?.atMs ?? 0));

async function settle<Value>(promise: Promise<Value>): Promise<Value> {
  await vi.advanceTimersByTimeAsync(120_000);
  return await promise;
}

beforeEach(() => {
  vi.useFakeTimers();
  calls = [];
  session.value = 'open';
  setRenewal(() => Promise.resolve(false));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  session.value = 'asking';
});

describe('a read', () => {
  test('carries what it is as of', async () => {
    answers(
      found({
        'x-slot': '77',
        'x-data-age-ms': '412',
        'x-complete': 'false',
        'x-simulated': 'true',
      }),
    );
    expect(await get('/v1/tokens', { limit: 1 })).toEqual({
      ok: { items: [], total: 3 },
      slot: 77,
      ageMs: 412,
      isComplete: false,
      isSimulated: true,
    });
    expect(calls.map(({ url }) => url)).toEqual(['/v1/tokens?limit=1']);
  });

  test('without these headers depends on no slot and is complete', async () => {
    answers(found());
    expect(await get('/v1/tokens', {})).toMatchObject({
      slot: null,
      ageMs: null,
      isComplete: true,
      isSimulated: false,
    });
  });

  test('is repeated after 429 and 503 as long as the headers say', async () => {
    answers(
      refusal(429, { 'retry-after': '7' }),
      refusal(503, { 'ratelimit-reset': '2' }),
      refusal(503),
      found(),
    );
    expect(isFailure(await settle(get('/v1/tokens', {})))).toBe(false);
    expect(pauses()).toEqual([7_000, 2_000, 2_000]);
  });

  test('waits at most 15 seconds, and gives up after four attempts with the reason', async () => {
    answers(refusal(429, { 'retry-after': '3600' }));
    expect(await settle(get('/v1/tokens', {}))).toEqual({ error: 429, message: 'Status 429.' });
    expect(pauses()).toEqual([15_000, 15_000, 15_000]);
  });

  test('is repeated while the service is away, and says so after that', async () => {
    answers('down');
    expect(await settle(get('/v1/tokens', {}))).toEqual({
      error: 0,
      message: 'The service does not answer.',
    });
    expect(pauses()).toEqual([500, 1_000, 2_000]);
  });

  test('is not repeated where a 503 is the answer that is asked for', async () => {
    answers(refusal(503));
    expect(await settle(get('/readyz', {}, { attemptsMax: 1 }))).toMatchObject({ error: 503 });
    expect(calls).toHaveLength(1);
  });

  test('that is refused for its content is not repeated', async () => {
    answers(refusal(422));
    expect(await settle(get('/v1/tokens', {}))).toEqual({ error: 422, message: 'Status 422.' });
    expect(calls).toHaveLength(1);
  });

  test('names the status of an answer that is none of the API', async () => {
    answers(new Response('<html>Bad gateway</html>', { status: 502 }));
    expect(await settle(get('/v1/tokens', {}))).toEqual({
      error: 502,
      message: 'The service answered with status 502.',
    });
  });

  test('ends at once when it is aborted, also in a pause, and leaves no listener behind', async () => {
    answers(refusal(503, { 'retry-after': '10' }));
    const ending = new AbortController();
    const removed = vi.spyOn(ending.signal, 'removeEventListener');
    const added = vi.spyOn(ending.signal, 'addEventListener');
    const reading = get('/v1/tokens', {}, { signal: ending.signal });
    await vi.advanceTimersByTimeAsync(3_000);
    ending.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(await reading).toEqual({ error: 0, message: 'The request was cancelled.' });
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
  });
});

describe('a refused session', () => {
  test('is renewed once for all requests that wait, which are then sent again', async () => {
    let renewals = 0;
    let isRenewed = false;
    vi.stubGlobal('fetch', (url: string, { method }: RequestInit) => {
      calls.push({ url, method: method ?? '', atMs: Date.now() });
      return Promise.resolve(isRenewed ? found() : refusal(401));
    });
    setRenewal(async () => {
      renewals++;
      await new Promise((resolve) => setTimeout(resolve, 100));
      isRenewed = true;
      return true;
    });
    const both = Promise.all([
      get('/v1/tokens', {}),
      send<unknown>('POST', '/v1/webhooks', { url: 'https://example.com' }),
    ]);
    const [read, sent] = await settle(both);
    expect([isFailure(read), isFailure(sent), renewals]).toEqual([false, false, 1]);
    expect(calls.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'POST']);
    expect(session.value).toBe('open');
  });

  test('that cannot be renewed asks for a key, and the answer is the refusal', async () => {
    answers(refusal(401));
    expect(await settle(get('/v1/tokens', {}))).toEqual({ error: 401, message: 'Status 401.' });
    expect(calls).toHaveLength(1);
    expect(session.value).toBe('needs key');
  });

  test('is an answer and no more before the page is open', async () => {
    answers(refusal(401));
    session.value = 'asking';
    await settle(get('/v1/tokens', {}));
    expect(session.value).toBe('asking');
  });

  test('is found by a check, which keeps one that is valid or not known', async () => {
    answers(found(), 'down', refusal(401));
    expect([await checkSession(), session.value]).toEqual([false, 'open']);
    expect([await checkSession(), session.value]).toEqual([false, 'open']);
    expect([await checkSession(), session.value]).toEqual([false, 'needs key']);
  });
});

describe('a change', () => {
  test('is sent once, whatever the answer', async () => {
    answers(refusal(503));
    expect(await settle(send('DELETE', '/v1/webhooks/1'))).toEqual({
      error: 503,
      message: 'Status 503.',
    });
    expect(calls).toHaveLength(1);
  });

  test('is answered by null where the service has nothing to say', async () => {
    answers(new Response(null, { status: 204 }));
    expect(await send('DELETE', '/v1/session')).toMatchObject({ ok: null });
  });
});

test('URLs have their parameters in path and query, encoded, without those that are not given', () => {
  expect(
    urlOf('/v1/token/{token_address}', { token_address: 'a/b?c', limit: 5, q: null, x: undefined }),
  ).toBe('/v1/token/a%2Fb%3Fc?limit=5');
  expect(urlOf('/v1/tokens', { include: ['lp_mints', 'nameless'] })).toBe(
    '/v1/tokens?include=lp_mints%2Cnameless',
  );
});
