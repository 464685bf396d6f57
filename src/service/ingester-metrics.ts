import type { MetricFamilies } from '../api/http/metrics.ts';
import type { SourceStatus } from '../chain/source-status.ts';
import type { IngesterStatus } from '../cluster/ingester.ts';
import type { LogUsage } from '../cluster/step-log.ts';
import { exposeSource } from './source-metrics.ts';

/** What is measured of an ingester. */
export interface MeasuredIngester {
  readonly status: IngesterStatus;
  /** Null before the log has answered. */
  readonly usage: LogUsage | null;
  /** Null while this ingester waits: only the one that writes asks the nodes. */
  readonly source: SourceStatus | null;
}

/** Exposes how an ingester stands, the log it appends to, and the nodes it follows. */
export function exposeIngester(metrics: MetricFamilies, ingester: MeasuredIngester): void {
  exposeState(metrics, ingester);
  exposeAppends(metrics, ingester);
  exposeLog(metrics, ingester);
  exposeSource(metrics, () => ingester.source);
}

/** Slots between the newest appended block and the newest of the nodes; null for one that waits. */
export function lagSlotsOf({ status, source }: MeasuredIngester): number | null {
  const tipSlot = source?.tipSlot ?? null;
  if (!status.isWriting || tipSlot === null || status.headSlot === null) return null;
  return Math.max(0, tipSlot - status.headSlot);
}

function exposeState(metrics: MetricFamilies, ingester: MeasuredIngester): void {
  const gauge = (name: string, help: string, value: () => number | null) =>
    metrics.exposeGauge({ name, help, read: () => samplesOf(value()) });
  const status = () => ingester.status;
  gauge('ingester_writing', '1 while this ingester appends, 0 while it waits.', () =>
    status().isWriting ? 1 : 0,
  );
  gauge(
    'ingester_sequence',
    'Sequence of the last step in the log, as this ingester knows it.',
    () => status().lastSeq,
  );
  gauge(
    'ingester_head_slot',
    'Newest slot in the log; 0 before the first.',
    () => status().headSlot,
  );
  gauge(
    'ingester_final_slot',
    'Newest final slot in the log; 0 before the first.',
    () => status().finalSlot,
  );
  gauge(
    'ingester_lag_slots',
    'Slots between the newest in the log and the newest of the nodes; 0 while this ingester waits.',
    () => lagSlotsOf(ingester),
  );
}

function exposeAppends(metrics: MetricFamilies, ingester: MeasuredIngester): void {
  const counter = (name: string, help: string, value: () => number) =>
    metrics.exposeCounter({ name, help, read: () => [[{}, value()]] });
  const status = () => ingester.status;
  counter('ingester_appends_total', 'Steps that this ingester appended.', () => status().appended);
  counter('ingester_takeovers_total', 'Times this ingester began to append.', () => {
    return status().takeovers;
  });
  counter(
    'ingester_refused_appends_total',
    'Appends that were refused because another ingester had appended first.',
    () => status().refused,
  );
}

function exposeLog(metrics: MetricFamilies, ingester: MeasuredIngester): void {
  metrics.exposeGauge({
    name: 'ingester_log_failing',
    help: '1 while the log takes no steps or does not answer, by reason.',
    labelNames: ['reason'],
    read: () => {
      const { failure } = ingester.status;
      const isFull = failure?.isFull === true;
      return [
        [{ reason: 'full' }, isFull ? 1 : 0],
        [{ reason: 'unavailable' }, failure === null || isFull ? 0 : 1],
      ];
    },
  });
  metrics.exposeGauge({
    name: 'step_log_bytes',
    help: 'Size of the log on each server that keeps it.',
    read: () => samplesOf(ingester.usage?.bytes ?? null),
  });
  metrics.exposeGauge({
    name: 'step_log_max_bytes',
    help: 'Limit of its size; 0 without one.',
    read: () => samplesOf(ingester.usage?.bytesMax ?? null),
  });
}

function samplesOf(value: number | null): [Record<string, string>, number][] {
  return value === null ? [] : [[{}, value]];
}
