import type { Endpoint } from './endpoint.ts';
import { garbageFailure, type RpcFailure, statusFailure, transportFailure } from './rpc-failure.ts';

export interface PostLimits {
  /** From the first byte sent to the last one received. */
  readonly deadlineMs: number;
  /** Bytes of an answer after decompression. */
  readonly answerBytesMax: number;
}

export type PostResult =
  | { readonly status: 'ok'; readonly body: Buffer }
  | { readonly status: 'failed'; readonly failure: RpcFailure };

/**
 * Posts a JSON text and reads the whole answer. Connections stay open for the next request, answers
 * may be compressed, redirects are refused: they would carry a key to somebody else. Never rejects
 * for what the other side does.
 */
export async function postJson(
  { url, headers }: Endpoint,
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
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: text,
      redirect: 'error',
      signal: ending.signal,
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return failed(statusFailure(response.status, retryAfterMs(response.headers)));
    }
    const body = await readBody(response, answerBytesMax);
    if (body === null) {
      const message = `the answer has more than ${answerBytesMax} bytes`;
      return failed(garbageFailure(message, 'unreadable'));
    }
    return { status: 'ok', body };
  } catch (error) {
    const isLate = ending.signal.aborted && !signal.aborted;
    if (isLate) return failed(transportFailure('time-out', `no answer within ${deadlineMs} ms`));
    return failed(connectionFailure(error));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

function failed(failure: RpcFailure): PostResult {
  return { status: 'failed', failure };
}

/** Null when there is more than the limit. */
async function readBody(response: Response, bytesMax: number): Promise<Buffer | null> {
  if (response.body === null) return Buffer.alloc(0);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body) {
    length += part.length;
    // Leaving the loop cancels the rest of the body.
    if (length > bytesMax) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The header's seconds, or the time it names. Null where it says neither. */
function retryAfterMs(headers: Headers): number | null {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const date = headers.get('date');
  const ms = Date.parse(text) - Date.parse(date ?? '');
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
}

/** Words of our own: the platform's messages may repeat the address. Throws what is no connection's fault. */
function connectionFailure(error: unknown): RpcFailure {
  const isAbort = error instanceof DOMException;
  if (isAbort) return transportFailure('stopped', 'the request was stopped');
  if (!(error instanceof Error)) throw error;
  const { cause } = error;
  const code = codeOf(cause) ?? codeOf(error);
  if (code === null && !(error instanceof TypeError)) throw error;
  return transportFailure(
    'connection',
    `the connection failed${code === null ? '' : ` (${code})`}`,
  );
}

function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' && /^[A-Z_]{3,40}$/.test(error.code) ? error.code : null;
}
