import type { Coverage, Readiness, Standstill } from '../api/chain-status.ts';
import type {
  BundleItem,
  BundleQuery,
  CandleQuery,
  CandleView,
  FraudQuery,
  IndicatorQuery,
} from '../api/deps.ts';
import type { LogLevel } from '../config/config-settings.ts';
import type { Candle, TokenRecord } from '../model/derived.ts';
import type {
  ClassificationDetail,
  JudgedClassification,
  ReviewOutcome,
  ReviewRequest,
} from '../model/fraud-review.ts';
import type { HolderPage, HolderPageQuery } from '../model/holder-page.ts';
import type { IndicatorBucket, IndicatorRecord } from '../model/indicators.ts';
import type {
  FiguresPage,
  FiguresQuery,
  SignalDetail,
  SignalListing,
  SignalPageQuery,
} from '../model/signal-file.ts';
import type { SlotGap } from '../model/slot-range.ts';
import type { WantedStreams } from '../model/streamed.ts';
import type { TokenPage, TokenQuery } from '../model/token-search.ts';
import type {
  Condition,
  TriggerEvent,
  TriggerEvents,
  TriggerEventsQuery,
  TriggerName,
  TriggerOutcome,
  TriggerPage,
  TriggerPageQuery,
  TriggerRequest,
} from '../model/trigger.ts';
import type { Address, PriceE18, Slot } from '../model/units.ts';
import type { WalletRecord } from '../model/wallet-record.ts';
import type { WebhookCalls } from '../model/webhook.ts';
import type { Fault } from './fault.ts';
import type { LetGoRow, LiveAnswer, LiveRow, LiveRowName } from './live-rows.ts';
import type { StreamEvent } from './stream-feed.ts';

/**
 * Settings passed to the API thread at its start. They contain no secrets: keys are checked against
 * the data folder.
 */
export interface ApiSettings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly logLevel: LogLevel;
  readonly rateLimitPerMinute: number;
  readonly rateLimitBurst: number;
  readonly openOps: boolean;
  readonly isSimulated: boolean;
  /** Address of the gRPC listener; none if omitted. */
  readonly grpc?: GrpcBindAddress;
}

/** The connection is encrypted if both files are set. */
export interface GrpcBindAddress {
  readonly port: number;
  readonly tlsCertFile: string | null;
  readonly tlsKeyFile: string | null;
}

/** Calls from the API to the thread of the engine and the store: payload and answer. */
export interface ServiceCalls extends WebhookCalls {
  /** The rows are watched from the answer on. */
  readonly rows: { readonly ask: readonly LiveRowName[]; readonly answer: LiveAnswer };
  readonly candles: { readonly ask: CandleQuery; readonly answer: readonly Candle[] };
  readonly lastCandle: {
    readonly ask: { readonly scope: Address; readonly beforeMs: number; readonly view: CandleView };
    readonly answer: Candle | null;
  };
  readonly indicatorHistory: {
    readonly ask: IndicatorQuery;
    readonly answer: readonly IndicatorBucket[];
  };
  readonly indicatorsAt: {
    readonly ask: { readonly pool: Address; readonly slot: Slot };
    readonly answer: IndicatorRecord | null;
  };
  readonly holderPage: {
    readonly ask: HolderPageQuery;
    readonly answer: { readonly token: TokenRecord; readonly page: HolderPage } | null;
  };
  readonly wallet: { readonly ask: Address; readonly answer: WalletRecord | null };
  readonly tokens: { readonly ask: TokenQuery; readonly answer: TokenPage };
  readonly bundles: {
    readonly ask: BundleQuery;
    readonly answer: { readonly items: readonly BundleItem[]; readonly total: number };
  };
  readonly fraud: {
    readonly ask: FraudQuery;
    readonly answer: readonly JudgedClassification[];
  };
  readonly classification: {
    readonly ask: string;
    readonly answer: ClassificationDetail | null;
  };
  readonly review: { readonly ask: ReviewRequest; readonly answer: ReviewOutcome };
  readonly signals: {
    readonly ask: SignalPageQuery;
    readonly answer: readonly SignalListing[];
  };
  readonly signal: { readonly ask: number; readonly answer: SignalDetail | null };
  /** The data for signal statistics that the caller does not have yet. */
  readonly signalFigures: { readonly ask: FiguresQuery; readonly answer: FiguresPage };
  readonly triggerAdd: { readonly ask: TriggerRequest; readonly answer: TriggerOutcome };
  readonly triggerUpdate: {
    readonly ask: TriggerName & { readonly conditions: readonly Condition[] };
    readonly answer: TriggerOutcome;
  };
  readonly triggerRemove: { readonly ask: TriggerName; readonly answer: TriggerOutcome };
  readonly triggers: { readonly ask: TriggerPageQuery; readonly answer: TriggerPage };
  readonly triggerEvents: { readonly ask: TriggerEventsQuery; readonly answer: TriggerEvents };
  readonly coverage: { readonly ask: null; readonly answer: Coverage };
  readonly readiness: { readonly ask: null; readonly answer: Readiness };
  readonly metrics: { readonly ask: null; readonly answer: MetricsPage };
}

export type CallName = keyof ServiceCalls;

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
}

/** The current state, and the cached rows that have changed since the last publication. */
export interface Publication {
  /** Null before the first slot. */
  readonly slot: Slot | null;
  /** Block time of that slot. */
  readonly timeMs: number | null;
  /** SOL price used to value SOL pools. */
  readonly solUsd: PriceE18 | null;
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

export type ToApi =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly fault: Fault }
  | { readonly kind: 'publication'; readonly publication: Publication }
  /** Trigger events that are already stored. */
  | { readonly kind: 'triggerEvents'; readonly events: readonly TriggerEvent[] }
  | { readonly kind: 'streamed'; readonly event: StreamEvent }
  /** Running requests are completed; after `drainMs` their connections are closed. */
  | { readonly kind: 'close'; readonly drainMs: number };

export type FromApi =
  | { readonly kind: 'listening'; readonly port: number; readonly grpcPort: number | null }
  | { readonly kind: 'failed'; readonly fault: Fault }
  | {
      readonly kind: 'call';
      readonly id: number;
      /** Account of the call; null for the API itself. */
      readonly accountId: string | null;
      readonly name: CallName;
      readonly ask: ServiceCalls[CallName]['ask'];
    }
  | { readonly kind: 'unwatch'; readonly rows: readonly LetGoRow[] }
  /** The reader of the log is gone. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'wanted'; readonly streams: WantedStreams }
  /** A stream item was processed. */
  | { readonly kind: 'streamSeen' }
  /** A publication was processed; the next one may be sent. */
  | { readonly kind: 'seen' };
