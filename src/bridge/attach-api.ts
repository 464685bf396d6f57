import { HOLDERS_MAX } from '../api/deps.ts';
import { createMetricFamilies } from '../api/http/metrics.ts';
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
import { exposeDrift } from '../ingestion/drift-metrics.ts';
import { DriftWatch } from '../ingestion/drift-watch.ts';
import { UnwrittenRows } from '../ingestion/unwritten-rows.ts';
import { exposeVerification } from '../ingestion/verification-metrics.ts';
import { steadyNowMs } from '../lib/steady-time.ts';
import type { TriggerEvent } from '../model/trigger.ts';
import type { VenueChange } from '../model/venue-change.ts';
import { exposeTriggers, openTriggerService } from '../service/alerts/open-triggers.ts';
import {
  exposeWebhooks,
  openWebhookService,
  type WebhookOptions,
} from '../service/alerts/open-webhooks.ts';
import type { TriggerService } from '../service/alerts/trigger-service.ts';
import type { WebhookService } from '../service/alerts/webhook-service.ts';
import type { Service } from '../service/app.ts';
import { listeners } from '../service/fold-listeners.ts';
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
  /** Gathers off-chain facts of folded tokens, if enabled. */
  readonly gathering?: OpenGathering;
  /** Called when the decoding of a program degrades, and when it recovers. */
  readonly onVenueChange?: (change: VenueChange) => void;
}

/**
 * Publishes the current state and all changes to an API through `post`. Returns the handler of the
 * API's messages. A service has one API.
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
  const webhooks = openWebhookService(service, options);
  const publish = (events: readonly TriggerEvent[]) => {
    post({ kind: 'triggerEvents', events });
    webhooks.events.wakeTouched();
  };
  const accountService = openTriggerService(service, publish, (events) =>
    webhooks.events.putTriggerEvents(events),
  );
  const feed = new StreamFeed(ingestion, (event) => post({ kind: 'streamed', event }));
  const drift = new DriftWatch(service.store, {
    put: (changes) => webhooks.events.putVenueChanges(changes),
    onChanges: (changes) => {
      webhooks.events.wakeTouched();
      for (const change of changes) options.onVenueChange?.(change);
    },
  });
  const answers = answersOf(service, options, {
    publisher,
    watched,
    accountService,
    webhooks,
    drift,
  });
  const calls = new CallQueue(answers, post);
  const gathers = options.gathering === undefined ? [] : [options.gathering.feed];
  ingestion.listen(
    listeners([accountService, webhooks.events, feed, publisher, drift, ...gathers]),
  );
  publisher.publish();
  return (message) => {
    if (message.kind === 'seen') publisher.seen();
    else if (message.kind === 'streamSeen') feed.seen();
    else if (message.kind === 'wanted') feed.want(message.streams);
    else if (message.kind === 'unwatch') for (const row of message.rows) watched.unwatch(row);
    else calls.push(message);
  };
}

/** Services that listen to the fold and handle calls. */
interface AccountServices {
  readonly publisher: Publisher;
  readonly watched: WatchedRows;
  readonly accountService: TriggerService;
  readonly webhooks: WebhookService;
  readonly drift: DriftWatch;
}

function answersOf(
  { store, ingestion }: Service,
  options: AttachOptions,
  { publisher, watched, accountService, webhooks, drift }: AccountServices,
): ServiceAnswers {
  const unwritten = new UnwrittenRows(() => ingestion.unwritten);
  const candles = new CurrentCandles(store.candles, unwritten);
  const bundles = new CurrentBundles(store.bundles, unwritten);
  const indicators = new CurrentIndicators(store.indicators, unwritten);
  const classifications = new CurrentClassifications(store.classifications, unwritten);
  const signals = new CurrentSignals(store.signals, unwritten);
  const fraud = new FraudService(classifications, store.reviews, {
    together: store.together,
    onTaken: (detail) => webhooks.reviewed(detail),
  });
  const venueAlarms = () => drift.alarms;
  const storeDamage = () => store.verification.damaged.map(describeFinding);
  const watches = { venueAlarms, storeDamage, steadyNow: steadyNowMs };
  const chain = createChainStatus(store, ingestion, Date.now, { ...options, ...watches });
  const metrics = createMetricFamilies();
  exposeService(metrics, ingestion);
  exposeDrift(metrics, drift);
  exposeVerification(metrics, store.verification);
  metrics.exposeGauge({
    name: 'watched_rows',
    help: 'Current rows whose changes are published to the API.',
    read: () => [[{}, watched.size]],
  });
  exposeTriggers(metrics, accountService);
  exposeWebhooks(metrics, webhooks);
  options.gathering?.expose(metrics);
  const vitals = watchVitals();
  return {
    candles,
    indicators,
    bundles,
    fraud,
    signals,
    triggers: accountService,
    webhooks,
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
