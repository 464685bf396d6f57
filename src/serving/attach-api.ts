import { HOLDERS_MAX } from '../api/deps.ts';
import { createMetricFamilies } from '../api/metrics.ts';
import type { Service } from '../app.ts';
import { type ChainStatusOptions, createChainStatus } from '../ingestion/chain-status.ts';
import { CurrentBundles } from '../ingestion/current-bundles.ts';
import { CurrentCandles } from '../ingestion/current-candles.ts';
import { CurrentIndicators } from '../ingestion/current-indicators.ts';
import { UnwrittenRows } from '../ingestion/unwritten-rows.ts';
import { exposeService } from '../service-metrics.ts';
import { answerCall, type CallHandlers } from './call-desk.ts';
import type { FromApi, ToApi } from './messages.ts';
import { Publisher } from './publisher.ts';
import { watchVitals } from './thread-vitals.ts';
import { WatchedRows } from './watched-rows.ts';

/** What the API may ask and tell the service. */
export type ApiRequest = Exclude<FromApi, { readonly kind: 'listening' | 'failed' }>;

/**
 * Tells an API what is true now and from here on, through `post`. Returns what takes the API's own
 * messages. A service has one API.
 */
export function attachApi(
  service: Service,
  options: ChainStatusOptions,
  post: (message: ToApi) => void,
): (message: ApiRequest) => void {
  const { ingestion } = service;
  const watched = new WatchedRows(HOLDERS_MAX);
  const publisher = new Publisher(ingestion, watched, (publication) =>
    post({ kind: 'publication', publication }),
  );
  const handlers = handlersOf(service, options, publisher, watched);
  ingestion.listen(publisher);
  publisher.publish();
  return (message) => {
    if (message.kind === 'seen') publisher.seen();
    else if (message.kind === 'unwatch') for (const row of message.rows) watched.unwatch(row);
    else void answerCall(handlers, message, post);
  };
}

function handlersOf(
  { store, ingestion }: Service,
  options: ChainStatusOptions,
  publisher: Publisher,
  watched: WatchedRows,
): CallHandlers {
  const unwritten = new UnwrittenRows(() => ingestion.unwritten);
  const candles = new CurrentCandles(store.candles, unwritten);
  const bundles = new CurrentBundles(store.bundles, unwritten);
  const indicators = new CurrentIndicators(store.indicators, unwritten);
  const chain = createChainStatus(store, ingestion, Date.now, options);
  const metrics = createMetricFamilies();
  exposeService(metrics, ingestion);
  metrics.exposeGauge({
    name: 'watched_rows',
    help: 'Current rows whose changes are told to the API.',
    read: () => [[{}, watched.size]],
  });
  const vitals = watchVitals();
  return {
    rows: (names) => publisher.rows(names),
    candles: (query) => candles.read(query),
    lastCandle: ({ scope, beforeMs, view }) => candles.lastBefore(scope, beforeMs, view),
    indicatorHistory: (query) => indicators.history(query),
    indicatorsAt: ({ pool, slot }) => indicators.atSlot(pool, slot),
    holderPage: (query) =>
      publisher.current((engine) => {
        const token = engine.token(query.mint);
        return token === null ? null : { token, page: engine.holderPage(query) };
      }),
    wallet: (address) => publisher.current((engine) => engine.wallet(address)),
    tokens: (query) => store.tokens.page(query),
    bundles: (query) => bundles.page(query),
    coverage: () => chain.coverage(),
    readiness: () => chain.readiness(),
    metrics: async () => ({ text: await metrics.render(), vitals: vitals() }),
  };
}
