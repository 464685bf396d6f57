import type { MessagePort } from 'node:worker_threads';
import type { Standstill } from '../api/chain-status.ts';
import type { LogLevel } from '../config/config-settings.ts';
import type { SimulationOrigin } from '../model/simulation-origin.ts';
import type { SlotFrame, Subject } from '../model/slot-frame.ts';
import type { SlotGap, StoredPoint } from '../model/slot-range.ts';
import type { WantedStreams } from '../model/streamed.ts';
import type { TriggerEvent } from '../model/trigger.ts';
import type { PriceE18, Slot } from '../model/units.ts';
import type { Fault } from './fault.ts';
import type { DroppedRow, LiveRow } from './live-rows.ts';
import type { StreamEvent } from './stream-feed.ts';

/**
 * Settings passed to the API thread once its data folder is open. They contain no secrets except the
 * key of a simulated market: keys are checked against the data folder.
 */
export interface ApiSettings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly logLevel: LogLevel;
  readonly rateLimitPerMinute: number;
  readonly rateLimitBurst: number;
  readonly openOps: boolean;
  /** Whether messages of streams have the numbers of all replicas; false if omitted. */
  readonly isReplica?: boolean;
  /** What a simulated market is generated from; null for a real chain. */
  readonly simulation: SimulationOrigin | null;
  /** Key that pages on this machine need not present, if the chain is simulated; none if omitted. */
  readonly openKey?: string;
  /** Origins whose pages may use the API; none if omitted. */
  readonly corsOrigins?: readonly string[];
  /** Address of an OpenTelemetry collector; no traces if omitted. */
  readonly otlpEndpoint?: string;
  /** Address of the gRPC listener; none if omitted. */
  readonly grpc?: GrpcBindAddress;
}

/** The connection is encrypted if both files are set. */
export interface GrpcBindAddress {
  readonly port: number;
  readonly tlsCertFile: string | null;
  readonly tlsKeyFile: string | null;
}

/** The Prometheus text format, or OpenMetrics with exemplars. */
export type MetricsFormat = 'plain' | 'open';

/** The metrics of one thread. */
export interface MetricsPage {
  /** Metric families that only this thread's page contains. */
  readonly text: string;
  readonly vitals: ThreadVitals;
}

/** Health figures of a thread. */
export interface ThreadVitals {
  /** 99th percentile of event loop delay since the last reading. */
  readonly lagSeconds: number;
  readonly heapUsedBytes: number;
  /** The heap and what is free in it. */
  readonly heapReservedBytes: number;
  /** Outside the heap, such as pages of the state. */
  readonly buffersBytes: number;
}

/** The current state, and the cached rows that have changed since the last publication. */
export interface Publication {
  /** Null before the first slot. */
  readonly slot: Slot | null;
  /** Block time of that slot. */
  readonly timeMs: number | null;
  /** SOL price used to value SOL pools. */
  readonly solUsd: PriceE18 | null;
  /** The end of the stored rows while they are ahead of that slot, as after a start. */
  readonly storedAhead: StoredPoint | null;
  /** Null while chain data is stored and followed normally. */
  readonly standstill: Standstill | null;
  /** Null if unchanged. */
  readonly gaps: GapChange | null;
  /** The engine was replaced: cached rows are dropped before `rows` are applied. */
  readonly isReplaced: boolean;
  readonly rows: readonly LiveRow[];
}

/** The first `kept` gaps are unchanged, followed by `added`. */
export interface GapChange {
  readonly kept: number;
  readonly added: readonly SlotGap[];
}

/** Messages to the thread of an API. */
export type ToApi =
  /** The first message. */
  | { readonly kind: 'open'; readonly settings: ApiSettings }
  | ServiceMessage
  /** Running requests are completed; after `drainMs` their connections are closed. */
  | { readonly kind: 'close'; readonly drainMs: number };

/** Number after all messages so far that replicas number alike; null for a single process. */
export type StreamPosition = number | null;

/** Messages of a service to its API. */
export type ServiceMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly fault: Fault }
  | {
      readonly kind: 'publication';
      readonly publication: Publication;
      readonly position: StreamPosition;
    }
  /** Trigger events that are already stored. */
  | { readonly kind: 'triggerEvents'; readonly events: readonly TriggerEvent[] }
  | { readonly kind: 'streamed'; readonly event: StreamEvent }
  /** What a slot changed; null after frames were missed. */
  | { readonly kind: 'frame'; readonly frame: SlotFrame | null }
  /**
   * The subjects of a request are wanted from here on, and all earlier slots are published. Not
   * ready: the engine is being replaced.
   */
  | {
      readonly kind: 'interested';
      readonly id: number;
      readonly isReady: boolean;
      readonly position: StreamPosition;
    };

/** What the thread of an API reports about itself. */
export type ApiNotice =
  | { readonly kind: 'listening'; readonly port: number; readonly grpcPort: number | null }
  | { readonly kind: 'failed'; readonly fault: Fault }
  /** The reader of the log is gone. */
  | { readonly kind: 'unread' };

/** What the thread of an API is started with: where it sends its requests. */
export interface ApiThreadData {
  readonly requests: MessagePort;
}

/** Messages of the API to the service. */
export type ApiRequest =
  | {
      readonly kind: 'call';
      readonly id: number;
      /** Account of the call; null for the API itself. */
      readonly accountId: string | null;
      /** A read of `ServiceReads`, `group.method`. */
      readonly name: string;
      readonly args: readonly unknown[];
    }
  | { readonly kind: 'unwatch'; readonly rows: readonly DroppedRow[] }
  | { readonly kind: 'wanted'; readonly streams: WantedStreams }
  /** Answered by `interested` with the same id. */
  | {
      readonly kind: 'interest';
      readonly id: number;
      readonly added: readonly Subject[];
      readonly removed: readonly Subject[];
    }
  /** A frame was processed. */
  | { readonly kind: 'frameSeen' }
  /** A stream item was processed. */
  | { readonly kind: 'streamSeen' }
  /** A publication was processed; the next one may be sent. */
  | { readonly kind: 'seen' };
