import type { FastifyReply } from 'fastify';
import { isTransientError } from '../../lib/transient-error.ts';
import { ApiError, type ApiStatus } from '../../model/errors.ts';
import { INTERNAL_ERROR, STORE_FAILING, udfErrorFields } from '../schemas/error-responses.ts';

/**
 * Errors raised by the framework, by status. Their messages repeat parts of the request and name
 * internal codes, so they are replaced.
 */
const FRAMEWORK_MESSAGE = new Map<unknown, readonly [ApiStatus, string]>([
  [400, [400, 'The request is malformed.']],
  [404, [404, 'There is no such path.']],
  [413, [413, 'The request body is too large.']],
  [415, [415, 'The request body must be application/json.']],
]);

/** Converts any thrown value to the error shown to clients. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isTransientError(error)) return new ApiError(503, STORE_FAILING, { cause: error });
  const { statusCode, code } = (error ?? {}) as { statusCode?: unknown; code?: unknown };
  // Raised for an invalid Host header: the reference page builds a URL from it.
  const known = FRAMEWORK_MESSAGE.get(code === 'ERR_INVALID_URL' ? 400 : statusCode);
  if (known !== undefined) return new ApiError(known[0], known[1], { cause: error });
  return new ApiError(500, INTERNAL_ERROR, { cause: error });
}

/** Retry-After of a 503 response, in seconds. */
const BUSY_RETRY_SECONDS = '1';

/** Headers of the body that was to be sent. */
const BODY_HEADERS = ['content-disposition', 'content-encoding', 'content-length', 'etag'];

/**
 * Sends the body that all errors share, and what charts expect under /udf, with Retry-After for a 503. A file whose first read fails has
 * the headers of the file already.
 */
export function sendError(reply: FastifyReply, error: ApiError): void {
  for (const name of BODY_HEADERS) reply.removeHeader(name);
  reply.type('application/json; charset=utf-8');
  if (error.status === 503 && !reply.hasHeader('retry-after')) {
    reply.header('retry-after', BUSY_RETRY_SECONDS);
  }
  const { status: code, message } = error;
  const isChartRoute = reply.request.routeOptions.url?.startsWith('/udf/') === true;
  void reply.code(code).send({ code, message, ...(isChartRoute ? udfErrorFields(message) : {}) });
}
