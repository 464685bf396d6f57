/**
 * One request to one address that was checked before. It has its own connection: names are not
 * resolved again, connections are not reused, and proxy settings of the environment are ignored.
 */
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, errors } from 'undici';
import type { Target } from './parse-target.ts';
import { EndlessCoding } from './read-body.ts';
import { type Refusal, type RefusalReason, refused } from './refusal.ts';

export type Method = 'GET' | 'POST';

export interface PinnedRequest {
  readonly method: Method;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  header(name: string): string | null;
  readonly body: Readable;
}

const HEADERS_SIZE_MAX_BYTES = 16_384;
const FIRST_SUCCESS = 200;

/**
 * Sends the request to one of the addresses; `read` receives the answer before the connection
 * closes.
 */
export async function requestPinned<T>(
  target: Target,
  addresses: readonly string[],
  request: PinnedRequest,
  read: (answer: Answer) => Promise<T>,
): Promise<T | Refusal> {
  const agent = new Agent({
    connect: { lookup: pinnedLookup(addresses), timeout: request.connectTimeoutMs },
    connections: 1,
    pipelining: 1,
    allowH2: false,
    headersTimeout: request.headersTimeoutMs,
    bodyTimeout: 0,
    maxHeaderSize: HEADERS_SIZE_MAX_BYTES,
  });
  let body: Readable | null = null;
  try {
    const answer = await agent.request({
      origin: target.url.origin,
      path: `${target.url.pathname}${target.url.search}`,
      method: request.method,
      headers: request.headers,
      body: request.body,
      signal: request.signal,
    });
    body = answer.body;
    return await read({
      kind: 'answer',
      status: answer.statusCode >= FIRST_SUCCESS ? answer.statusCode : 0,
      header: (name) => headerOf(answer.headers, name),
      body: answer.body,
    });
  } catch (error) {
    return refusalOf(error, request.signal);
  } finally {
    // Destroying the body can emit an error, which the reader of the body already received.
    body?.on('error', () => undefined).destroy();
    await agent.destroy();
  }
}

function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (host, options, callback) => {
    const [first] = found;
    if (first === undefined) callback(new Error(`No address of ${host} may be used.`), []);
    else if (options.all === true) callback(null, found);
    else callback(null, first.address, first.family);
  };
}

function headerOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  name: string,
): string | null {
  const value = headers[name];
  return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
}

const REASONS: Readonly<Record<string, RefusalReason>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timed-out',
  UND_ERR_HEADERS_TIMEOUT: 'timed-out',
  UND_ERR_HEADERS_OVERFLOW: 'headers-too-large',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  UND_ERR_SOCKET: 'broken-answer',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'broken-answer',
};

/** Network failures become refusals; programming errors are rethrown. */
function refusalOf(error: unknown, signal: AbortSignal): Refusal {
  if (!(error instanceof Error)) throw error;
  if (signal.aborted) return refused('timed-out', error.message);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const reason = REASONS[code];
  if (reason !== undefined) return refused(reason, error.message);
  if (isBrokenAnswer(error) || /^(HPE_|Z_)/.test(code))
    return refused('broken-answer', error.message);
  if (code === '' && !(error instanceof AggregateError)) throw error;
  return refused('connection-failed', `${code} ${error.message}`);
}

function isBrokenAnswer(error: Error): boolean {
  return [errors.UndiciError, errors.HTTPParserError, EndlessCoding].some(
    (kind) => error instanceof kind,
  );
}
