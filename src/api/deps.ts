import type { Awaitable } from '../lib/awaitable.ts';
import type { Candle, HolderBalance } from '../model/derived.ts';
import type {
  ClassificationDetail,
  JudgedClassification,
  ReviewOutcome,
  ReviewRequest,
} from '../model/fraud-review.ts';
import type { HolderPage, HolderPageQuery } from '../model/holder-page.ts';
import type { IndicatorBucket, IndicatorRecord } from '../model/indicators.ts';
import type { ClonePage, CloneQuery, OffchainFacts } from '../model/off-chain.ts';
import type { PoolRecord } from '../model/pool-record.ts';
import type {
  SignalDetail,
  SignalListing,
  SignalPageQuery,
  SignalQuery,
} from '../model/signal-listing.ts';
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
import type { TokenRecord } from '../model/token-record.ts';
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
 * Dependencies of the endpoints on the rest of the service: implemented by bridge/, faked in
 * tests. Reads of current rows return synchronously when the rows are in memory, accurate as of the
 * `chain.freshness` of that moment. Any read may fail with ApiError 503.
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
  /** Wall-clock time at the start plus monotonic time since: later clock changes have no effect. */
  steadyNowMs(): number;
}

/** Maximum number of holders returned with a token. */
export const HOLDERS_MAX = 100;

export interface TokenReads {
  find(mint: Address): Awaitable<TokenRecord | null>;
  /**
   * The token with its largest owners, largest first, at most HOLDERS_MAX. Both are as of the same
   * slot.
   */
  withHolders(
    mint: Address,
  ): Awaitable<{ readonly token: TokenRecord; readonly holders: readonly HolderBalance[] } | null>;
  /** One page of holders after a cursor; token and page are as of the same slot. */
  holderPage(
    query: HolderPageQuery,
  ): Promise<{ readonly token: TokenRecord; readonly page: HolderPage } | null>;
  search(query: TokenQuery): Promise<TokenPage>;
}

/** Data gathered off the chain, as of when it was observed. It does not depend on slots. */
export interface OffchainReads {
  factsOf(mint: Address): OffchainFacts;
  /** URL of the token's picture; null while none is known. */
  imageOf(mint: Address): string | null;
  /** Other tokens with the same URI or document, or with a similar picture; newest first. */
  clones(query: CloneQuery): ClonePage;
}

export interface PoolReads {
  find(pool: Address): Awaitable<PoolRecord | null>;
  /** The pool with its indicators, both as of the same slot. */
  withIndicators(pool: Address): Awaitable<PoolIndicators | null>;
}

export interface PoolIndicators {
  readonly pool: PoolRecord;
  readonly indicators: IndicatorRecord;
}

export interface IndicatorQuery {
  readonly pool: Address;
  /** Start of the range, a multiple of the interval. */
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  readonly intervalMs: number;
  /** The last indicators are valid until this time. */
  readonly untilMs: number;
}

export interface IndicatorReads {
  /** Oldest first; buckets without a stored minute are omitted. */
  history(query: IndicatorQuery): Promise<readonly IndicatorBucket[]>;
  /** The newest indicators stored at or before a slot. */
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

/** Which trades to include. */
export type CandleView = 'all' | 'organic';

export interface CandleReads {
  /** Merged to the interval, oldest first; buckets without trades are omitted. */
  read(query: CandleQuery): Promise<readonly Candle[]>;
  /** The last candle that opened before `beforeMs`: the starting point of `fill=previous`. */
  lastBefore(scope: Address, beforeMs: number, view: CandleView): Promise<Candle | null>;
}

export type BundleOrder = 'slot' | 'solana_amount' | 'transaction_id' | 'signing_address';

export interface BundleQuery {
  readonly mint: Address;
  readonly orderBy: BundleOrder;
  readonly orderDir: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
  /** Only rows known at this slot; null for the newest slot. */
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
  /** Only findings known at this slot; null for the newest slot. */
  readonly asOfSlot: Slot | null;
}

/** Fraud findings and their reviews. */
export interface FraudRepository {
  /**
   * Reported findings of a mint: highest confidence first, ties by severity. Reviews count as of
   * now.
   */
  check(query: FraudQuery): Promise<readonly JudgedClassification[]>;
  /**
   * The finding with an ID, whether or not it is reported; null if there is none or it no longer
   * exists.
   */
  find(id: string): Promise<ClassificationDetail | null>;
  /** Stores a review if it is a valid transition from the current status. */
  review(request: ReviewRequest): Promise<ReviewOutcome>;
}

/** Triggers and firings of accounts. Writes are durable once their result is returned. */
export interface TriggerRepository {
  add(request: TriggerRequest): Promise<TriggerOutcome>;
  /** Replaces all conditions. */
  update(name: TriggerName, conditions: readonly Condition[]): Promise<TriggerOutcome>;
  remove(name: TriggerName): Promise<TriggerOutcome>;
  page(query: TriggerPageQuery): Promise<TriggerPage>;
  events(query: TriggerEventsQuery): Promise<TriggerEvents>;
}

/**
 * Webhooks of accounts and their pending deliveries. Null means that the account has no such
 * webhook.
 */
export interface WebhookRepository {
  add(request: WebhookRequest): Promise<WebhookAddition>;
  /** Oldest first. */
  list(accountId: string): Promise<readonly Webhook[]>;
  find(name: WebhookName): Promise<Webhook | null>;
  remove(name: WebhookName): Promise<Webhook | null>;
  /** The previous secret stays valid for one day. */
  rotate(name: WebhookName): Promise<WebhookWithSecret | null>;
  enable(name: WebhookName): Promise<Webhook | null>;
  /** Sends a ping. */
  test(name: WebhookName): Promise<DeliveryOutcome>;
  deliveries(query: DeliveryPageQuery): Promise<DeliveryPage | null>;
  /** Sends an event from the delivery log again, with its original ID. */
  redeliver(name: DeliveryName): Promise<DeliveryOutcome>;
}

/** Signals and their outcomes as of now. Random minutes are not signals. */
export interface SignalRepository {
  /** Newest first. */
  list(query: SignalPageQuery): Promise<readonly SignalListing[]>;
  /** Statistics over all signals in a range. */
  statistics(query: SignalQuery): Promise<{
    readonly statistics: SignalStatistics;
    /** Realisable returns, compared with those of random minutes. */
    readonly execution: readonly ExecutionStatistics[];
  }>;
  find(rowId: number): Promise<SignalDetail | null>;
}

/** Social posts and the figures derived from them. */
export interface SocialRepository {
  /** Null for a token whose posts are not collected. */
  tracked(mint: Address): TrackedFigures | null;
  /** One figure per minute for the minutes with posts, oldest first. */
  values(query: SeriesQuery): readonly MinuteValue[];
  posts(query: PostsQuery): PostsPage;
  /** Imports posts as JSON lines; null if there is no capacity for them now. */
  import(lines: Uint8Array): Promise<PostsImport | null>;
}

export interface StreamSources {
  /** Trigger events of an account. */
  triggers(accountId: string): StreamSource<TriggerEvent>;
  /** Changed pools by slot. */
  readonly marketData: StreamSource<PoolBlock>;
  /** Pool indicators by minute. */
  readonly indicators: StreamSource<IndicatorBatch>;
  /** Signals, as they are issued. */
  readonly signals: StreamSource<SignalListing>;
  /** Newly seen tokens, and supply changes. */
  readonly newTokens: StreamSource<NewTokenBlock>;
}

export interface MetricsText {
  readonly contentType: string;
  render(): Promise<string>;
  /** Records one finished request, by route pattern and never by raw URL. */
  observeRequest(method: string, route: string, status: number, seconds: number): void;
}
