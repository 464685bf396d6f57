import type { MetricFamilies } from '../../api/http/metrics.ts';
import type { PastStates } from './past-states.ts';

/** Exposes what computing states of earlier slots costs. */
export function exposePast(
  metrics: MetricFamilies,
  past: Pick<PastStates, 'counts' | 'waiting'> & {
    readonly thread: Pick<PastStates['thread'], 'isRunning' | 'stops'>;
  },
): void {
  const counter = (name: string, help: string, value: () => number) =>
    metrics.exposeCounter({ name, help, read: () => [[{}, value()]] });
  const gauge = (name: string, help: string, value: () => number) =>
    metrics.exposeGauge({ name, help, read: () => [[{}, value()]] });
  metrics.exposeCounter({
    name: 'past_states_total',
    help: 'States of earlier slots that were computed for as_of_slot, by result.',
    labelNames: ['result'],
    read: () => [
      [{ result: 'built' }, past.counts.built],
      [{ result: 'failed' }, past.counts.failed],
      [{ result: 'refused' }, past.counts.refused],
    ],
  });
  counter('past_slots_total', 'Slots that were applied to compute them.', () => past.counts.slots);
  counter('past_busy_seconds_total', 'Time in which one was being computed.', () => {
    return past.counts.busyMs / 1_000;
  });
  gauge('past_states_waiting', 'Those that are being computed or wait to be.', () => past.waiting);
  gauge('past_thread_up', '1 while their thread is running: it ends when it is idle.', () =>
    past.thread.isRunning ? 1 : 0,
  );
  counter('past_thread_stops_total', 'Unexpected ends of their thread.', () => past.thread.stops);
}
