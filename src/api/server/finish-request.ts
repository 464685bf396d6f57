import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';

/**
 * Counts and logs a finished request by route. The raw URL may contain secrets and is never logged.
 */
export function finishRequest(
  { metrics }: ApiDeps,
  route: string,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { method, log, id } = request;
  const { statusCode: status, elapsedTime: elapsedMs } = reply;
  metrics.observeRequest(method, route, status, elapsedMs / 1_000);
  if (log.level === 'debug' || log.level === 'trace') {
    log.debug({ requestId: id, method, route, status, elapsedMs }, 'request');
  }
}
