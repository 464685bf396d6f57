import type { MetricFamilies } from '../api/http/metrics.ts';
import type { BlockStreamStatus, SourceStatus } from '../chain/source-status.ts';

type SourceOf = () => SourceStatus | null;

/** Exposes the nodes and the stream of a followed chain; null: none is followed now. */
export function exposeSource(metrics: MetricFamilies, source: SourceOf): void {
  exposeNodes(metrics, source);
  exposeComparison(metrics, source);
  exposeStream(metrics, source);
}

/** Health of the RPC nodes; no samples without nodes. */
function exposeNodes(metrics: MetricFamilies, source: SourceOf): void {
  const nodes = () => source()?.nodes ?? [];
  metrics.exposeGauge({
    name: 'source_nodes',
    help: 'RPC nodes, by state.',
    labelNames: ['state'],
    read: () => {
      const counts = new Map<string, number>();
      for (const { state } of nodes()) counts.set(state, (counts.get(state) ?? 0) + 1);
      return [...counts].map(([state, count]) => [{ state }, count]);
    },
  });
  metrics.exposeGauge({
    name: 'source_out',
    help: '1 while neither a node nor a stream delivers blocks.',
    read: () => [[{}, source()?.isOut === true ? 1 : 0]],
  });
  metrics.exposeCounter({
    name: 'source_outages_total',
    help: 'Outages: times when neither a node nor a stream delivered blocks.',
    read: () => [[{}, source()?.outages ?? 0]],
  });
  metrics.exposeCounter({
    name: 'source_requests_total',
    help: 'Requests to RPC nodes.',
    labelNames: ['node'],
    read: () => nodes().map(({ label, requests }) => [{ node: label }, requests]),
  });
  metrics.exposeGauge({
    name: 'source_open_requests',
    help: 'Open requests to RPC nodes.',
    labelNames: ['node'],
    read: () => nodes().map(({ label, openRequests }) => [{ node: label }, openRequests]),
  });
  metrics.exposeCounter({
    name: 'source_failures_total',
    help: 'Requests to RPC nodes that failed, by failure.',
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

/** Results of comparing blocks with a second node; no samples without comparison. */
function exposeComparison(metrics: MetricFamilies, source: SourceOf): void {
  metrics.exposeCounter({
    name: 'source_compared_blocks_total',
    help: 'Blocks by the result of comparing them with a second node.',
    labelNames: ['result'],
    read: () => {
      const comparison = source()?.comparison ?? null;
      if (comparison === null) return [];
      const { agreed, corrected, undecided, unverified } = comparison;
      const counts = Object.entries({ agreed, corrected, undecided, unverified });
      return counts.map(([result, count]) => [{ result }, count]);
    },
  });
  metrics.exposeCounter({
    name: 'source_refuted_blocks_total',
    help: 'Incorrect blocks of a node, as shown by other nodes.',
    labelNames: ['node'],
    read: () =>
      (source()?.nodes ?? []).map(({ label, refutedBlocks }) => [{ node: label }, refutedBlocks]),
  });
}

/** Health of the block stream; no samples without one. */
function exposeStream(metrics: MetricFamilies, source: SourceOf): void {
  const labelNames = ['stream'];
  const sampled = (value: (stream: BlockStreamStatus) => number) => () => {
    const stream = source()?.stream ?? null;
    return stream === null ? [] : ([[{ stream: stream.origin }, value(stream)]] as const);
  };
  metrics.exposeGauge({
    name: 'stream_up',
    help: '1 while the stream delivers blocks.',
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
    help: 'Blocks delivered by the stream.',
    labelNames,
    read: sampled(({ blocks }) => blocks),
  });
}
