import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ApiKeys } from '../api/api-keys.ts';
import type { TriggerRepository } from '../api/deps.ts';
import { readDashboard } from '../api/http/dashboard.ts';
import { readDocSite } from '../api/http/doc-site.ts';
import { FailedKeys } from '../api/http/failed-keys.ts';
import { createMetrics } from '../api/http/metrics.ts';
import { createRateLimiter } from '../api/http/rate-limit.ts';
import { serviceHeaders } from '../api/http/security-headers.ts';
import { createAccountLanes } from '../api/lanes/lanes.ts';
import type { OffchainReads } from '../api/offchain-reads.ts';
import { createServer } from '../api/server/server.ts';
import type { SocialRepository } from '../api/social-repository.ts';
import type { BoundedGrpcServer } from '../api/streams/grpc/bounded-grpc-server.ts';
import { createGrpcServer } from '../api/streams/grpc/grpc-server.ts';
import { StreamLimit } from '../api/streams/stream-limit.ts';
import { TopicHub } from '../api/streams/topics/topic-hub.ts';
import { VERSION } from '../config/version.ts';
import { openFilesMax } from '../lib/open-files.ts';
import { steadyNowMs } from '../lib/steady-time.ts';
import { NO_OFFCHAIN_FACTS } from '../model/off-chain.ts';
import { exposeBuild } from './build-metrics.ts';
import { shareConnections } from './connection-capacity.ts';
import { exposeDisk } from './disk-metrics.ts';
import { createLiveReads } from './live-reads.ts';
import { LIVE_LIMITS, LiveView } from './live-view.ts';
import type { ApiRequest, ApiSettings, ServiceMessage } from './messages.ts';
import { RemoteCalls } from './remote-calls.ts';
import { type RequestTraces, tracedMetrics } from './request-traces.ts';
import {
  createServingMetrics,
  exposeLanes,
  exposeStreams,
  exposeTopics,
} from './serving-metrics.ts';
import { NO_SOCIAL } from './social-reader.ts';
import { Streams } from './streams.ts';

/** Limits on open calls to the other thread, and the timeout of a request that waits for one. */
const CALL_LIMITS = { openMax: 256, openPerAccountMax: 64, waitMs: 10_000, pastWaitMs: 20_000 };

/**
 * The API over the state published by another thread. The caller starts listening and closes it.
 */
export interface Api {
  readonly app: FastifyInstance;
  /** The gRPC server of the streams; null if no gRPC port is configured. The caller binds it. */
  readonly grpc: BoundedGrpcServer | null;
  /** Handles a message of the other thread. */
  take(message: ServiceMessage): void;
}

/** Reads that do not go through the engine thread. */
export interface LocalReads {
  readonly keys: ApiKeys;
  /** Absent if no off-chain data was gathered. */
  readonly offchain?: OffchainReads;
  readonly social?: SocialRepository;
  /** Makes a span of each request; none if omitted. */
  readonly requestTraces?: RequestTraces;
  /** The folder whose free space is exposed. */
  readonly dataDir?: string;
}

const NO_OFFCHAIN: OffchainReads = {
  factsOf: () => NO_OFFCHAIN_FACTS,
  imageOf: () => null,
  thumbnailHashOf: () => null,
  thumbnailOf: () => null,
  clones: () => ({ clones: [], next: null }),
};

/** Where `npm run web:build` puts the dashboard. */
const DASHBOARD_FOLDER = fileURLToPath(new URL('../../web/dist/', import.meta.url));
/** Where `npm run site:build` puts the documentation. */
const DOC_SITE_FOLDER = fileURLToPath(new URL('../../docs/dist/', import.meta.url));

export function createApi(
  post: (message: ApiRequest) => void,
  { keys, offchain = NO_OFFCHAIN, social = NO_SOCIAL, requestTraces, dataDir }: LocalReads,
  settings: Omit<ApiSettings, 'host' | 'port' | 'dataDir' | 'logLevel'>,
  logger: FastifyBaseLogger,
): Api {
  const calls = new RemoteCalls(CALL_LIMITS, post);
  const view = new LiveView(LIVE_LIMITS, (rows) => post({ kind: 'unwatch', rows }));
  const metrics = tracedMetrics(createMetrics(), requestTraces);
  const reads = createLiveReads(view, calls);
  const lanes = createAccountLanes();
  // A stream outlives its request, so its reads are counted in the lane of its account.
  const events: TriggerRepository['events'] = async (query) =>
    await lanes.account.run(query.accountId, () => reads.triggers.events(query));
  const streams = new Streams({ events }, Date.now, (wanted) =>
    post({ kind: 'wanted', streams: wanted }),
  );
  const hub = createHub(post, view, settings.isReplica === true);
  const { rateLimitPerMinute: perMinute, rateLimitBurst: burst } = settings;
  // One budget per key, across protocols.
  const rateLimiter = createRateLimiter({ perMinute, burst });
  const streamLimit = new StreamLimit();
  const failedKeys = new FailedKeys();
  const connections = shareConnections(openFilesMax(), settings.grpc !== undefined);
  exposeBuild(metrics);
  if (dataDir !== undefined) exposeDisk(metrics, dataDir);
  exposeStreams(metrics, streams);
  exposeTopics(metrics, hub);
  exposeLanes(metrics, lanes);
  const deps = {
    keys,
    offchain,
    social,
    ...reads,
    streams,
    hub,
    metrics: createServingMetrics(metrics, view, calls),
    simulation: settings.simulation,
    nowMs: Date.now,
    steadyNowMs,
  };
  const isSimulated = settings.simulation !== null;
  return {
    app: createServer(deps, {
      version: VERSION,
      ...settings,
      isSimulated,
      dashboard: readDashboard(DASHBOARD_FOLDER),
      docSite: readDocSite(DOC_SITE_FOLDER),
      rateLimiter,
      streamLimit,
      lanes,
      failedKeys,
      connectionsMax: connections.http,
      logger,
    }),
    grpc:
      settings.grpc === undefined
        ? null
        : createGrpcServer(deps, {
            rateLimiter,
            streamLimit,
            failedKeys,
            connections: { max: connections.grpc },
            service: serviceHeaders({ version: VERSION, isSimulated }),
          }),
    take: messageHandler({ post, calls, streams, hub, view }),
  };
}

function createHub(
  post: (message: ApiRequest) => void,
  view: LiveView,
  isShared: boolean,
): TopicHub {
  return new TopicHub({
    nowMs: Date.now,
    isShared,
    currentSlot: () => view.freshness().slot,
    onWanted: (id, added, removed) => post({ kind: 'interest', id, added, removed }),
  });
}

interface Receivers {
  readonly post: (message: ApiRequest) => void;
  readonly calls: RemoteCalls;
  readonly streams: Streams;
  readonly hub: TopicHub;
  readonly view: LiveView;
}

function messageHandler({ post, calls, streams, hub, view }: Receivers): Api['take'] {
  return (message) => {
    switch (message.kind) {
      case 'answer':
        calls.answered(message.id, message.answer);
        return;
      case 'refusal':
        calls.failed(message.id, message.fault);
        return;
      case 'triggerEvents':
        streams.pushTriggerEvents(message.events);
        hub.takeTriggerEvents(message.events);
        return;
      case 'interested':
        hub.confirm(message.id, message.isReady, message.position);
        return;
      case 'frame':
        hub.take(message.frame);
        post({ kind: 'frameSeen' });
        return;
      case 'streamed':
        streams.take(message.event);
        post({ kind: 'streamSeen' });
        return;
      case 'publication':
        view.publish(message.publication);
        hub.published(message.position);
        post({ kind: 'seen' });
    }
  };
}
