import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ConnectionError } from 'fastify';
import { ApiError } from '../../model/errors.ts';
import { type ClosingSocket, closeSocket } from './close-socket.ts';
import type { RequestIdOf } from './request-id.ts';

type Refusal = readonly [status: number, reason: string, message: string];

const REFUSALS = new Map<string, Refusal>([
  [
    'HPE_HEADER_OVERFLOW',
    [431, 'Request Header Fields Too Large', 'The request head is too large.'],
  ],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'Request Timeout', 'The request took too long to arrive.']],
]);
const MALFORMED: Refusal = [400, 'Bad Request', 'The request is not HTTP.'];
const NO_PROXY: Refusal = [405, 'Method Not Allowed', 'CONNECT is not supported.'];

/** Headers of every response, as `setConstantHeaders` of the server sets them. */
export interface ResponseIdentity {
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: RequestIdOf;
}

/**
 * Answers input that never became a request with a regular error body, then closes the connection.
 * No key can be checked at this point. The request has a new ID: its own headers were not parsed.
 */
export function clientErrorAnswerer(identity: ResponseIdentity) {
  return (error: ConnectionError, socket: ClosingSocket & { readonly writable: boolean }): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy(error);
      return;
    }
    refuse(socket, REFUSALS.get(error.code) ?? MALFORMED, headersOf(identity, UNPARSED));
  };
}

const UNPARSED = { headers: {} };

/**
 * Answers requests that Node would end without an error body: CONNECT and unsupported expectations.
 */
export function answerOddRequests(server: Server, identity: ResponseIdentity): void {
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    refuse(socket, NO_PROXY, headersOf(identity, request));
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const body = bodyOf(417, 'The only supported expectation is 100-continue.');
    // The request body is not read.
    response.writeHead(417, {
      ...headersOf(identity, request),
      'content-type': JSON_TYPE,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    });
    response.end(body);
  });
}

function headersOf(
  { headers, requestId }: ResponseIdentity,
  request: Pick<IncomingMessage, 'headers'>,
): Readonly<Record<string, string>> {
  return { ...headers, 'x-request-id': requestId(request.headers['x-request-id']) };
}

/**
 * Throws ApiError for an HTTP/1.1 request without exactly one Host header (RFC 9112 §3.2). Node
 * would refuse a missing header without an error body, and use the first of several.
 */
export function assertHost({ httpVersion, rawHeaders }: IncomingMessage): void {
  if (httpVersion !== '1.1') return;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts !== 1) throw new ApiError(400, 'The request must have one Host header.');
}

const JSON_TYPE = 'application/json; charset=utf-8';

function bodyOf(code: number, message: string): string {
  return JSON.stringify({ code, message });
}

function refuse(
  socket: ClosingSocket,
  [status, reason, message]: Refusal,
  headers: Readonly<Record<string, string>>,
): void {
  const body = bodyOf(status, message);
  const lines = Object.entries({
    ...headers,
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  closeSocket(socket, `HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`);
}
