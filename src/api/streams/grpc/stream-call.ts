import {
  type handleServerStreamingCall,
  Metadata,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import type { RateLimiter } from '../../http/rate-limit.ts';
import { MISSING_KEY, TOO_MANY_REQUESTS } from '../../schemas/error-responses.ts';
import { StreamClient, type StreamEnd } from '../stream-client.ts';
import type { StreamLimit } from '../stream-limit.ts';
import { assertMayRead, authenticate, isKnown } from './call-key.ts';
import type { GrpcAnswer, GrpcMessage, GrpcStream } from './grpc-stream.ts';
import { fail, refuse } from './refuse-call.ts';

/** Whether a key is still valid is looked up this often while its stream is open. */
const KEY_CHECK_MS = 2_500;

/** What streams are read from, and for whom. */
export type StreamDeps = Pick<ApiDeps, 'keys' | 'nowMs' | 'offchain' | 'streams'>;

/** What a key may do, counted together with what it does over HTTP. */
export interface CallLimits {
  /** Takes one of the key's requests for each call. */
  readonly rateLimiter: RateLimiter;
  readonly streamLimit: StreamLimit;
}

type Call = ServerWritableStream<unknown, GrpcMessage>;

/**
 * Lets a call in as a request over HTTP: its key first, then the key's rate, then its scope. What
 * is told while the call is open costs nothing more.
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
      assertMayRead(key);
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

/** Tells a call what its stream tells, until either side ends it. */
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
  const place = since ?? (await source.newest());
  if (call.cancelled) return;
  let hasGap = false;
  const client = new StreamClient({
    ...answer,
    since: place,
    // No message could say what is missing, so the call ends where it was complete.
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
  // A client learns that it is admitted, and from where on, before anything happens.
  call.sendMetadata(placeOf(place));
  try {
    const end = await client.run();
    finish(deps, call, { end: hasGap ? 'gap' : end, place: client.place ?? place });
  } finally {
    clearInterval(recheck);
  }
}

function finish(
  deps: StreamDeps,
  call: Call,
  { end, place }: { readonly end: StreamEnd | 'gap'; readonly place: number },
): void {
  if (call.cancelled) return;
  const metadata = placeOf(place);
  if (end === 'gap') refuse(call, status.OUT_OF_RANGE, goneAfter(place), metadata);
  else if (end === 'slow')
    refuse(call, status.RESOURCE_EXHAUSTED, 'The client reads too slowly.', metadata);
  else if (!isKnown(deps, call.metadata)) fail(call, new ApiError(401, MISSING_KEY));
  else call.end(metadata);
}

function goneAfter(place: number): string {
  return `What came after ${place} is not kept any more.`;
}

/** Messages have no numbers: the place of a call is told at its start and at its end. */
function placeOf(place: number): Metadata {
  const metadata = new Metadata();
  metadata.set('x-seq', String(place));
  return metadata;
}

/** The place to go on from; null for what is to come. */
function parseSince(metadata: Metadata): number | null {
  const given = metadata.get('x-since');
  if (given.length === 0) return null;
  const since =
    given.length === 1 ? Number(/^[0-9]{1,16}$/.exec(String(given[0]))?.[0]) : Number.NaN;
  if (Number.isSafeInteger(since)) return since;
  throw new ApiError(422, `x-since must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`);
}

/** When a call may come again, said as over HTTP. */
function retryAfter(seconds: number): Metadata {
  const metadata = new Metadata();
  metadata.set('retry-after', String(seconds));
  return metadata;
}
