import fastify, { type FastifyInstance, LogController } from 'fastify';
import { ApiError } from '../../model/errors.ts';
import type { ChainStatus } from '../chain-status.ts';
import { isFromThisMachine } from '../http/admission.ts';
import { sendError, toApiError } from '../http/errors.ts';
import { commonHeaders } from '../http/security-headers.ts';
import { healthRoutes } from '../routes/health.ts';
import { type MetricsPage, metricsRoute } from '../routes/metrics.ts';
import { compileResponse } from '../schemas/compile-response.ts';

/** What a process without an API shows of itself. */
export interface OpsDeps {
  readonly chain: Pick<ChainStatus, 'readiness' | 'standstill'>;
  readonly metrics: MetricsPage;
  steadyNowMs(): number;
}

export interface OpsOptions {
  /** Version of the service. */
  readonly version: string;
  /** Whether /readyz and /metrics answer other machines. */
  readonly openOps: boolean;
}

const REQUEST_TIMEOUT_MS = 10_000;
const SILENCE_MS = 60_000;
const CONNECTIONS_MAX = 256;
const OTHER_MACHINE =
  'This is answered to clients on the same machine only: set --open-ops true to answer all.';

/**
 * `/livez`, `/readyz` and `/metrics` alone, for a process that has neither an API nor keys. The
 * caller starts listening and closes it.
 */
export function createOpsServer(deps: OpsDeps, options: OpsOptions): FastifyInstance {
  const app = fastify({
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: SILENCE_MS,
    forceCloseConnections: true,
  });
  app.server.maxConnections = CONNECTIONS_MAX;
  const headers = commonHeaders({ ...options, isSimulated: false });
  app.setSerializerCompiler(({ schema }) => compileResponse(schema as object));
  app.setErrorHandler((error, _, reply) => sendError(reply, toApiError(error)));
  app.setNotFoundHandler((_, reply) => {
    sendError(reply, new ApiError(404, 'There is no such path: an ingester has no API.'));
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    const isOpen = request.routeOptions.config.access !== 'operator' || options.openOps;
    if (!isOpen && !isFromThisMachine(request)) throw new ApiError(403, OTHER_MACHINE);
  });
  void app.register(healthRoutes(deps));
  void app.register(metricsRoute(deps));
  return app;
}
