import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { ApiDeps } from '../../src/api/deps.ts';
import { createServer, type ServerOptions } from '../../src/api/server.ts';
import { fakeApiDeps, READ_KEY } from './fake-api-deps.ts';

/** The whole server over fake dependencies, not listening. */
export function fakeApiServer(
  deps: Partial<ApiDeps> = {},
  options: Partial<ServerOptions> = {},
): FastifyInstance {
  return createServer(fakeApiDeps(deps), {
    version: '1.2.3',
    rateLimitPerMinute: 600_000,
    rateLimitBurst: 100_000,
    openOps: false,
    ...options,
  });
}

/** GET with a key that may read. */
export function getAsReader(server: FastifyInstance, url: string): Promise<LightMyRequestResponse> {
  return server.inject({ method: 'GET', url, headers: { 'x-api-key': READ_KEY } });
}
