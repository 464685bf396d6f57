import type { Awaitable } from '../lib/awaitable.ts';
import type { AsOf } from '../model/as-of.ts';
import type { BundleGroup, Candle } from '../model/derived.ts';
import type { CountedDetector } from '../model/detector-listing.ts';
import type { ExportBeginning, ExportPortion, ExportQuery, PortionQuery } from '../model/export.ts';
import type { HolderPageQuery } from '../model/holder-page.ts';
import type { IndicatorBucket, IndicatorRecord } from '../model/indicators.ts';
import type { PoolDetail, PoolListPage, PoolListQuery } from '../model/market-listing.ts';
import type { PoolRecord } from '../model/pool-record.ts';
import type { AskedAuthors, HitPage, HitRange } from '../model/rule-hit-page.ts';
import type {
  CountedRule,
  ListedRule,
  RuleHitListing,
  RuleHitQuery,
  RulePublication,
} from '../model/rule-listing.ts';
import type {
  FoundSignal,
  SignalListing,
  SignalPageQuery,
  SignalQuery,
  SignalsWithRules,
} from '../model/signal-listing.ts';
import type { ExecutionStatistics, SignalStatistics } from '../model/signal-statistics.ts';
import type { SimulationOrigin } from '../model/simulation-origin.ts';
import type { IndicatorBatch, NewTokenBlock, PoolBlock } from '../model/streamed.ts';
import type { TradePage, TradeQuery } from '../model/trade.ts';
import type {
  TriggerConditions,
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
import type {
  CreatedTokenPage,
  CreatedTokenQuery,
  LinkPage,
  LinkPageQuery,
  PositionPage,
  PositionPageQuery,
} from '../model/wallet-lists.ts';
import type { WalletRecord } from '../model/wallet-record.ts';
import type { ApiKeys } from './api-keys.ts';
import type { BacktestRepository } from './backtest-repository.ts';
import type { BatchReads, PoolIndicators } from './batch-reads.ts';
import type { ChainStatus } from './chain-status.ts';
import type { FraudRepository } from './fraud-repository.ts';
import type { ReachedSlots } from './http/reached-slots.ts';
import type { OffchainReads } from './offchain-reads.ts';
import type { SocialRepository } from './social-repository.ts';
import type { StreamSource } from './stream-source.ts';
import type { TopicHub } from './streams/topics/topic-hub.ts';
import type { TokenHolderPage, TokenHolders, TokenReads } from './token-reads.ts';
import type { WebhookRepository } from './webhook-repository.ts';

/**
 * Dependencies of the endpoints on the rest of the service: implemented by bridge/, faked in
 * tests. Reads of current rows return synchronously when the rows are in memory, accurate as of the
 * `chain.freshness` of that moment; all other reads of chain data say what they are as of. Any read
 * may fail with ApiError 503.
 */
export interface ApiDeps {
  readonly keys: ApiKeys;
  readonly chain: ChainStatus;
  readonly tokens: TokenReads;
  readonly offchain: OffchainReads;
  readonly pools: PoolReads;
  readonly indicators: IndicatorReads;
  readonly past: PastReads;
  readonly wallets: WalletReads;
  readonly batches: BatchReads;
  readonly candles: CandleReads;
  readonly bundles: BundleReads;
  readonly trades: TradeReads;
  readonly exports: ExportReads;
  readonly fraud: FraudRepository;
  readonly triggers: TriggerRepository;
  readonly signals: SignalRepository;
  readonly webhooks: WebhookRepository;
  readonly rules: RuleRepository;
  readonly detectors: DetectorRepository;
  readonly backtests: BacktestRepository;
  readonly social: SocialRepository;
  /** Slots that answers were as of. */
  readonly reached: ReachedSlots;
  readonly streams: StreamSources;
  readonly hub: TopicHub;
  readonly metrics: MetricsText;
  /** Null for a real chain. */
  readonly simulation: SimulationOrigin | null;
  /** Increases whenever a read of current rows may answer otherwise than before. */
  publications(): number;
  nowMs(): number;
  /** Wall-clock time at the start plus monotonic time since: later clock changes have no effect. */
  steadyNowMs(): number;
}

/** Rules of accounts and of the operator. */
export interface RuleRepository {
  /** Rules of the account, then those of the operator. */
  list(accountId: string): Promise<AsOf<readonly CountedRule[]>>;
  /** Idempotent. */
  publish(request: { readonly accountId: string; readonly text: string }): Promise<RulePublication>;
  /** Null if the account has no such rule. */
  withdraw(request: {
    readonly accountId: string;
    readonly name: string;
  }): Promise<ListedRule | null>;
  /** Newest first. */
  hits(query: RuleHitQuery): Promise<AsOf<readonly RuleHitListing[]>>;
  /** One page of the hits of several rules. */
  hitPage(range: HitRange): Promise<AsOf<HitPage>>;
}

/** The detectors that judge tokens. */
export interface DetectorRepository {
  /** The built-in ones, then the published packages, then those that are tried. */
  list(): Promise<AsOf<readonly CountedDetector[]>>;
}

/** Maximum number of holders returned with a token. */
export const HOLDERS_MAX = 100;

export interface PoolReads {
  find(pool: Address): Awaitable<PoolRecord | null>;
  /** The pool with its indicators, both as of the same slot. */
  withIndicators(pool: Address): Awaitable<PoolIndicators | null>;
  /** Throws ApiError 503 until the figures are read from the store. */
  list(query: PoolListQuery): Promise<AsOf<PoolListPage>>;
  /** The pool with its windows, which are null until then. */
  listing(pool: Address): Promise<AsOf<PoolDetail | null>>;
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
  history(query: IndicatorQuery): Promise<AsOf<readonly IndicatorBucket[]>>;
}

/**
 * Reads of the state as of an earlier slot, on the present branch: of the last slot up to it that
 * has a block, which is that of the answer. Rejects with ApiError 422 with the answerable slots for
 * any other slot, and 503 while the state is not available. Null for what was unknown at that slot.
 */
export interface PastReads {
  token(mint: Address, slot: Slot): Promise<AsOf<TokenHolders | null>>;
  holders(query: HolderPageQuery, slot: Slot): Promise<AsOf<TokenHolderPage | null>>;
  /**
   * Before the answerable slots: of the last stored minute up to the slot, without the pool. `null`
   * for a pool that is unknown at the newest slot, too.
   */
  indicators(pool: Address, slot: Slot): Promise<AsOf<PastIndicators | null>>;
}

export interface PastIndicators {
  readonly indicators: IndicatorRecord;
  /** Null for figures of a stored minute. */
  readonly pool: PoolRecord | null;
}

export interface WalletReads {
  find(address: Address): Promise<AsOf<WalletRecord | null>>;
  /** One page of positions, newest first; none for an unknown wallet. */
  positions(query: PositionPageQuery): Promise<AsOf<PositionPage>>;
  /** One page of wallets linked to a wallet, strongest first. */
  links(query: LinkPageQuery): Promise<AsOf<LinkPage>>;
  /** One page of the tokens that a wallet created, newest first. */
  createdTokens(query: CreatedTokenQuery): Promise<AsOf<CreatedTokenPage>>;
}

export interface CandleQuery {
  /** A mint, or one of its pools. */
  readonly scope: Address;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  readonly intervalMs: number;
  readonly view: CandleView;
  /** Whether the scope is known to be a pool, which is read faster. */
  readonly isPool?: boolean;
  /** Whether the candle before the range is wanted even if the first one has a price. */
  readonly withBefore: boolean;
}

export interface CandleRows {
  /** Merged to the interval, oldest first; buckets without trades are omitted. */
  readonly candles: readonly Candle[];
  /**
   * The last candle with a price that opened before the range. Null if there is none, or if it is
   * not needed.
   */
  readonly before: Candle | null;
}

/** Which trades to include. */
export type CandleView = 'all' | 'organic';

export interface CandleReads {
  read(query: CandleQuery): Promise<AsOf<CandleRows>>;
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
  ): Promise<AsOf<{ readonly items: readonly BundleItem[]; readonly total: number }>>;
  /** By what was placed together, in the order of their first transactions. */
  groups(
    query: Omit<BundleQuery, 'orderBy'>,
  ): Promise<AsOf<{ readonly groups: readonly BundleGroup[]; readonly total: number }>>;
}

export interface TradeReads {
  /** One page, newest first; it may be short although more follow. */
  page(query: TradeQuery): Promise<AsOf<TradePage>>;
}

/** Whole tables of stored rows, read in portions. */
export interface ExportReads {
  /** The point that all portions are read as of. */
  begin(query: ExportQuery): Promise<AsOf<ExportBeginning>>;
  portion(query: PortionQuery): Promise<ExportPortion>;
}

/** Triggers and firings of accounts. Writes are durable once their result is returned. */
export interface TriggerRepository {
  add(request: TriggerRequest): Promise<TriggerOutcome>;
  /** Replaces all conditions. */
  update(name: TriggerName, conditions: TriggerConditions): Promise<TriggerOutcome>;
  remove(name: TriggerName): Promise<TriggerOutcome>;
  page(query: TriggerPageQuery): Promise<TriggerPage>;
  events(query: TriggerEventsQuery): Promise<TriggerEvents>;
}

/** Signals and their outcomes as of now. Random minutes are not signals. */
export interface SignalRepository {
  /** Newest first. */
  list(query: SignalPageQuery): Promise<AsOf<readonly SignalListing[]>>;
  /** The same with signals of rules, together at most as many as the limit. */
  listWithRules(query: SignalPageQuery, authors: AskedAuthors): Promise<AsOf<SignalsWithRules>>;
  /** Statistics over all signals in a range. */
  statistics(query: SignalQuery): Promise<
    AsOf<{
      readonly statistics: SignalStatistics;
      /** Realisable returns, compared with those of random minutes. */
      readonly execution: readonly ExecutionStatistics[];
    }>
  >;
  /** A signal of a model, or of a rule of one of these authors (accounts, or OPERATOR). */
  find(rowId: number, authors: readonly string[]): Promise<AsOf<FoundSignal | null>>;
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
  /** The same metrics with exemplars; absent without traces, which are what exemplars name. */
  readonly openMetrics?: OpenMetricsText;
  /** Records one finished request, by route pattern and never by raw URL. */
  observeRequest(method: string, route: string, status: number, seconds: number): void;
}

/** The page in the OpenMetrics format, which ends with `# EOF`. */
export interface OpenMetricsText {
  readonly contentType: string;
  render(): Promise<string>;
}
