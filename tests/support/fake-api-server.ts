import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { ApiDeps } from '../../src/api/deps.ts';
import { createServer } from '../../src/api/server/server.ts';
import type { ServerOptions } from '../../src/api/server/server-options.ts';
import {
  CLASSIFICATION,
  fakeApiDeps,
  MINT,
  POOL,
  READ_KEY,
  SIGNAL,
  WALLET,
} from './fake-api-deps.ts';

/** The complete server over fake dependencies, not listening. */
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

let shared: FastifyInstance | null = null;

/** One server over fake dependencies for requests that leave nothing behind. */
export function sharedApiServer(): FastifyInstance {
  shared ??= fakeApiServer();
  return shared;
}

/** One URL of every endpoint that returns data. */
export const DATA_URLS = [
  `/v1/token/${MINT}`,
  `/v1/indicators/current?pair_address=${POOL}`,
  `/v1/market/ohlc?token_address=${MINT}`,
  `/v1/market/bundled-transactions?token_address=${MINT}`,
  `/v1/indicators/historic?pair_address=${POOL}&from=2025-01-15&to=2025-01-16`,
  `/v1/token/${MINT}/holders`,
  `/v1/token/${MINT}/top-traders`,
  `/v1/token/${MINT}/first-buyers`,
  `/v1/token/${MINT}/holders-over-time?from=2025-01-15&to=2025-01-16`,
  '/v1/tokens',
  '/v1/pools',
  `/v1/pools/${POOL}`,
  `/v1/wallets/${WALLET}`,
  `/v1/wallets/${WALLET}/positions`,
  `/v1/wallets/${WALLET}/links`,
  `/v1/wallets/${WALLET}/created-tokens`,
  `/v1/fraud/check?token_address=${MINT}`,
  '/v1/fraud/classifications',
  `/v1/fraud/classifications/${CLASSIFICATION}`,
  `/v1/fraud/classifications/${CLASSIFICATION}/graph`,
  `/v1/fraud/classifications/${CLASSIFICATION}/report`,
  '/v1/signals?from_date=2025-01-15',
  '/v1/signals/statistics?from_date=2025-01-15',
  `/v1/signals/${SIGNAL}`,
  `/v1/socials/summary?token_address=${MINT}`,
  `/v1/socials/sentiment-over-time?token_address=${MINT}&from_date=2025-01-15`,
  `/v1/socials/posts?token_address=${MINT}&page_number=1&page_size=9&ordering=created_at:asc`,
] as const;

export const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'PROPFIND',
] as const;

export function sendAs(
  server: FastifyInstance,
  method: (typeof METHODS)[number],
  url: string,
  key?: string,
): Promise<LightMyRequestResponse> {
  // The injector's list of methods is shorter than that of HTTP.
  const options = { method: method as 'GET', url };
  return server.inject(key === undefined ? options : { ...options, headers: { 'x-api-key': key } });
}

/** GET with a key that has the scope `read`. */
export function getAsReader(server: FastifyInstance, url: string): Promise<LightMyRequestResponse> {
  return sendAs(server, 'GET', url, READ_KEY);
}
