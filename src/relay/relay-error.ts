import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ResponseIdentity } from '../api/http/client-error.ts';
import { udfErrorFields } from '../api/schemas/error-responses.ts';
import type { ApiError } from '../model/errors.ts';
import { pathOf } from './request-kind.ts';

const RETRY_SECONDS = '1';

/** The headers and the body that every error of the service has. */
export function errorAnswer(
  { headers, requestId }: ResponseIdentity,
  request: Pick<IncomingMessage, 'headers' | 'url'>,
  { status: code, message }: Pick<ApiError, 'status' | 'message'>,
): { readonly headers: Record<string, string>; readonly body: string } {
  const isOfChart = pathOf(request.url ?? '').startsWith('/udf/');
  const body = JSON.stringify({ code, message, ...(isOfChart ? udfErrorFields(message) : {}) });
  return {
    headers: {
      ...headers,
      'x-request-id': requestId(request.headers['x-request-id']),
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      ...(code === 503 ? { 'retry-after': RETRY_SECONDS } : {}),
    },
    body,
  };
}

/** Answers with an error of the node's own. */
export function sendRelayError(
  identity: ResponseIdentity,
  request: IncomingMessage,
  response: ServerResponse,
  error: ApiError,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { headers, body } = errorAnswer(identity, request, error);
  // What is left of the body is not read.
  const closing = request.complete ? {} : { connection: 'close' };
  response.writeHead(error.status, { ...headers, ...closing });
  response.end(request.method === 'HEAD' ? undefined : body);
}
