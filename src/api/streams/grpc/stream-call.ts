import {
  type handleServerStreamingCall,
  Metadata,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { assertPermitted } from '../../http/admission.ts';
import type { RateLimiter } from '../../http/rate-limit.ts';
import { MISSING_KEY, TOO_MANY_REQUESTS } from '../../schemas/error-responses.ts';
import { StreamClient, type StreamEnd } from '../stream-client.ts';
import type { StreamLimit } from '../stream-limit.ts';
import { authenticate, isKnown } from './call-key.ts';
import type { GrpcAnswer, GrpcMessage, GrpcStream } from './grpc-stream.ts';
import { fail, refuse } from './refuse-call.ts';

/** Interval at which the validity of the key of an open stream is checked. */
const KEY_CHECK_MS = 2_500;

/** Dependencies of stream calls. */
export type StreamDeps = Pick<ApiDeps, 'keys' | 'nowMs' | 'offchain' | 'streams' | 'hub'>;

/** Limits of a key, shared with HTTP. */
export interface CallLimits {
  /** Each call counts as one request of its key. */
  readonly rateLimiter: RateLimiter;
  readonly streamLimit: StreamLimit;
}

type Call = ServerWritableStream<unknown, GrpcMessage>;

/**
 * Admits a call like an HTTP request: key first, then rate limit, then scope. Messages of an open
 * call do not count against the rate limit.
 */
export function answerWith(
  deps: StreamDeps,
  { rateLimiter, streamLimit }: CallLimits,
  stream: GrpcStream,
): handleServerStreamingCall<unknown, GrpcMessage> {
  return (call: Call) => {
    try {
      const key = authenticate(deps, call.metadata);
      const { isAllowed, retryAfterSeconds } = rateLimiter.take(key.keyId, deps.nowMs());
      if (!isAllowed) {
        refuse(call, status.RESOURCE_EXHAUSTED, TOO_MANY_REQUESTS, retryAfter(retryAfterSeconds));
        return;
      }
      assertPermitted(key, stream.permission ?? 'read');
      const since = parseSince(call.metadata);
      const answer = stream.open(deps, key, call.request);
      const leave = streamLimit.enter(key.accountId);
      follow(deps, call, answer, since)
        .catch((error: unknown) => fail(call, error))
        .finally(leave);
    } catch (error) {
      fail(call, error);
    }
  };
}

/** Sends the entries of a stream to a call until either side ends it. */
async function follow(
  deps: StreamDeps,
  call: Call,
  answer: GrpcAnswer<unknown>,
  since: number | null,
): Promise<void> {
  const { source } = answer;
  if (since !== null && (await source.after(since)).gap !== null) {
    refuse(call, status.OUT_OF_RANGE, goneAfter(since));
    return;
  }
  const position = since ?? (await source.newest());
  if (call.cancelled) return;
  let hasGap = false;
  const client = new StreamClient({
    ...answer,
    since: position,
    // There is no message for gaps: the call ends at the last complete position.
    encodeGap: () => {
      hasGap = true;
      client.stop();
      return null;
    },
    sink: { send: (message: GrpcMessage, onSent) => call.write(message, onSent) },
  });
  call.on('cancelled', () => client.stop());
  call.on('close', () => client.stop());
  const recheck = setInterval(() => {
    if (!isKnown(deps, call.metadata)) client.stop();
  }, KEY_CHECK_MS);
  // Tells the client that it was admitted and its start position, before the first message.
  call.sendMetadata(positionOf(position));
  try {
    const end = await client.run();
    finish(deps, call, { end: hasGap ? 'gap' : end, position: client.position ?? position });
  } finally {
    clearInterval(recheck);
  }
}

function finish(
  deps: StreamDeps,
  call: Call,
  { end, position }: { readonly end: StreamEnd | 'gap'; readonly position: number },
): void {
  if (call.cancelled) return;
  const metadata = positionOf(position);
  if (end === 'gap') refuse(call, status.OUT_OF_RANGE, goneAfter(position), metadata);
  else if (end === 'slow')
    refuse(call, status.RESOURCE_EXHAUSTED, 'The client reads too slowly.', metadata);
  else if (!isKnown(deps, call.metadata)) fail(call, new ApiError(401, MISSING_KEY));
  else call.end(metadata);
}

function goneAfter(position: number): string {
  return `Entries after ${position} are no longer retained.`;
}

/**
 * Messages carry no sequence numbers: the position of a call is sent in its initial and trailing
 * metadata.
 */
function positionOf(position: number): Metadata {
  const metadata = new Metadata();
  metadata.set('x-seq', String(position));
  return metadata;
}

/** Position to resume from; null to receive only new entries. */
function parseSince(metadata: Metadata): number | null {
  const given = metadata.get('x-since');
  if (given.length === 0) return null;
  const since =
    given.length === 1 ? Number(/^[0-9]{1,16}$/.exec(String(given[0]))?.[0]) : Number.NaN;
  if (Number.isSafeInteger(since)) return since;
  throw new ApiError(422, `x-since must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`);
}

/** Retry-After metadata, as in HTTP. */
function retryAfter(seconds: number): Metadata {
  const metadata = new Metadata();
  metadata.set('retry-after', String(seconds));
  return metadata;
}
