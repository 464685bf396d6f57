import type { ConnectionError } from 'fastify';
import { type ClosingSocket, closeSocket } from './close-socket.ts';

const REFUSALS = new Map<string, readonly [number, string, string]>([
  [
    'HPE_HEADER_OVERFLOW',
    [431, 'Request Header Fields Too Large', 'The request head is too large.'],
  ],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'Request Timeout', 'The request took too long to arrive.']],
]);
const MALFORMED = [400, 'Bad Request', 'The request is not HTTP.'] as const;

/**
 * Answers bytes that never became a request, in the same shape as every other error, and closes the
 * connection. There is no key to check yet.
 */
export function answerClientError(
  error: ConnectionError,
  socket: ClosingSocket & { readonly writable: boolean },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const [status, reason, message] = REFUSALS.get(error.code) ?? MALFORMED;
  const body = JSON.stringify({ code: status, message });
  closeSocket(
    socket,
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
