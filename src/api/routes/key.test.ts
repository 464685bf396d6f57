import { describe, expect, test } from 'vitest';
import { fakeKey, WRITE_KEY } from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, sendAs } from '../../../tests/support/fake-api-server.ts';
import { StreamLimit } from '../streams/stream-limit.ts';

const NOW_MS = Date.UTC(2025, 0, 15);
const key = {
  ...fakeKey('a client', ['read', 'triggers:write']),
  label: 'dashboard',
  expiresAtMs: Date.UTC(2026, 0, 1),
};

function serverOf(streamLimit = new StreamLimit(5)) {
  return fakeApiServer(
    { keys: { authenticate: () => key }, nowMs: () => NOW_MS },
    { rateLimitPerMinute: 60, rateLimitBurst: 10, streamLimit },
  );
}

describe('GET /v1/key', () => {
  test('returns the key, its limits and what is left, keys in order', async () => {
    const streamLimit = new StreamLimit(5);
    streamLimit.enter(key.accountId);
    streamLimit.enter(key.accountId);
    streamLimit.enter('another account');
    const server = serverOf(streamLimit);
    const ask = () => sendAs(server, 'GET', '/v1/key', 'any');
    await ask();
    await ask();
    const { statusCode, body, headers } = await ask();
    expect(statusCode).toBe(200);
    // Three of ten requests are used; at sixty a minute each takes a second to return.
    expect(body).toBe(
      JSON.stringify({
        key_id: key.keyId,
        account: key.accountId,
        name: 'dashboard',
        scopes: ['read', 'triggers:write'],
        expires_at: '2026-01-01T00:00:00.000Z',
        // Ten pictures for each request.
        limits: {
          requests_per_minute: 60,
          burst: 10,
          pictures_per_minute: 600,
          picture_burst: 100,
          open_streams: 5,
        },
        remaining: { requests: 7, reset_seconds: 3, open_streams: 3 },
      }),
    );
    expect(headers['ratelimit-remaining']).toBe('7');
  });

  test('answers a key without the scope read', async () => {
    const { statusCode, body } = await sendAs(fakeApiServer(), 'GET', '/v1/key', WRITE_KEY);
    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ scopes: ['triggers:write'], expires_at: null });
  });

  test('answers 401 without a valid key, from this machine too', async () => {
    const server = fakeApiServer();
    expect((await sendAs(server, 'GET', '/v1/key')).statusCode).toBe(401);
    expect((await sendAs(server, 'GET', '/v1/key', 'unknown')).statusCode).toBe(401);
  });

  test('never repeats the secret', async () => {
    const { body } = await sendAs(fakeApiServer(), 'GET', '/v1/key', WRITE_KEY);
    expect(body).not.toContain(WRITE_KEY);
  });
});
