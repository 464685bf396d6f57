import {
  type Metadata,
  type ServerDuplexStream,
  type ServerWritableStream,
  type ServiceDefinition,
  status,
} from '@grpc/grpc-js';
import type { ConnectionLimits } from '../../http/connection-bound.ts';
import type { FailedKeys } from '../../http/failed-keys.ts';
import { STREAMS_PER_ACCOUNT_MAX } from '../stream-limit.ts';
import { PING_MS } from '../web-sockets.ts';
import { BoundedGrpcServer } from './bounded-grpc-server.ts';
import { judgeKey } from './call-key.ts';
import { earlyAdmission } from './early-admission.ts';
import type { GrpcMessage, GrpcStream } from './grpc-stream.ts';
import { checkHealth, type HealthRequest, watchHealth } from './health.ts';
import { indicatorsService } from './indicators.ts';
import { marketDataService } from './market-data.ts';
import { newTokensService } from './new-tokens.ts';
import { loadProtoFile, type ProtoFile } from './proto-files.ts';
import { type ReflectionAnswer, type ReflectionRequest, reflectionHandler } from './reflection.ts';
import { refuse } from './refuse-call.ts';
import { ruleHitsService } from './rule-hits.ts';
import { serviceMetadata } from './service-metadata.ts';
import { signalsService } from './signals.ts';
import { signalsByAuthorService } from './signals-by-author.ts';
import { answerWith, type CallLimits, type StreamDeps } from './stream-call.ts';
import { triggersService } from './triggers.ts';

/** All streaming services, in addition to health and reflection. */
const STREAMS = [
  triggersService,
  marketDataService,
  indicatorsService,
  signalsService,
  newTokensService,
  ruleHitsService,
  signalsByAuthorService,
] as readonly GrpcStream[];

const HEALTH_FILE = 'grpc/health/v1/health.proto';
const REFLECTION_FILE = 'grpc/reflection/v1/reflection.proto';
const KEYLESS_SERVICES = ['/grpc.health.v1.Health/', '/grpc.reflection.v1.ServerReflection/'];
const REQUEST_BYTES_MAX = 65_536;
/** More than an account may have open. */
const CALLS_PER_CONNECTION_MAX = STREAMS_PER_ACCOUNT_MAX + 28;
/** Connections without a call are closed after this time. */
const IDLE_MS = 60_000;
/** Maximum number of open calls without a key, across all clients. */
export const KEYLESS_CALLS_MAX = 100;

/** Limits on keys, addresses and connections, and what each answer says of the service. */
export interface GrpcLimits extends CallLimits {
  /** Counts wrong keys by address, shared with HTTP. */
  readonly failedKeys: FailedKeys;
  readonly connections?: ConnectionLimits;
  /** Metadata of every call that is answered, about the service. */
  readonly service?: Readonly<Record<string, string>>;
}

/** Creates the gRPC server for the streams. The caller binds it and shuts it down. */
export function createGrpcServer(deps: StreamDeps, limits: GrpcLimits): BoundedGrpcServer {
  const isKeyless = (path: string) => KEYLESS_SERVICES.some((name) => path.startsWith(name));
  const refusalOf = (metadata: Metadata, peer: string) => {
    const judged = judgeKey(deps, limits, metadata, peer);
    if ('code' in judged) return judged;
    server.admit(peer, judged.accountId);
    return null;
  };
  const options = {
    // The first is the nearest to the connection, so that refusals of the second pass it.
    interceptors: [serviceMetadata(limits.service ?? {}), earlyAdmission({ isKeyless, refusalOf })],
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
    Watch: withCapacity(keyless, watchHealth(names)),
  });
  const described = [...streams.map(({ file }) => file), health, reflection];
  addService(server, reflection, {
    ServerReflectionInfo: withCapacity(keyless, reflectionHandler(described)),
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

/** Serializes a message that goes to several callers only once. */
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

/** Refuses a call while the maximum number of calls is open. */
function withCapacity<Call extends OpenCall>(
  open: Set<OpenCall>,
  handle: (call: Call) => void,
): (call: Call) => void {
  return (call) => {
    if (open.size >= KEYLESS_CALLS_MAX) {
      refuse(call, status.RESOURCE_EXHAUSTED, 'Too many calls without a key: try again later.');
      return;
    }
    open.add(call);
    for (const end of ['cancelled', 'close']) call.once(end, () => open.delete(call));
    handle(call);
  };
}
