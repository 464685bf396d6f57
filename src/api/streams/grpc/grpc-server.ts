import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Metadata,
  type ServerDuplexStream,
  type ServerWritableStream,
  type ServiceDefinition,
  status,
} from '@grpc/grpc-js';
import { ApiError } from '../../../model/errors.ts';
import type { ApiKey } from '../../api-keys.ts';
import type { ApiDeps } from '../../deps.ts';
import type { ConnectionLimits } from '../../http/connection-bound.ts';
import type { FailedKeys } from '../../http/failed-keys.ts';
import type { RateLimiter } from '../../http/rate-limit.ts';
import {
  MISSING_KEY,
  TOO_MANY_REQUESTS,
  TOO_MANY_WRONG_KEYS,
} from '../../schemas/error-responses.ts';
import { StreamClient, type StreamEnd } from '../stream-client.ts';
import { STREAMS_PER_ACCOUNT_MAX, type StreamLimit } from '../stream-limit.ts';
import { PING_MS } from '../web-sockets.ts';
import { BoundedGrpcServer } from './bounded-grpc-server.ts';
import { earlyAdmission } from './early-admission.ts';
import type { GrpcAnswer, GrpcMessage, GrpcStream } from './grpc-stream.ts';
import { indicatorsService } from './indicators.ts';
import { marketDataService } from './market-data.ts';
import { newTokensService } from './new-tokens.ts';
import { loadProtoFile, type ProtoFile } from './proto-files.ts';
import { type ReflectionAnswer, type ReflectionRequest, reflectionHandler } from './reflection.ts';
import { signalsService } from './signals.ts';
import { triggersService } from './triggers.ts';

/** Every service that streams; health and reflection stand beside them. */
const STREAMS = [
  triggersService,
  marketDataService,
  indicatorsService,
  signalsService,
  newTokensService,
] as readonly GrpcStream[];

const HEALTH_FILE = 'grpc/health/v1/health.proto';
const REFLECTION_FILE = 'grpc/reflection/v1/reflection.proto';
const KEYLESS_SERVICES = ['/grpc.health.v1.Health/', '/grpc.reflection.v1.ServerReflection/'];
const REQUEST_BYTES_MAX = 65_536;
/** More than an account may have open. */
const CALLS_PER_CONNECTION_MAX = STREAMS_PER_ACCOUNT_MAX + 28;
/** A connection without a call is closed after this. */
const IDLE_MS = 60_000;
/** Whether a key is still valid is looked up this often while its stream is open. */
const KEY_CHECK_MS = 2_500;
/** Calls that stay open and need no key, those of everybody together. */
export const KEYLESS_CALLS_MAX = 100;

/** What a status of the HTTP interface is here. */
const STATUS_OF: Readonly<Record<number, status>> = {
  401: status.UNAUTHENTICATED,
  403: status.PERMISSION_DENIED,
  422: status.INVALID_ARGUMENT,
  429: status.RESOURCE_EXHAUSTED,
  503: status.UNAVAILABLE,
};

type Deps = Pick<ApiDeps, 'keys' | 'nowMs' | 'offchain' | 'streams'>;

/** What a key may do, counted together with what it does over HTTP. */
export interface GrpcLimits {
  /** Takes one of the key's requests for each call. */
  readonly rateLimiter: RateLimiter;
  readonly streamLimit: StreamLimit;
  /** Counts wrong keys by address, together with those over HTTP. */
  readonly failedKeys: FailedKeys;
  readonly connections?: ConnectionLimits;
}

/** The streams over gRPC. The caller binds the server, and shuts it down. */
export function createGrpcServer(deps: Deps, limits: GrpcLimits): BoundedGrpcServer {
  const isKeyless = (path: string) => KEYLESS_SERVICES.some((name) => path.startsWith(name));
  const refusalOf = (metadata: Metadata, peer: string) => {
    const judged = judgeKey(deps, limits, metadata, peer);
    if ('code' in judged) return judged;
    server.admit(peer, judged.accountId);
    return null;
  };
  const options = {
    interceptors: [earlyAdmission({ isKeyless, refusalOf })],
    'grpc.max_concurrent_streams': CALLS_PER_CONNECTION_MAX,
    'grpc.max_connection_idle_ms': IDLE_MS,
    'grpc.max_receive_message_length': REQUEST_BYTES_MAX,
    'grpc.keepalive_time_ms': PING_MS,
    'grpc.keepalive_timeout_ms': PING_MS,
  };
  const server: BoundedGrpcServer = new BoundedGrpcServer(options, limits.connections);
  const health = loadProtoFile(HEALTH_FILE);
  const reflection = loadProtoFile(REFLECTION_FILE);
  const streams = STREAMS.map((stream) => ({ stream, file: loadProtoFile(stream.file) }));
  const names = new Set(['', ...STREAMS.map(({ service }) => service)]);
  for (const { stream, file } of streams) {
    addService(server, file, { [stream.method]: answerWith(deps, limits, stream) });
  }
  const keyless = new Set<OpenCall>();
  addService(server, health, {
    Check: checkHealth(names),
    Watch: withRoom(keyless, watchHealth(names)),
  });
  const described = [...streams.map(({ file }) => file), health, reflection];
  addService(server, reflection, {
    ServerReflectionInfo: withRoom(keyless, reflectionHandler(described)),
  });
  return server;
}

function addService(
  server: BoundedGrpcServer,
  file: ProtoFile,
  handlers: Parameters<BoundedGrpcServer['addService']>[1],
): void {
  for (const service of file.services.values()) {
    server.addService(serializedOnce(service), handlers);
  }
}

/** The bytes of a message that goes to many callers are made once. */
function serializedOnce(service: ServiceDefinition): ServiceDefinition {
  const methods = Object.entries(service).map(([name, method]) => {
    const known = new WeakMap<object, Buffer>();
    const responseSerialize = (message: object) => {
      const bytes = known.get(message) ?? method.responseSerialize(message);
      known.set(message, bytes);
      return bytes;
    };
    return [name, { ...method, responseSerialize }] as const;
  });
  return Object.fromEntries(methods);
}

type OpenCall =
  | ServerWritableStream<HealthRequest, GrpcMessage>
  | ServerDuplexStream<ReflectionRequest, ReflectionAnswer>;

/** Refuses a call while as many are open as may be. */
function withRoom<Call extends OpenCall>(
  open: Set<OpenCall>,
  handle: (call: Call) => void,
): (call: Call) => void {
  return (call) => {
    if (open.size >= KEYLESS_CALLS_MAX) {
      refuse(call, status.RESOURCE_EXHAUSTED, 'Too many calls without a key are open: try later.');
      return;
    }
    open.add(call);
    for (const end of ['cancelled', 'close']) call.once(end, () => open.delete(call));
    handle(call);
  };
}

type Call = ServerWritableStream<unknown, GrpcMessage>;

/**
 * Lets a call in as a request over HTTP: its key first, then the key's rate, then its scope. What
 * is told while the call is open costs nothing more.
 */
function answerWith(
  deps: Deps,
  { rateLimiter, streamLimit }: GrpcLimits,
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
  deps: Deps,
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

function authenticate({ keys }: Deps, metadata: Metadata): ApiKey {
  const [presented, ...more] = metadata.get('x-api-key');
  const key =
    typeof presented === 'string' && more.length === 0 ? keys.authenticate(presented) : null;
  if (key === null) throw new ApiError(401, MISSING_KEY);
  return key;
}

/** The key of a call, or why its headers keep it out: none, or too many wrong ones from its address. */
function judgeKey(
  deps: Deps,
  { failedKeys }: GrpcLimits,
  metadata: Metadata,
  peer: string,
): ApiKey | { readonly code: status; readonly details: string } {
  try {
    return authenticate(deps, metadata);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isGuess = metadata.get('x-api-key').length > 0;
    const waitSeconds = isGuess ? failedKeys.note(addressOf(peer), deps.nowMs()) : 0;
    return waitSeconds > 0
      ? { code: status.RESOURCE_EXHAUSTED, details: TOO_MANY_WRONG_KEYS }
      : { code: status.UNAUTHENTICATED, details: error.message };
  }
}

/** The address of a peer, without its port. */
function addressOf(peer: string): string {
  return peer.replace(/:\d+$/, '');
}

function assertMayRead(key: ApiKey): void {
  if (!key.scopes.includes('read')) {
    throw new ApiError(403, 'This API key does not have the scope read.');
  }
}

function isKnown(deps: Deps, metadata: Metadata): boolean {
  return deps.keys.authenticate(String(metadata.get('x-api-key')[0])) !== null;
}

function finish(
  deps: Deps,
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

function fail(call: Call, error: unknown): void {
  const known = error instanceof ApiError ? STATUS_OF[error.status] : undefined;
  const details =
    known !== undefined && error instanceof ApiError ? error.message : 'Internal server error.';
  refuse(call, known ?? status.INTERNAL, details);
}

function refuse(
  call: Call | OpenCall,
  code: status,
  details: string,
  metadata = new Metadata(),
): void {
  call.emit('error', { code, details, metadata });
}

interface HealthRequest {
  readonly service: string;
}

function checkHealth(names: ReadonlySet<string>): handleUnaryCall<HealthRequest, GrpcMessage> {
  return ({ request }, answer) => {
    if (names.has(request.service)) answer(null, { status: 'SERVING' });
    else answer({ code: status.NOT_FOUND, details: 'There is no such service.' });
  };
}

/** A server that answers serves; one that stops ends its streams. */
function watchHealth(
  names: ReadonlySet<string>,
): handleServerStreamingCall<HealthRequest, GrpcMessage> {
  return (call) => {
    call.write({ status: names.has(call.request.service) ? 'SERVING' : 'SERVICE_UNKNOWN' });
  };
}
