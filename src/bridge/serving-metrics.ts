import type { MetricsText } from '../api/deps.ts';
import type { Metrics } from '../api/http/metrics.ts';
import { type AccountLanes, LANE_NAMES } from '../api/lanes/lanes.ts';
import { vwapContradictions } from '../api/present/candle-vwap.ts';
import type { TopicHub } from '../api/streams/topics/topic-hub.ts';
import { ApiError } from '../model/errors.ts';
import type { LIVE_LIMITS, LiveView } from './live-view.ts';
import type { MetricsFormat, MetricsPage, ThreadVitals } from './messages.ts';
import type { RemoteCalls } from './remote-calls.ts';
import { remoteReads } from './remote-reads.ts';
import type { RemoteServiceReads, ServiceReads } from './service-reads.ts';
import type { Streams } from './streams.ts';
import { watchVitals } from './thread-vitals.ts';

/**
 * The metrics of both threads on one page: process and API from this thread; chain, engine and
 * store from the other. If that thread does not answer in time, the page contains only this
 * thread's metrics.
 */
export function createServingMetrics(
  own: Metrics,
  view: LiveView,
  calls: RemoteCalls,
): MetricsText {
  const vitals = watchVitals();
  const service = remoteReads<ServiceReads>((name, args) => calls.inTime(calls.call(name, args)));
  let threads: readonly (readonly [thread: string, vitals: ThreadVitals])[] = [];
  exposeThreads(own, () => threads);
  exposeView(own, view);
  exposeCalls(own, calls);
  own.exposeCounter({
    name: 'candle_contradictions_total',
    help: 'Presented candles whose vwap is outside their range by more than rounding; any is a defect.',
    read: () => [[{}, vwapContradictions()]],
  });
  const others = async (format: MetricsFormat): Promise<string> => {
    const page = await pageOf(service, format);
    threads = [['api', vitals()]];
    if (page !== null) threads = [...threads, ['service', page.vitals]];
    return page?.text ?? '';
  };
  const { openMetrics } = own;
  return {
    contentType: own.contentType,
    observeRequest: (...request) => own.observeRequest(...request),
    async render() {
      const text = await others('plain');
      return (await own.render()) + text;
    },
    ...(openMetrics !== undefined && {
      openMetrics: {
        contentType: openMetrics.contentType,
        async render() {
          const text = await others('open');
          const ownText = await openMetrics.render();
          return text === '' ? ownText : ownText.slice(0, -END_OF_PAGE.length) + text;
        },
      },
    }),
  };
}

/** Ends a page in the OpenMetrics format, once. */
const END_OF_PAGE = '# EOF\n';

async function pageOf(
  service: RemoteServiceReads,
  format: MetricsFormat,
): Promise<MetricsPage | null> {
  try {
    return await service.metrics.page(format);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function exposeThreads(
  own: Metrics,
  threads: () => readonly (readonly [thread: string, vitals: ThreadVitals])[],
): void {
  const gauge = (name: string, help: string, value: (vitals: ThreadVitals) => number) =>
    own.exposeGauge({
      name,
      help,
      labelNames: ['thread'],
      read: () => threads().map(([thread, vitals]) => [{ thread }, value(vitals)]),
    });
  gauge(
    'event_loop_lag_seconds',
    'Event loop delay of a thread: 99th percentile since the last scrape.',
    ({ lagSeconds }) => lagSeconds,
  );
  gauge('heap_used_bytes', 'JavaScript heap of a thread.', ({ heapUsedBytes }) => heapUsedBytes);
  gauge(
    'heap_reserved_bytes',
    'JavaScript heap of a thread with what is free in it.',
    ({ heapReservedBytes }) => heapReservedBytes,
  );
  gauge(
    'buffers_bytes',
    'Buffers of a thread, outside its heap.',
    ({ buffersBytes }) => buffersBytes,
  );
}

function exposeView(own: Metrics, view: LiveView): void {
  const kinds = [
    'token',
    'pool',
    'holders',
    'indicators',
  ] as const satisfies readonly (keyof typeof LIVE_LIMITS)[];
  own.exposeGauge({
    name: 'live_rows',
    help: 'Current rows cached in memory, by kind.',
    labelNames: ['kind'],
    read: () => kinds.map((kind) => [{ kind }, view.size(kind)]),
  });
  own.exposeCounter({
    name: 'live_reads_total',
    help: 'Reads of current rows, from the cache (hit) or the engine (miss).',
    labelNames: ['result'],
    read: () => [
      [{ result: 'hit' }, view.counts.hits],
      [{ result: 'miss' }, view.counts.misses],
    ],
  });
  own.exposeCounter({
    name: 'live_publications_total',
    help: 'Publications of changes by the engine.',
    read: () => [[{}, view.counts.publications]],
  });
}

export function exposeStreams(own: Metrics, streams: Pick<Streams, 'readers'>): void {
  own.exposeGauge({
    name: 'stream_readers',
    help: 'Clients reading a stream.',
    labelNames: ['stream'],
    read: () => Object.entries(streams.readers).map(([stream, readers]) => [{ stream }, readers]),
  });
}

export function exposeTopics(
  own: Metrics,
  hub: Pick<TopicHub, 'subscriptions' | 'subjects'>,
): void {
  own.exposeGauge({
    name: 'topic_subscriptions',
    help: 'Open subscriptions of the filtered stream.',
    read: () => [[{}, hub.subscriptions]],
  });
  own.exposeGauge({
    name: 'topic_subjects',
    help: 'Subjects wanted by subscriptions that are open or can be resumed.',
    read: () => [[{}, hub.subjects]],
  });
}

export function exposeLanes(own: Metrics, lanes: AccountLanes): void {
  own.exposeGauge({
    name: 'lane_waiting_requests',
    help: 'Requests waiting for other requests of their account, by lane.',
    labelNames: ['lane'],
    read: () => LANE_NAMES.map((lane) => [{ lane }, lanes[lane].waiting]),
  });
  own.exposeCounter({
    name: 'lane_refused_requests_total',
    help: 'Requests refused: account queue full, waited too long, or client disconnected; by lane.',
    labelNames: ['lane', 'reason'],
    read: () =>
      LANE_NAMES.flatMap((lane) =>
        Object.entries(lanes[lane].refusals).map(
          ([reason, count]) => [{ lane, reason }, count] as const,
        ),
      ),
  });
}

function exposeCalls(own: Metrics, calls: RemoteCalls): void {
  own.exposeGauge({
    name: 'open_calls',
    help: 'Unanswered calls to the engine and store thread.',
    read: () => [[{}, calls.openCount]],
  });
  own.exposeCounter({
    name: 'refused_calls_total',
    help: 'Failed calls to the engine thread: too many were open, or the answer was late.',
    labelNames: ['reason'],
    read: () => [
      [{ reason: 'busy' }, calls.refusals.busy],
      [{ reason: 'late' }, calls.refusals.late],
    ],
  });
}
