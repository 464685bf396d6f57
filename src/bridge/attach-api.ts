import { HOLDERS_MAX } from '../api/deps.ts';
import { createMetricFamilies, type MetricFamilies } from '../api/http/metrics.ts';
import {
  type ChainStatusOptions,
  createChainStatus,
  standstillOf,
} from '../ingestion/chain-status.ts';
import { CurrentBundles } from '../ingestion/current-bundles.ts';
import { CurrentCandles } from '../ingestion/current-candles.ts';
import { CurrentClassifications } from '../ingestion/current-classifications.ts';
import { CurrentIndicators } from '../ingestion/current-indicators.ts';
import { CurrentSignals } from '../ingestion/current-signals.ts';
import { UnwrittenRows } from '../ingestion/unwritten-rows.ts';
import { exposeVerification } from '../ingestion/verification-metrics.ts';
import { steadyNowMs } from '../lib/steady-time.ts';
import { ApiError } from '../model/errors.ts';
import type { VenueChange } from '../model/venue-change.ts';
import type { WebhookOptions } from '../service/alerts/open-webhooks.ts';
import type { Service } from '../service/app.ts';
import { listeners } from '../service/fold-listeners.ts';
import { exposeFollowers, type Followers, openFollowers } from '../service/followers.ts';
import { FraudService } from '../service/fraud-service.ts';
import type { OpenGathering } from '../service/open-gathering.ts';
import { exposeService } from '../service/service-metrics.ts';
import { describeFinding } from '../store/verification/finding.ts';
import { CallQueue } from './call-queue.ts';
import type { FromApi, ToApi } from './messages.ts';
import { type Published, Publisher } from './publisher.ts';
import type { ServiceAnswers } from './service-reads.ts';
import { StreamFeed } from './stream-feed.ts';
import { watchVitals } from './thread-vitals.ts';
import { WatchedRows } from './watched-rows.ts';

/** Messages of the API to the service after its start. */
export type ApiRequest = Exclude<FromApi, { readonly kind: 'listening' | 'failed' | 'unread' }>;

export interface AttachOptions extends ChainStatusOptions, WebhookOptions {
  /**
   * Opens the gatherer of off-chain facts of tokens, if it is enabled. Called once the stored log
   * is applied.
   */
  readonly openGathering?: () => OpenGathering;
  /** Called when the decoding of a program degrades, and when it recovers. */
  readonly onVenueChange?: (change: VenueChange) => void;
}

/**
 * Publishes the current state and all changes to an API through `post`. Returns the handler of the
 * API's messages. A service has one API.
 *
 * While the stored log is still being applied, only reads are answered. Triggers, webhooks and
 * streams begin with the state at its end: what they did before a stop is stored up to there.
 */
export function attachApi(
  service: Service,
  options: AttachOptions,
  post: (message: ToApi) => void,
): (message: ApiRequest) => void {
  const { ingestion } = service;
  const watched = new WatchedRows(HOLDERS_MAX);
  const published: Published = {
    get engine() {
      return ingestion.engine;
    },
    get gaps() {
      return ingestion.gaps;
    },
    get storedAhead() {
      return ingestion.catchUp.storedAhead;
    },
    get isRebuilding() {
      return ingestion.isRebuilding;
    },
    get standstill() {
      return standstillOf(ingestion);
    },
  };
  const publisher = new Publisher(published, watched, (publication) =>
    post({ kind: 'publication', publication }),
  );
  const feed = new StreamFeed(ingestion, (event) => post({ kind: 'streamed', event }));
  const metrics = createMetricFamilies();
  let followers: Followers | null = null;
  const answers = answersOf(service, options, {
    publisher,
    watched,
    metrics,
    followers: () => followers,
  });
  const calls = new CallQueue(answers, post);
  ingestion.listen(publisher);
  ingestion.catchUp.onceDone(() => {
    followers = openFollowers(service, options, (events) =>
      post({ kind: 'triggerEvents', events }),
    );
    exposeFollowers(metrics, followers);
    const { triggers, webhooks, drift, gathering } = followers;
    const gathers = gathering === null ? [] : [gathering.feed];
    ingestion.listen(listeners([triggers, webhooks.events, feed, publisher, drift, ...gathers]));
    publisher.onStep();
  });
  publisher.publish();
  return (message) => {
    if (message.kind === 'seen') publisher.seen();
    else if (message.kind === 'streamSeen') feed.seen();
    else if (message.kind === 'wanted') feed.want(message.streams);
    else if (message.kind === 'unwatch') for (const row of message.rows) watched.unwatch(row);
    else calls.push(message);
  };
}

/** What the answers of an API are read from. */
interface Answering {
  readonly publisher: Publisher;
  readonly watched: WatchedRows;
  readonly metrics: MetricFamilies;
  /** Null while the stored log is being applied. */
  readonly followers: () => Followers | null;
}

function answersOf(
  { store, ingestion }: Service,
  options: AttachOptions,
  { publisher, watched, metrics, followers }: Answering,
): ServiceAnswers {
  const unwritten = new UnwrittenRows(() => ingestion.unwritten);
  const candles = new CurrentCandles(store.candles, unwritten);
  const bundles = new CurrentBundles(store.bundles, unwritten);
  const indicators = new CurrentIndicators(store.indicators, unwritten);
  const classifications = new CurrentClassifications(store.classifications, unwritten);
  const signals = new CurrentSignals(store.signals, unwritten);
  const begun = () => {
    const known = followers();
    if (known === null) throw new ApiError(503, STARTING);
    return known;
  };
  const fraud = new FraudService(classifications, store.reviews, {
    together: store.together,
    onTaken: (detail) => begun().webhooks.reviewed(detail),
  });
  const venueAlarms = () => followers()?.drift.alarms ?? [];
  const storeDamage = () => store.verification.damaged.map(describeFinding);
  const watches = { venueAlarms, storeDamage, steadyNow: steadyNowMs };
  const chain = createChainStatus(store, ingestion, Date.now, { ...options, ...watches });
  exposeService(metrics, ingestion);
  exposeVerification(metrics, store.verification);
  metrics.exposeGauge({
    name: 'watched_rows',
    help: 'Current rows whose changes are published to the API.',
    read: () => [[{}, watched.size]],
  });
  const vitals = watchVitals();
  return {
    candles,
    indicators,
    bundles,
    fraud,
    signals,
    get triggers() {
      return begun().triggers;
    },
    get webhooks() {
      return begun().webhooks;
    },
    tokens: {
      search: (query) => store.tokens.page(query),
      holderPage: (query) =>
        publisher.current((engine) => {
          const token = engine.token(query.mint);
          return token === null ? null : { token, page: engine.holderPage(query) };
        }),
    },
    wallets: { find: (address) => publisher.current((engine) => engine.wallet(address)) },
    chain,
    rows: { current: (names) => publisher.rows(names) },
    metrics: { page: async () => ({ text: await metrics.render(), vitals: vitals() }) },
  };
}

const STARTING =
  'The service is starting and applies its stored log: triggers, webhooks and reviews follow. ' +
  'Try again.';
