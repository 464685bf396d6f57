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
 * What the API's thread is told at its start. No secret is among it: keys are checked against the
 * data folder, and nothing else of the configuration is the API's matter.
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
  /** Where streams are served over gRPC; nowhere when left out. */
  readonly grpc?: GrpcBindAddress;
}

/** With both files the connection is encrypted. */
export interface GrpcBindAddress {
  readonly port: number;
  readonly tlsCertFile: string | null;
  readonly tlsKeyFile: string | null;
}

/** What the API asks the thread of the engine and the store, and what that answers. */
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
  /** Everything that statistics of signals are made of, as far as it is new to who asks. */
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
  /** Families that no other thread's page has. */
  readonly text: string;
  readonly vitals: ThreadVitals;
}

/** How a thread is. */
export interface ThreadVitals {
  /** 99th percentile of how late its loop turned, since this was last asked. */
  readonly lagSeconds: number;
  readonly heapUsedBytes: number;
}

/** What is true as of now, and what of the rows that are kept is another than before. */
export interface Publication {
  /** Null before the first slot. */
  readonly slot: Slot | null;
  /** Block time of that slot. */
  readonly timeMs: number | null;
  /** What values SOL pools. */
  readonly solUsd: PriceE18 | null;
  /** Null while what comes of the chain is stored and followed. */
  readonly standstill: Standstill | null;
  /** Null: as before. */
  readonly gaps: GapChange | null;
  /** Another fold answers from here on: what is kept is dropped before `rows` are taken. */
  readonly isReplaced: boolean;
  readonly rows: readonly LiveRow[];
}

/** The first `kept` gaps are as before, `added` follow. */
export interface GapChange {
  readonly kept: number;
  readonly added: readonly SlotGap[];
}

export type ToApi =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly fault: Fault }
  | { readonly kind: 'publication'; readonly publication: Publication }
  /** Told of triggers, and written already. */
  | { readonly kind: 'triggerEvents'; readonly events: readonly TriggerEvent[] }
  | { readonly kind: 'streamed'; readonly event: StreamEvent }
  /** Requests that run are answered; after `drainMs` their connections are closed. */
  | { readonly kind: 'close'; readonly drainMs: number };

export type FromApi =
  | { readonly kind: 'listening'; readonly port: number; readonly grpcPort: number | null }
  | { readonly kind: 'failed'; readonly fault: Fault }
  | {
      readonly kind: 'call';
      readonly id: number;
      /** On whose behalf; null for the API's own. */
      readonly accountId: string | null;
      readonly name: CallName;
      readonly ask: ServiceCalls[CallName]['ask'];
    }
  | { readonly kind: 'unwatch'; readonly rows: readonly LetGoRow[] }
  /** Nobody reads the log any more. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'wanted'; readonly streams: WantedStreams }
  /** An item of a stream was taken in. */
  | { readonly kind: 'streamSeen' }
  /** A publication was taken in: the next may come. */
  | { readonly kind: 'seen' };
