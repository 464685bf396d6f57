import type { MetricFamilies } from '../api/http/metrics.ts';
import { type ChainStatusOptions, createChainStatus } from '../ingestion/chain-status.ts';
import { CurrentIndicators } from '../ingestion/current-indicators.ts';
import { exposePast } from '../ingestion/past/past-metrics.ts';
import { PointReads } from '../ingestion/point-reads.ts';
import { exposeVerification } from '../ingestion/verification-metrics.ts';
import { steadyNowMs } from '../lib/steady-time.ts';
import { ApiError } from '../model/errors.ts';
import { isRefusing } from '../model/fraud-review.ts';
import type { Service } from '../service/app.ts';
import type { Followers } from '../service/followers.ts';
import { FraudService } from '../service/fraud-service.ts';
import { exposeMarket } from '../service/market-metrics.ts';
import type { MarketService } from '../service/market-service.ts';
import { exposeService } from '../service/service-metrics.ts';
import type { ControlWrites } from '../service/shared/control-writes.ts';
import { sharedTriggers } from '../service/shared/shared-triggers.ts';
import { sharedWebhooks } from '../service/shared/shared-webhooks.ts';
import { describeFinding } from '../store/verification/finding.ts';
import { findingReads, tokenReads, walletReads } from './list-answers.ts';
import { pastReads } from './past-reads.ts';
import type { Publisher } from './publisher.ts';
import type { ServiceAnswers } from './service-reads.ts';
import { detectorAnswers, ruleAnswers, storedReads, tradeReads } from './stored-reads.ts';
import { watchVitals } from './thread-vitals.ts';
import type { WatchedRows } from './watched-rows.ts';

/** Findings with their reviews, which have consequences for webhooks, the market and the fold. */
export function fraudOf(
  { store, ingestion, refusals }: Service,
  { publisher, market, followers }: Pick<Answering, 'publisher' | 'market' | 'followers'>,
  control: ControlWrites | null,
): FraudService {
  const points = new PointReads(() => ingestion.point);
  return new FraudService(findingReads(store, points, publisher), store.reviews, {
    together: store.together,
    onTaken: (detail) => {
      begun(followers).webhooks.reviewed(detail);
      market.reviewed(detail.classification.finding.mint);
      if (isRefusing(detail.status)) refusals.add(detail.classification.id);
    },
    ...(control === null ? {} : { shared: control }),
  });
}

function begun(followers: Answering['followers']): Followers {
  const known = followers();
  if (known === null) throw new ApiError(503, STARTING);
  return known;
}

/** What the answers of an API are read from. */
export interface Answering {
  readonly publisher: Publisher;
  readonly watched: WatchedRows;
  readonly metrics: MetricFamilies;
  readonly market: MarketService;
  /** Null while the stored log is being applied. */
  readonly followers: () => Followers | null;
  readonly fraud: FraudService;
  /** How triggers and webhooks are written that several replicas have; null for a single process. */
  readonly control: ControlWrites | null;
}

/** The answers to the reads of an API. */
export function answersOf(
  { store, ingestion, past, rules, detectors, backtests }: Service,
  options: ChainStatusOptions,
  { publisher, watched, metrics, market, followers, fraud, control }: Answering,
): ServiceAnswers {
  const points = new PointReads(() => ingestion.point);
  const venueAlarms = () => followers()?.drift.alarms ?? [];
  const storeDamage = () => store.verification.damaged.map(describeFinding);
  const watches = { venueAlarms, storeDamage, steadyNow: steadyNowMs };
  const chain = createChainStatus(store, ingestion, Date.now, { ...options, ...watches });
  exposeService(metrics, ingestion);
  exposeMarket(metrics, market);
  exposePast(metrics, past);
  exposeVerification(metrics, store.verification);
  metrics.exposeGauge({
    name: 'watched_rows',
    help: 'Current rows whose changes are published to the API.',
    read: () => [[{}, watched.size]],
  });
  const vitals = watchVitals();
  return {
    ...storedReads(store, points),
    trades: tradeReads({ store, ingestion }, points),
    exports: store.exports,
    past: pastReads(past, publisher, (pool, slot) =>
      points.read((rows) => new CurrentIndicators(store.indicators, rows).atSlot(pool, slot)),
    ),
    fraud,
    rules: ruleAnswers({ store, rules }, points),
    detectors: detectorAnswers({ store, detectors }, points),
    backtests,
    get triggers() {
      const { triggers } = begun(followers);
      return control === null ? triggers : sharedTriggers(triggers, store.triggers, control);
    },
    get webhooks() {
      const { webhooks } = begun(followers);
      return control === null ? webhooks : sharedWebhooks(webhooks, store.webhooks, control);
    },
    tokens: {
      ...tokenReads(store, points, publisher),
      search: (query) => {
        if (market.ready !== null) return publisher.asOf(() => market.tokens(query));
        const { newest, storedAhead } = ingestion.point;
        return market.storedTokens(query, (storedAhead ?? newest)?.timeMs ?? Date.now());
      },
    },
    pools: {
      list: (query) => publisher.asOf(() => market.pools(query)),
      listing: (address) => publisher.asOf(() => market.pool(address)),
    },
    wallets: walletReads(store, points, publisher),
    batches: {
      pools: (pools) => publisher.asOf(() => pools.map((pool) => market.pool(pool))),
      wallets: (addresses) =>
        publisher.asOf((engine) => addresses.map((address) => engine.wallet(address))),
      fraudChecks: (mints) => fraud.checkAll(mints),
    },
    chain,
    rows: { current: (names) => publisher.rows(names) },
    metrics: {
      page: async (format) => ({
        text: await (format === 'open' ? metrics.renderOpen() : metrics.render()),
        vitals: vitals(),
      }),
    },
  };
}

const STARTING =
  'The service is starting and applies its stored log: triggers, webhooks and reviews follow. ' +
  'Try again.';
