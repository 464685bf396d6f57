import type { MetricsText } from '../api/deps.ts';
import type { Metrics } from '../api/http/metrics.ts';
import { type AccountLanes, LANE_NAMES } from '../api/lanes/lanes.ts';
import { ApiError } from '../model/errors.ts';
import type { LIVE_LIMITS, LiveView } from './live-view.ts';
import type { MetricsPage, ThreadVitals } from './messages.ts';
import type { RemoteCalls } from './remote-calls.ts';
import { remoteReads } from './remote-reads.ts';
import type { RemoteServiceReads, ServiceReads } from './service-reads.ts';
import type { Streams } from './streams.ts';
import { watchVitals } from './thread-vitals.ts';

/**
 * The metrics of both threads as one page: those of the process and of the API from here, those of
 * chain, engine and store from the other thread. Without its answer in time the page is what is
 * known here.
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
  return {
    contentType: own.contentType,
    observeRequest: (...request) => own.observeRequest(...request),
    async render() {
      const page = await pageOf(service);
      threads = [['api', vitals()]];
      if (page !== null) threads = [...threads, ['service', page.vitals]];
      return (await own.render()) + (page?.text ?? '');
    },
  };
}

async function pageOf(service: RemoteServiceReads): Promise<MetricsPage | null> {
  try {
    return await service.metrics.page();
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
    'How late a thread turns to what waits for it: 99th percentile since this page was read last.',
    ({ lagSeconds }) => lagSeconds,
  );
  gauge('heap_used_bytes', 'JavaScript heap of a thread.', ({ heapUsedBytes }) => heapUsedBytes);
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
    help: 'Current rows that are kept in memory for answers, by kind.',
    labelNames: ['kind'],
    read: () => kinds.map((kind) => [{ kind }, view.size(kind)]),
  });
  own.exposeCounter({
    name: 'live_reads_total',
    help: 'Reads of current rows: answered from memory, or asked of the engine.',
    labelNames: ['result'],
    read: () => [
      [{ result: 'hit' }, view.counts.hits],
      [{ result: 'miss' }, view.counts.misses],
    ],
  });
  own.exposeCounter({
    name: 'live_publications_total',
    help: 'Times the engine told what changed.',
    read: () => [[{}, view.counts.publications]],
  });
}

export function exposeStreams(own: Metrics, streams: Pick<Streams, 'readers'>): void {
  own.exposeGauge({
    name: 'stream_readers',
    help: 'Clients that follow a stream.',
    labelNames: ['stream'],
    read: () => Object.entries(streams.readers).map(([stream, readers]) => [{ stream }, readers]),
  });
}

export function exposeLanes(own: Metrics, lanes: AccountLanes): void {
  own.exposeGauge({
    name: 'lane_waiting_requests',
    help: 'Requests that wait for others of their account, by lane.',
    labelNames: ['lane'],
    read: () => LANE_NAMES.map((lane) => [{ lane }, lanes[lane].waiting]),
  });
  own.exposeCounter({
    name: 'lane_refused_requests_total',
    help: 'Requests refused because their account had too many waiting, or that waited too long or were left by their client, by lane.',
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
    help: 'Questions to engine and store without an answer yet.',
    read: () => [[{}, calls.openCount]],
  });
  own.exposeCounter({
    name: 'refused_calls_total',
    help: 'Questions that nobody could wait for: too many were open, or the answer came too late.',
    labelNames: ['reason'],
    read: () => [
      [{ reason: 'busy' }, calls.refusals.busy],
      [{ reason: 'late' }, calls.refusals.late],
    ],
  });
}
