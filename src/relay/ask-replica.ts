import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, errors } from 'undici';
import { type Collected, collectBody } from './collect-body.ts';
import type { RepeatReason } from './relay-counts.ts';
import type { Replica } from './replica.ts';

export interface AskedRequest {
  readonly method: string;
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: Buffer | null;
  readonly signal: AbortSignal;
  /** Bytes of the answer that are collected before any of it is sent on. */
  readonly collectedBytesMax: number;
}

export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Collected;
}

/**
 * `unsent`: the replica was not reached. `lost`: the connection ended before the answer was complete.
 * `late`: it took too long. `unusable`: the request cannot be sent to anyone.
 */
export interface Failed {
  readonly kind: Extract<RepeatReason, 'unsent' | 'lost' | 'late'> | 'unusable' | 'aborted';
  readonly detail: string;
}

/** Codes of failures before anything was sent. */
const UNSENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Sends a request to a replica, and waits until its answer begins or, if it is short, is complete. */
export async function askReplica(
  replica: Replica,
  { collectedBytesMax, ...request }: AskedRequest,
): Promise<Answered | Failed> {
  replica.inFlight++;
  replica.sent++;
  try {
    const method = request.method as Dispatcher.HttpMethod;
    const { statusCode, headers, body } = await replica.pool.request({ ...request, method });
    const collected = await collectBody(body as AsyncIterable<Buffer>, collectedBytesMax);
    return { kind: 'answered', status: statusCode, headers, body: collected };
  } catch (error) {
    return failureOf(error, request.signal);
  } finally {
    replica.inFlight--;
  }
}

function failureOf(error: unknown, signal: AbortSignal): Failed {
  if (signal.aborted) return { kind: 'aborted', detail: 'the client is gone' };
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (UNSENT.has(code)) return { kind: 'unsent', detail: `it cannot be reached (${code})` };
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) {
    return { kind: 'late', detail: 'it took too long to answer' };
  }
  if (error instanceof errors.InvalidArgumentError || error instanceof errors.NotSupportedError) {
    return { kind: 'unusable', detail: error.message };
  }
  return { kind: 'lost', detail: `the connection to it ended (${code})` };
}
