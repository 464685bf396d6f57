import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import type { Endpoint } from './endpoint.ts';
import { garbageFailure, type RpcFailure, statusFailure, transportFailure } from './rpc-failure.ts';

export interface PostLimits {
  /** From sending the first byte to receiving the last one. */
  readonly deadlineMs: number;
  /** Bound on the size of an answer after decompression. */
  readonly answerBytesMax: number;
}

export type PostResult =
  | { readonly status: 'ok'; readonly body: Buffer }
  | { readonly status: 'failed'; readonly failure: RpcFailure };

/** The destination of a request: the parts of an endpoint that may be sent to another thread. */
export type PostTarget = Pick<Endpoint, 'url' | 'headers'>;

/**
 * Posts a JSON text and reads the whole answer. Connections are kept open for the next request, and
 * answers may be compressed. Redirects are refused, because they would pass a key to another host.
 * Never rejects because of the other side.
 */
export async function postJson(
  target: PostTarget,
  text: string,
  { deadlineMs, answerBytesMax }: PostLimits,
  signal: AbortSignal,
): Promise<PostResult> {
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, deadlineMs);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    const response = await respond(target, text, ending.signal);
    if (response.statusCode !== 200) {
      response.destroy();
      return failed(statusFailure(response.statusCode ?? 0, retryAfterMs(response.headers)));
    }
    const body = await readBody(response, answerBytesMax);
    if (typeof body === 'string') return failed(garbageFailure(body, 'unreadable'));
    return { status: 'ok', body };
  } catch (error) {
    if (signal.aborted) return failed(transportFailure('stopped', 'the request was stopped'));
    if (ending.signal.aborted) {
      return failed(transportFailure('time-out', `no answer within ${deadlineMs} ms`));
    }
    return failed(connectionFailure(error));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/** Idle connections are closed after this time. */
const IDLE_CONNECTION_MS = 30_000;
const AGENT_OPTIONS = { keepAlive: true, timeout: IDLE_CONNECTION_MS };
const httpAgent = new HttpAgent(AGENT_OPTIONS);
const httpsAgent = new HttpsAgent(AGENT_OPTIONS);

/** Sends the request; resolves once the status and headers of the answer have arrived. */
async function respond(
  { url, headers }: PostTarget,
  text: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const options = {
    method: 'POST',
    signal,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'accept-encoding': Object.keys(UNPACK).join(', '),
    },
  };
  const send = () =>
    url.startsWith('https:')
      ? httpsRequest(url, { ...options, agent: httpsAgent })
      : httpRequest(url, { ...options, agent: httpAgent });
  for (;;) {
    const request = send();
    try {
      return await new Promise<IncomingMessage>((resolve, reject) => {
        request.on('response', resolve);
        request.on('error', reject);
        request.end(text);
      });
    } catch (error) {
      // The server closed an idle connection just as it was reused: the request was not answered.
      if (!request.reusedSocket || codeOf(error) !== 'ECONNRESET' || signal.aborted) throw error;
    }
  }
}

type Unpack = (packed: Buffer, options: ZlibOptions) => Promise<Buffer>;

/** By content encoding. These are requested, and at most one of them is undone. */
const UNPACK: Readonly<Record<string, Unpack>> = {
  gzip: promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  deflate: promisify<Buffer, ZlibOptions, Buffer>(inflate),
  br: promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress),
};

/** The body, or a sentence on why it cannot be read. */
async function readBody(response: IncomingMessage, bytesMax: number): Promise<Buffer | string> {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const unpack = UNPACK[encoding];
  if (unpack === undefined && encoding !== 'identity') {
    response.destroy();
    return 'the answer has a content encoding that was not requested';
  }
  const tooMuch = `the answer has more than ${bytesMax} bytes`;
  const packed = await readBytes(response, bytesMax);
  if (packed === null || unpack === undefined) return packed ?? tooMuch;
  try {
    return await unpack(packed, { maxOutputLength: bytesMax });
  } catch (error) {
    const code = codeOf(error);
    if (code === null) throw error;
    return code === 'ERR_BUFFER_TOO_LARGE' ? tooMuch : `the answer cannot be inflated (${code})`;
  }
}

/** Returns null when the body exceeds the bound. */
async function readBytes(response: IncomingMessage, bytesMax: number): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    length += part.length;
    // Leaving the loop closes the connection.
    if (length > bytesMax) return null;
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}

function failed(failure: RpcFailure): PostResult {
  return { status: 'failed', failure };
}

/** The header's seconds, or the time until its date. Null where it gives neither. */
function retryAfterMs(headers: IncomingHttpHeaders): number | null {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const ms = Date.parse(text) - Date.parse(headers.date ?? '');
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
}

/**
 * Uses its own message, because the platform's may repeat the address. Rethrows an error that is
 * not the connection's fault.
 */
function connectionFailure(error: unknown): RpcFailure {
  const code = codeOf(error);
  if (code === null) throw error;
  return transportFailure('connection', `the connection failed (${code})`);
}

function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' && /^[A-Z_]{3,40}$/.test(error.code) ? error.code : null;
}
