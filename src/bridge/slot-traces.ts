import type { MetricFamilies, Sample } from '../api/http/metrics.ts';
import type { FoldListener } from '../ingestion/fold-listener.ts';
import type { Tracing } from '../tracing/open-tracing.ts';
import type { SlotSpans } from '../tracing/slot-spans.ts';
import type { SpanCounts } from '../tracing/span-queue.ts';

/** Traces of slots, and the connection that sends them. */
export interface SlotTraces {
  readonly spans: SlotSpans;
  readonly tracing: Tracing;
}

const VISIBLE_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Notes when slots are applied, reverted and stored. */
export function slotListener({ spans }: SlotTraces): Partial<FoldListener> {
  return {
    onApplied: ({ slot }) => spans.applied(slot),
    onReverted: ({ slot }) => spans.reverted(slot),
    onStored: (slot) => spans.stored(slot),
  };
}

/** Exposes how long slots take until clients see them, and what became of their spans. */
export function exposeSlotTraces(metrics: MetricFamilies, { spans, tracing }: SlotTraces): void {
  spans.onVisible = metrics.exposeTraced({
    name: 'slot_visible_seconds',
    help: 'Time from the arrival of a slot until clients see it. With traces only.',
    buckets: VISIBLE_BUCKETS_SECONDS,
  });
  metrics.exposeCounter({
    name: 'slot_spans_total',
    help: 'Spans of slots for the OpenTelemetry collector, by result.',
    labelNames: ['result'],
    read: () => samplesOf(tracing.counts),
  });
}

/** Exposes what became of the spans of requests. */
export function exposeRequestTraces(metrics: MetricFamilies, tracing: Tracing): void {
  metrics.exposeCounter({
    name: 'request_spans_total',
    help: 'Spans of requests for the OpenTelemetry collector, by result.',
    labelNames: ['result'],
    read: () => samplesOf(tracing.counts),
  });
}

function samplesOf(counts: SpanCounts): Sample[] {
  return Object.entries(counts).map(([result, count]) => [{ result }, count]);
}
