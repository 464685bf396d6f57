import type { MetricFamilies } from '../api/http/metrics.ts';
import type { BlockStreamStatus } from '../chain/source-status.ts';
import { lagOf } from '../ingestion/chain-lag.ts';
import type { Ingestion } from '../ingestion/ingestion.ts';
import { steadyNowMs } from '../lib/steady-time.ts';

/** Shows on the metrics page what the service has folded, refused and holds. */
export function exposeService(metrics: MetricFamilies, ingestion: Ingestion): void {
  exposeSlots(metrics, ingestion);
  exposeChain(metrics, ingestion);
  exposeNodes(metrics, ingestion);
  exposeComparison(metrics, ingestion);
  exposeStream(metrics, ingestion);
  exposeDecoding(metrics, ingestion);
  exposeProblems(metrics, ingestion);
  exposeState(metrics, ingestion);
}

function exposeSlots(metrics: MetricFamilies, ingestion: Ingestion): void {
  const counters = () => ingestion.engine.counters;
  metrics.exposeCounter({
    name: 'slots_total',
    help: 'Slots folded.',
    read: () => [[{}, counters().slots]],
  });
  metrics.exposeCounter({
    name: 'untimed_slots_total',
    help: 'Slots without a block time of their own: estimated from one near, or unknown.',
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
    help: 'Held slots that do not follow the slot before them: gaps in the history.',
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
  gauge('final_slot', 'Up to here nothing is taken back.', () => status().finalSlot);
  gauge('tail_slots', 'Slots in memory that may be taken back.', () => status().tailSlots);
  gauge('unwritten_slots', 'Final slots that wait for a write.', () => status().unwrittenSlots);
  gauge('open_gaps', 'Runs of slots that nobody could give.', () => ingestion.gaps.length);
  gauge('missing_slots', 'Slots that nobody could give.', () =>
    ingestion.gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0),
  );
  gauge('source_lag_slots', 'Slots between the newest folded and the newest known to exist.', () =>
    status().isFollowing ? lag().lagSlots : null,
  );
  gauge('source_lag_seconds', 'Age of the newest slot folded, while a chain is followed.', () => {
    const { lagMs } = lag();
    return status().isFollowing && lagMs !== null ? lagMs / 1_000 : null;
  });
  gauge('clock_step_seconds', "By how much the machine's clock was set since the start.", () => {
    return lag().clockStepMs / 1_000;
  });
  gauge('refolding', '1 while the log is folded again.', () => (status().isRefolding ? 1 : 0));
  gauge(
    'shadow_resident_memory_bytes',
    'Resident memory of the process that makes the next snapshot, as last told; 0 while none runs.',
    () => status().shadowResidentBytes,
  );
  counter('undos_total', 'Times the chain took slots back.', () => status().undos);
  counter('undone_slots_total', 'Slots taken back.', () => status().undoneSlots);
  counter('late_slots_total', 'Slots that came after later ones.', () => status().lateSlots);
  counter('dropped_slots_total', 'Final slots that were of a branch that lost after all.', () => {
    return status().droppedSlots;
  });
  gauge('source_stopped', '1 after the chain could not be followed any longer.', () =>
    status().stopReason === null ? 0 : 1,
  );
  gauge(
    'store_failing',
    '1 while what is folded cannot be stored: it is tried again until it can.',
    () => (status().failure === null ? 0 : 1),
  );
  gauge('store_failing_seconds', 'For how long it has been so; 0 while it is not.', () => {
    const { failure } = status();
    return failure === null ? 0 : Math.max(0, (Date.now() - failure.sinceMs) / 1_000);
  });
  counter('store_failures_total', 'Attempts to store something that failed.', () => {
    return status().failedWrites;
  });
  counter('refolds_total', 'Times the log was folded again.', () => status().refolds);
}

/** How the nodes fare that the followed chain is asked of; no samples where none is. */
function exposeNodes(metrics: MetricFamilies, ingestion: Ingestion): void {
  const nodes = () => ingestion.status.source?.nodes ?? [];
  metrics.exposeGauge({
    name: 'source_nodes',
    help: 'RPC nodes, by how they fare.',
    labelNames: ['state'],
    read: () => {
      const counts = new Map<string, number>();
      for (const { state } of nodes()) counts.set(state, (counts.get(state) ?? 0) + 1);
      return [...counts].map(([state, count]) => [{ state }, count]);
    },
  });
  metrics.exposeGauge({
    name: 'source_out',
    help: '1 while neither a node nor a stream brings blocks.',
    read: () => [[{}, ingestion.status.source?.isOut === true ? 1 : 0]],
  });
  metrics.exposeCounter({
    name: 'source_outages_total',
    help: 'Times that neither a node nor a stream brought blocks any more.',
    read: () => [[{}, ingestion.status.source?.outages ?? 0]],
  });
  metrics.exposeCounter({
    name: 'source_requests_total',
    help: 'Requests to RPC nodes.',
    labelNames: ['node'],
    read: () => nodes().map(({ label, requests }) => [{ node: label }, requests]),
  });
  metrics.exposeGauge({
    name: 'source_open_requests',
    help: 'Requests to RPC nodes that wait for their answer.',
    labelNames: ['node'],
    read: () => nodes().map(({ label, openRequests }) => [{ node: label }, openRequests]),
  });
  metrics.exposeCounter({
    name: 'source_failures_total',
    help: 'Requests to RPC nodes that failed, by name of the failure.',
    labelNames: ['node', 'failure'],
    read: function* () {
      for (const { label, failures } of nodes()) {
        for (const [failure, count] of Object.entries(failures)) {
          yield [{ node: label, failure }, count];
        }
      }
    },
  });
}

/** What came of asking a second node for blocks; no samples where nobody is asked. */
function exposeComparison(metrics: MetricFamilies, ingestion: Ingestion): void {
  metrics.exposeCounter({
    name: 'source_compared_blocks_total',
    help: 'Blocks by what came of asking a second node for them.',
    labelNames: ['result'],
    read: () => {
      const comparison = ingestion.status.source?.comparison ?? null;
      if (comparison === null) return [];
      const { agreed, corrected, undecided, unverified } = comparison;
      const counts = Object.entries({ agreed, corrected, undecided, unverified });
      return counts.map(([result, count]) => [{ result }, count]);
    },
  });
  metrics.exposeCounter({
    name: 'source_refuted_blocks_total',
    help: 'Blocks that a node told wrongly, as others showed.',
    labelNames: ['node'],
    read: () =>
      (ingestion.status.source?.nodes ?? []).map(({ label, refutedBlocks }) => [
        { node: label },
        refutedBlocks,
      ]),
  });
}

/** How the stream of blocks fares; no samples where there is none. */
function exposeStream(metrics: MetricFamilies, ingestion: Ingestion): void {
  const labelNames = ['stream'];
  const sampled = (value: (stream: BlockStreamStatus) => number) => () => {
    const stream = ingestion.status.source?.stream ?? null;
    return stream === null ? [] : ([[{ stream: stream.origin }, value(stream)]] as const);
  };
  metrics.exposeGauge({
    name: 'stream_up',
    help: '1 while the stream brings blocks.',
    labelNames,
    read: sampled(({ isStreaming }) => (isStreaming ? 1 : 0)),
  });
  metrics.exposeCounter({
    name: 'stream_interruptions_total',
    help: 'Times the stream of blocks was interrupted.',
    labelNames,
    read: sampled(({ interruptions }) => interruptions),
  });
  metrics.exposeCounter({
    name: 'stream_blocks_total',
    help: 'Blocks that the stream brought.',
    labelNames,
    read: sampled(({ blocks }) => blocks),
  });
}

/** No sample where nothing is known. */
function samplesOf(value: number | null): [Record<string, string>, number][] {
  return value === null ? [] : [[{}, value]];
}

function exposeDecoding(metrics: MetricFamilies, ingestion: Ingestion): void {
  const counters = () => ingestion.engine.counters;
  metrics.exposeCounter({
    name: 'events_total',
    help: 'Canonical events folded, by kind.',
    labelNames: ['kind'],
    read: () => Object.entries(counters().events).map(([kind, count]) => [{ kind }, count]),
  });
  metrics.exposeCounter({
    name: 'instructions_total',
    help: 'Instructions of known programs, by program and outcome.',
    labelNames: ['program', 'outcome'],
    read: function* () {
      for (const [program, outcomes] of Object.entries(counters().outcomes)) {
        for (const [outcome, count] of Object.entries(outcomes))
          yield [{ program, outcome }, count];
      }
    },
  });
  metrics.exposeCounter({
    name: 'transactions_total',
    help: 'Transactions seen, by what became of them.',
    labelNames: ['result'],
    read: () => {
      const { transactions, failedTransactions, votes } = counters();
      return [
        [{ result: 'succeeded' }, transactions - failedTransactions],
        [{ result: 'failed' }, failedTransactions],
        [{ result: 'vote' }, votes],
      ];
    },
  });
}

function exposeProblems(metrics: MetricFamilies, ingestion: Ingestion): void {
  const counters = () => ingestion.engine.counters;
  metrics.exposeCounter({
    name: 'decode_problems_total',
    help: 'Instructions and transactions that could not be understood or believed, by problem.',
    labelNames: ['problem'],
    read: () => Object.entries(counters().problems).map(([problem, count]) => [{ problem }, count]),
  });
  metrics.exposeCounter({
    name: 'source_problems_total',
    help: 'Parts of the input that could not be used since the start, by code.',
    labelNames: ['code'],
    read: () => Object.entries(ingestion.problems).map(([code, count]) => [{ code }, count]),
  });
  metrics.exposeGauge({
    name: 'contradictions',
    help: 'Records that contradict what was known: signs of missing history, never shown as data.',
    labelNames: ['kind'],
    read: () =>
      Object.entries(ingestion.engine.contradictions).map(([kind, count]) => [{ kind }, count]),
  });
}

function exposeState(metrics: MetricFamilies, ingestion: Ingestion): void {
  metrics.exposeGauge({
    name: 'exceeded_bounds',
    help: 'Kinds of state that have outgrown what the process is meant to hold.',
    labelNames: ['kind'],
    read: () => ingestion.engine.exceededBounds().map((kind) => [{ kind }, 1]),
  });
  metrics.exposeGauge({
    name: 'older_slots',
    help: 'Slots that older decoders read: their records should be replayed again.',
    read: () => [[{}, ingestion.olderSlots]],
  });
  metrics.exposeGauge({
    name: 'slot',
    help: 'Last slot folded.',
    read: () => [[{}, ingestion.engine.lastSlot ?? 0]],
  });
  metrics.exposeGauge({
    name: 'state_entries',
    help: 'Entries held in memory, by kind.',
    labelNames: ['kind'],
    read: () =>
      Object.entries(ingestion.engine.stateSize).map(([kind, count]) => [{ kind }, count]),
  });
  metrics.exposeCounter({
    name: 'fraud_evaluations_total',
    help: 'Cases of mints that detectors of fraud were shown.',
    read: () => [[{}, ingestion.engine.fraudWatch.evaluations]],
  });
  metrics.exposeGauge({
    name: 'fraud_findings',
    help: 'Findings of fraud that can still change, candidates included.',
    read: () => [[{}, ingestion.engine.fraudWatch.findings]],
  });
}
