import type { Awaitable } from '../lib/awaitable.ts';
import type { Candle, HolderBalance, PoolRecord, TokenRecord } from '../model/derived.ts';
import type {
  ClassificationDetail,
  JudgedClassification,
  ReviewOutcome,
  ReviewRequest,
} from '../model/fraud-review.ts';
import type { HolderPage, HolderPageQuery } from '../model/holder-page.ts';
import type { IndicatorBucket, IndicatorRecord } from '../model/indicators.ts';
import type { ClonePage, CloneQuery, OffchainFacts } from '../model/off-chain.ts';
import type {
  SignalDetail,
  SignalListing,
  SignalPageQuery,
  SignalQuery,
} from '../model/signal-file.ts';
import type { ExecutionStatistics, SignalStatistics } from '../model/signal-statistics.ts';
import type {
  MinuteValue,
  PostsImport,
  PostsPage,
  PostsQuery,
  SeriesQuery,
  TrackedFigures,
} from '../model/social-reads.ts';
import type { IndicatorBatch, NewTokenBlock, PoolBlock } from '../model/streamed.ts';
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
import type { Address, Lamports, Signature, Slot } from '../model/units.ts';
import type { WalletRecord } from '../model/wallet-record.ts';
import type {
  DeliveryName,
  DeliveryOutcome,
  DeliveryPage,
  DeliveryPageQuery,
  Webhook,
  WebhookAddition,
  WebhookName,
  WebhookRequest,
  WebhookWithSecret,
} from '../model/webhook.ts';
import type { ApiKeys } from './api-keys.ts';
import type { ChainStatus } from './chain-status.ts';
import type { StreamSource } from './stream-source.ts';

/**
 * What the endpoints need from the rest of the service. Supplied by serving/, faked in tests. Reads
 * of current rows answer at once where they are in memory, true as of what `chain.freshness` says
 * in that moment; every read may refuse with ApiError 503.
 */
export interface ApiDeps {
  readonly keys: ApiKeys;
  readonly chain: ChainStatus;
  readonly tokens: TokenReads;
  readonly offchain: OffchainReads;
  readonly pools: PoolReads;
  readonly indicators: IndicatorReads;
  readonly wallets: WalletReads;
  readonly candles: CandleReads;
  readonly bundles: BundleReads;
  readonly fraud: FraudRepository;
  readonly triggers: TriggerRepository;
  readonly signals: SignalRepository;
  readonly webhooks: WebhookRepository;
  readonly social: SocialRepository;
  readonly streams: StreamSources;
  readonly metrics: MetricsText;
  nowMs(): number;
  /** The time of day as nobody set it since the start. */
  steadyNowMs(): number;
}

/** Holders of a token that are told, at most. */
export const HOLDERS_MAX = 100;

export interface TokenReads {
  find(mint: Address): Awaitable<TokenRecord | null>;
  /** With its largest owners, largest first, at most HOLDERS_MAX; both of one slot. */
  withHolders(
    mint: Address,
  ): Awaitable<{ readonly token: TokenRecord; readonly holders: readonly HolderBalance[] } | null>;
  /** Holders from a place in their order on; of one slot with the token. */
  holderPage(
    query: HolderPageQuery,
  ): Promise<{ readonly token: TokenRecord; readonly page: HolderPage } | null>;
  search(query: TokenQuery): Promise<TokenPage>;
}

/** What was gathered off the chain, as of when it was seen: no slot changes it. */
export interface OffchainReads {
  factsOf(mint: Address): OffchainFacts;
  /** URL of the token's picture; null while none is known. */
  imageOf(mint: Address): string | null;
  /** Other tokens of the same URI or document, or with a picture alike; newest first. */
  clones(query: CloneQuery): ClonePage;
}

export interface PoolReads {
  find(pool: Address): Awaitable<PoolRecord | null>;
  /** With its figures; both of one slot. */
  withIndicators(pool: Address): Awaitable<PoolIndicators | null>;
}

export interface PoolIndicators {
  readonly pool: PoolRecord;
  readonly indicators: IndicatorRecord;
}

export interface IndicatorQuery {
  readonly pool: Address;
  /** A range of whole buckets. */
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  readonly intervalMs: number;
  /** The last figures hold until here. */
  readonly untilMs: number;
}

export interface IndicatorReads {
  /** Oldest first; buckets without a stored minute are left out. */
  history(query: IndicatorQuery): Promise<readonly IndicatorBucket[]>;
  /** The newest figures that were stored at a slot or before it. */
  atSlot(pool: Address, slot: Slot): Promise<IndicatorRecord | null>;
}

export interface WalletReads {
  find(address: Address): Promise<WalletRecord | null>;
}

export interface CandleQuery {
  /** A mint, or one of its pools. */
  readonly scope: Address;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  readonly intervalMs: number;
  readonly view: CandleView;
}

/** Whose trades count. */
export type CandleView = 'all' | 'organic';

export interface CandleReads {
  /** Merged to the interval, oldest first, buckets without trades left out. */
  read(query: CandleQuery): Promise<readonly Candle[]>;
  /** The last candle that opened before `beforeMs`: what `fill=previous` starts from. */
  lastBefore(scope: Address, beforeMs: number, view: CandleView): Promise<Candle | null>;
}

export type BundleOrder = 'slot' | 'solana_amount' | 'transaction_id' | 'signing_address';

export interface BundleQuery {
  readonly mint: Address;
  readonly orderBy: BundleOrder;
  readonly orderDir: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
  /** Only what was known at this slot; null for now. */
  readonly asOfSlot: Slot | null;
}

export interface BundleItem {
  readonly signature: Signature;
  readonly owner: Address;
  readonly lamports: Lamports;
}

export interface BundleReads {
  page(
    query: BundleQuery,
  ): Promise<{ readonly items: readonly BundleItem[]; readonly total: number }>;
}

export interface FraudQuery {
  readonly mint: Address;
  /** Only what was known at this slot; null for now. */
  readonly asOfSlot: Slot | null;
}

/** Findings, and what people say of them. */
export interface FraudRepository {
  /** What is told of a mint, surest first, of equals the gravest. Reviews count as of now. */
  check(query: FraudQuery): Promise<readonly JudgedClassification[]>;
  /** Whatever is kept under an id, told or not; null when nothing is, or not any more. */
  find(id: string): Promise<ClassificationDetail | null>;
  /** Takes a review if it is a step from the status that counts. */
  review(request: ReviewRequest): Promise<ReviewOutcome>;
}

/** Triggers and firings of accounts. What was answered is kept. */
export interface TriggerRepository {
  add(request: TriggerRequest): Promise<TriggerOutcome>;
  /** Replaces all conditions. */
  update(name: TriggerName, conditions: readonly Condition[]): Promise<TriggerOutcome>;
  remove(name: TriggerName): Promise<TriggerOutcome>;
  page(query: TriggerPageQuery): Promise<TriggerPage>;
  events(query: TriggerEventsQuery): Promise<TriggerEvents>;
}

/** Webhooks of accounts, and what is on its way to them. Null: the account has no such webhook. */
export interface WebhookRepository {
  add(request: WebhookRequest): Promise<WebhookAddition>;
  /** Oldest first. */
  list(accountId: string): Promise<readonly Webhook[]>;
  find(name: WebhookName): Promise<Webhook | null>;
  remove(name: WebhookName): Promise<Webhook | null>;
  /** The secret so far counts for a day more. */
  rotate(name: WebhookName): Promise<WebhookWithSecret | null>;
  enable(name: WebhookName): Promise<Webhook | null>;
  /** Sends a ping. */
  test(name: WebhookName): Promise<DeliveryOutcome>;
  deliveries(query: DeliveryPageQuery): Promise<DeliveryPage | null>;
  /** Sends an event of the log again, under its own id. */
  redeliver(name: DeliveryName): Promise<DeliveryOutcome>;
}

/** Signals and what became of them, as of now. Random minutes are none of them. */
export interface SignalRepository {
  /** Newest first. */
  list(query: SignalPageQuery): Promise<readonly SignalListing[]>;
  /** Of all signals of a span. */
  statistics(query: SignalQuery): Promise<{
    readonly statistics: SignalStatistics;
    /** What could be realised, beside what random minutes brought. */
    readonly execution: readonly ExecutionStatistics[];
  }>;
  find(rowId: number): Promise<SignalDetail | null>;
}

/** Posts and what is counted of them. */
export interface SocialRepository {
  /** Null for a token whose posts are not collected. */
  tracked(mint: Address): TrackedFigures | null;
  /** One figure of the minutes with posts, oldest first. */
  values(query: SeriesQuery): readonly MinuteValue[];
  posts(query: PostsQuery): PostsPage;
  /** JSON lines that somebody brings; null when there is no room for them now. */
  import(lines: Uint8Array): Promise<PostsImport | null>;
}

export interface StreamSources {
  /** What triggers tell an account. */
  triggers(accountId: string): StreamSource<TriggerEvent>;
  /** Changed pools, slot by slot. */
  readonly marketData: StreamSource<PoolBlock>;
  /** Figures of pools, minute by minute. */
  readonly indicators: StreamSource<IndicatorBatch>;
  /** Signals as they are given. */
  readonly signals: StreamSource<SignalListing>;
  /** Tokens that are first seen, and changes of their supply. */
  readonly newTokens: StreamSource<NewTokenBlock>;
}

export interface MetricsText {
  readonly contentType: string;
  render(): Promise<string>;
  /** One finished request, by route pattern: never by raw URL. */
  observeRequest(method: string, route: string, status: number, seconds: number): void;
}
