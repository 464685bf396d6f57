import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { READ_KEY } from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../tests/support/fake-api-server.ts';
import { ChoiceParameter } from '../schemas/parameters.ts';
import { Deprecated, type Deprecation, deprecationHeaders } from './deprecation.ts';

const OLD: Deprecation = { since: '2026-12-01', until: '2027-07-01', use: 'GET /v1/new' };
const OLDER: Deprecation = { since: '2026-11-01', until: '2027-09-01', use: 'side' };

/** Seconds since 1970 of 2026-12-01 and 2026-11-01, as `date -ud` prints them. */
const SINCE = { OLD: '@1796083200', OLDER: '@1793491200' } as const;

const side = ChoiceParameter(['buy', 'sell'], { description: 'Only this side.' });

/** The server with two endpoints that are not part of the API. */
function serverWithOldRoutes() {
  const server = fakeApiServer();
  const querystring = Type.Object({ side: Type.Optional(Deprecated(side, OLDER)) });
  const described = { description: 'Returns nothing.', summary: 'Nothing', tags: ['operations'] };
  const response = { 200: Type.Object({}, { description: 'Nothing.' }) };
  void server.register(async (app) => {
    const old = { ...described, operationId: 'getOld', deprecation: OLD, response };
    app.get('/v1/old', { schema: old }, async () => ({}));
    const parameter = { ...described, operationId: 'getFiltered', querystring, response };
    app.get('/v1/filtered', { schema: parameter }, async () => ({}));
    app.get('/v1/both', { schema: { ...parameter, deprecation: OLD } }, async () => ({}));
    app.get('/v1/old-socket', { schema: old }, async (request, reply) => {
      app.webSockets.openDialog(request, reply, () => ({
        greet: () => undefined,
        take: () => undefined,
        end: () => undefined,
      }));
    });
  });
  return server;
}

const ask = (url: string, key = READ_KEY) =>
  serverWithOldRoutes().inject({ url, headers: { 'x-api-key': key } });

const LINK = '</docs/api-changes.md>; rel="deprecation"; type="text/markdown"';

describe('a deprecated endpoint', () => {
  test('says since when and until when, also when it refuses', async () => {
    for (const [key, status] of [
      [READ_KEY, 200],
      ['tik_wrong', 401],
    ] as const) {
      const { statusCode, headers } = await ask('/v1/old', key);
      expect(statusCode).toBe(status);
      expect(headers).toMatchObject({
        deprecation: SINCE.OLD,
        sunset: 'Thu, 01 Jul 2027 00:00:00 GMT',
        link: LINK,
      });
    }
  });

  test('says so when it opens a WebSocket', async () => {
    const server = serverWithOldRoutes();
    await server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.server.address() as AddressInfo;
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/old-socket`, {
      headers: { 'x-api-key': READ_KEY },
    });
    const [{ headers }] = await once(socket, 'upgrade');
    expect(headers).toMatchObject({ deprecation: SINCE.OLD, 'x-api-version': '1.2.3' });
    socket.terminate();
    await server.close();
  });

  test('is marked in the OpenAPI document, with what takes its place', async () => {
    const { paths } = (await ask('/openapi.json')).json();
    expect(paths['/v1/old'].get).toMatchObject({
      deprecated: true,
      description:
        'Returns nothing. Deprecated since 2026-12-01, and answered until 2027-07-01. Use GET /v1/new.',
    });
    expect(paths['/v1/old'].get).not.toHaveProperty('deprecation');
    expect(paths['/v1/filtered'].get).not.toHaveProperty('deprecated');
    const [parameter] = paths['/v1/filtered'].get.parameters;
    expect(parameter).toMatchObject({
      name: 'side',
      deprecated: true,
      schema: { type: 'string', enum: ['buy', 'sell'], 'x-invalid-status': 400 },
      description:
        'Only this side. Deprecated since 2026-11-01, and answered until 2027-09-01. Use side.',
    });
  });
});

describe('a deprecated parameter', () => {
  test('is announced to requests that give it, and works', async () => {
    const { statusCode, headers } = await ask('/v1/filtered?side=buy');
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      deprecation: SINCE.OLDER,
      sunset: 'Wed, 01 Sep 2027 00:00:00 GMT',
    });
    expect((await ask('/v1/filtered')).headers).not.toHaveProperty('deprecation');
    expect((await ask('/v1/filtered?side=none')).statusCode).toBe(400);
  });

  test('of a deprecated endpoint is announced with the earliest dates of both', async () => {
    expect((await ask('/v1/both?side=buy')).headers).toMatchObject({
      deprecation: SINCE.OLDER,
      sunset: 'Thu, 01 Jul 2027 00:00:00 GMT',
    });
  });
});

test('nothing else is announced as deprecated', async () => {
  const { headers } = await ask('/v1/key');
  for (const name of ['deprecation', 'sunset', 'link']) expect(headers).not.toHaveProperty(name);
});

test.each([
  ['2026-12-01', '2027-05-31'],
  ['2026-12-01', '2026-12-01'],
  ['December', '2027-07-01'],
  ['2026-12-01', 'never'],
])('a deprecation from %s to %s breaks the promise, and no server starts', (since, until) => {
  expect(() => deprecationHeaders({ deprecation: { since, until, use: 'x' } })).toThrow(TypeError);
});

test('six months to the day keep the promise', () => {
  const deprecation = { since: '2026-12-01', until: '2027-06-01', use: 'x' };
  expect(deprecationHeaders({ deprecation })).not.toBeNull();
});
