import type { MetricFamilies } from '../api/http/metrics.ts';
import { lagOf } from '../ingestion/chain-lag.ts';
import type { Ingestion } from '../ingestion/ingestion.ts';
import { steadyNowMs } from '../lib/steady-time.ts';
import { exposeDecoding } from './decoding-metrics.ts';
import { exposeSource } from './source-metrics.ts';
import { exposeStoredState } from './state-metrics.ts';

/** Exposes counters and gauges of ingestion and engine. */
export function exposeService(metrics: MetricFamilies, ingestion: Ingestion): void {
  exposeSlots(metrics, ingestion);
  exposeChain(metrics, ingestion);
  exposeSource(metrics, () => ingestion.status.source ?? null);
  exposeBundleAnswers(metrics, ingestion);
  exposeDecoding(metrics, ingestion);
  exposeProblems(metrics, ingestion);
  exposeState(metrics, ingestion);
  exposeStoredState(metrics, ingestion);
}

function exposeSlots(metrics: MetricFamilies, ingestion: Ingestion): void {
  const counters = () => ingestion.engine.counters;
  metrics.exposeCounter({
    name: 'slots_total',
    help: 'Folded slots.',
    read: () => [[{}, counters().slots]],
  });
  metrics.exposeCounter({
    name: 'untimed_slots_total',
    help: 'Slots without a block time, by whether it was estimated or is unknown.',
    labelNames: ['time'],
    read: () => {
      const { estimatedTimeSlots, unknownTimeSlots } = counters();
      return [
        [{ time: 'estimated' }, estimatedTimeSlots],
        [{ time: 'unknown' }, unknownTimeSlots],
      ];
    },
  });
  metrics.exposeGauge({
    name: 'unlinked_slots',
    help: 'Stored slots that do not follow the preceding slot: gaps in the history.',
    read: () => [[{}, counters().unlinkedSlots]],
  });
}

function exposeChain(metrics: MetricFamilies, ingestion: Ingestion): void {
  const gauge = (name: string, help: string, value: () => number | null) =>
    metrics.exposeGauge({ name, help, read: () => samplesOf(value()) });
  const counter = (name: string, help: string, value: () => number) =>
    metrics.exposeCounter({ name, help, read: () => [[{}, value()]] });
  const status = () => ingestion.status;
  const lag = () => lagOf(ingestion, { wallMs: Date.now(), steadyMs: steadyNowMs() });
  gauge('final_slot', 'Newest final slot.', () => status().finalSlot);
  gauge('tail_slots', 'Slots in memory that can still be reverted.', () => status().tailSlots);
  gauge('unwritten_slots', 'Final slots waiting to be written.', () => status().unwrittenSlots);
  gauge('open_gaps', 'Slot ranges that no source could provide.', () => ingestion.gaps.length);
  gauge('missing_slots', 'Slots that no source could provide.', () =>
    ingestion.gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0),
  );
  gauge('source_lag_slots', 'Slots between the newest folded and the newest known slot.', () =>
    status().isFollowing ? lag().lagSlots : null,
  );
  gauge('source_lag_seconds', 'Age of the newest folded slot, while a chain is followed.', () => {
    const { lagMs } = lag();
    return status().isFollowing && lagMs !== null ? lagMs / 1_000 : null;
  });
  gauge('clock_step_seconds', 'Steps of the wall clock since the start, in total.', () => {
    return lag().clockStepMs / 1_000;
  });
  gauge('refolding', '1 while the log is being refolded.', () => (status().isRefolding ? 1 : 0));
  counter('undos_total', 'Reverts of slots by the chain.', () => status().undos);
  counter('undone_slots_total', 'Reverted slots.', () => status().undoneSlots);
  counter('late_slots_total', 'Slots that arrived after later ones.', () => status().lateSlots);
  counter('dropped_slots_total', 'Final slots that turned out to be on a lost branch.', () => {
    return status().droppedSlots;
  });
  gauge('source_stopped', '1 if the chain is no longer followed because of an error.', () =>
    status().stopReason === null ? 0 : 1,
  );
  gauge('store_failing', '1 while writes fail and are retried.', () =>
    status().failure === null ? 0 : 1,
  );
  gauge('store_failing_seconds', 'Seconds since writes began to fail; 0 if they do not.', () => {
    const { failure } = status();
    return failure === null ? 0 : Math.max(0, (Date.now() - failure.sinceMs) / 1_000);
  });
  counter('store_failures_total', 'Failed attempts to write to the store.', () => {
    return status().failedWrites;
  });
  counter('refolds_total', 'Refolds of the log.', () => status().refolds);
  counter('state_rebuilds_total', 'States computed again after damage or failed reads.', () => {
    return status().rebuilds;
  });
}

function exposeBundleAnswers(metrics: MetricFamilies, ingestion: Ingestion): void {
  metrics.exposeCounter({
    name: 'bundle_explorer_slots_total',
    help: 'Slots of the followed chain by the answer of the bundle explorer, if there is one.',
    labelNames: ['answer'],
    read: () =>
      Object.entries(ingestion.status.bundleAnswers ?? {}).map(([answer, slots]) => [
        { answer },
        slots,
      ]),
  });
}

/** No sample for an unknown value. */
function samplesOf(value: number | null): [Record<string, string>, number][] {
  return value === null ? [] : [[{}, value]];
}

function exposeProblems(metrics: MetricFamilies, ingestion: Ingestion): void {
  const counters = () => ingestion.engine.counters;
  metrics.exposeCounter({
    name: 'decode_problems_total',
    help: 'Instructions and transactions that could not be decoded or trusted, by problem.',
    labelNames: ['problem'],
    read: () => Object.entries(counters().problems).map(([problem, count]) => [{ problem }, count]),
  });
  metrics.exposeCounter({
    name: 'source_problems_total',
    help: 'Unusable parts of the input since the start, by code.',
    labelNames: ['code'],
    read: () => Object.entries(ingestion.problems).map(([code, count]) => [{ code }, count]),
  });
  metrics.exposeGauge({
    name: 'contradictions',
    help: 'Records that contradict known state: signs of missing history, never returned.',
    labelNames: ['kind'],
    read: () =>
      Object.entries(ingestion.engine.contradictions).map(([kind, count]) => [{ kind }, count]),
  });
}

function exposeState(metrics: MetricFamilies, ingestion: Ingestion): void {
  metrics.exposeGauge({
    name: 'older_slots',
    help: 'Slots decoded by an older version, which keep its figures until recorded blocks of them are replayed.',
    read: () => [[{}, ingestion.olderSlots]],
  });
  metrics.exposeGauge({
    name: 'slot',
    help: 'Last folded slot.',
    read: () => [[{}, ingestion.engine.lastSlot ?? 0]],
  });
  metrics.exposeGauge({
    name: 'state_entries',
    help: 'Entries of the state by kind, most of them on disk; only memory is bounded.',
    labelNames: ['kind'],
    read: () =>
      Object.entries(ingestion.engine.stateSize).map(([kind, count]) => [{ kind }, count]),
  });
  metrics.exposeCounter({
    name: 'fraud_evaluations_total',
    help: 'Fraud cases of mints evaluated by detectors.',
    read: () => [[{}, ingestion.engine.fraudWatch.evaluations]],
  });
  metrics.exposeGauge({
    name: 'fraud_findings',
    help: 'Fraud findings that can still change, including candidates.',
    read: () => [[{}, ingestion.engine.fraudWatch.findings]],
  });
}
