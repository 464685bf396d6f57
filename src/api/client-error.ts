import type { ConnectionError } from 'fastify';

interface ErrorSocket {
  readonly writable: boolean;
  destroy(error?: Error): void;
  end(text: string): void;
}

const REFUSALS = new Map<string, readonly [number, string, string]>([
  [
    'HPE_HEADER_OVERFLOW',
    [431, 'Request Header Fields Too Large', 'The request head is too large.'],
  ],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'Request Timeout', 'The request took too long to arrive.']],
]);
/** To read the answer within. */
const CLOSE_MS = 1_000;
const MALFORMED = [400, 'Bad Request', 'The request is not HTTP.'] as const;

/**
 * Answers bytes that never became a request, in the same shape as every other error, and closes the
 * connection. There is no key to check yet.
 */
export function answerClientError(error: ConnectionError, socket: ErrorSocket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  // Whoever never says goodbye back would hold the connection half open for good.
  setTimeout(() => socket.destroy(), CLOSE_MS).unref();
  const [status, reason, message] = REFUSALS.get(error.code) ?? MALFORMED;
  const body = JSON.stringify({ code: status, message });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
