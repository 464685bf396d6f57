import { expect, test } from 'vitest';
import { createMetrics } from '../api/http/metrics.ts';
import type { NodeStatus, SourceStatus } from '../chain/source-status.ts';
import type { Ingestion } from '../ingestion/ingestion.ts';
import { exposeService } from './service-metrics.ts';

function node(label: string, given: Partial<NodeStatus>): NodeStatus {
  const calm = { state: 'well', tipSlot: 10, requests: 0, openRequests: 0, failures: {} } as const;
  return { label, ...calm, refutedBlocks: 0, ...given };
}

function zeros(names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, 0]));
}

/** The lines of a page about source and stream. */
async function linesOf(source: SourceStatus | null, stopReason: string | null): Promise<string[]> {
  const counters = {
    ...zeros(['slots', 'estimatedTimeSlots', 'unknownTimeSlots', 'unlinkedSlots']),
    ...zeros(['transactions', 'failedTransactions', 'votes']),
    ...{ events: {}, outcomes: {}, problems: {} },
  };
  const watched = zeros(['evaluations', 'findings']);
  const state = {
    contradictions: {},
    stateSize: {},
    fraudWatch: watched,
  };
  const status = {
    ...zeros(['finalSlot', 'tailSlots', 'unwrittenSlots', 'undos', 'undoneSlots']),
    ...zeros(['lateSlots', 'droppedSlots', 'refolds', 'failedWrites']),
    failure: null,
  };
  const ingestion = {
    engine: { counters, ...state, lastSlot: null, timeMs: 0 },
    gaps: [],
    stateStatus: null,
    problems: {},
    olderSlots: 0,
    status: { ...status, isFollowing: source !== null, source, stopReason },
  };
  const metrics = createMetrics();
  exposeService(metrics, ingestion as unknown as Ingestion);
  const lines = (await metrics.render()).split('\n');
  return lines.filter((line) => /^mintscope_(source_(?!lag|problems)|stream_)/.test(line)).sort();
}

test('the page contains the state of nodes and stream', async () => {
  const source = {
    nodes: [
      node('one', {
        requests: 7,
        openRequests: 2,
        refutedBlocks: 5,
        failures: { 'http 429': 3, cut: 1 },
      }),
      node('two', { requests: 5, state: 'behind' }),
      node('three', {}),
    ],
    comparison: { mode: 'all', agreed: 60, corrected: 2, undecided: 1, unverified: 7, waiting: 3 },
    stream: { origin: 'host:443', isStreaming: true, interruptions: 4, blocks: 90 },
    outages: 2,
    isOut: true,
  };
  expect(await linesOf(source as unknown as SourceStatus, null)).toEqual([
    'mintscope_source_compared_blocks_total{result="agreed"} 60',
    'mintscope_source_compared_blocks_total{result="corrected"} 2',
    'mintscope_source_compared_blocks_total{result="undecided"} 1',
    'mintscope_source_compared_blocks_total{result="unverified"} 7',
    'mintscope_source_failures_total{node="one",failure="cut"} 1',
    'mintscope_source_failures_total{node="one",failure="http 429"} 3',
    'mintscope_source_nodes{state="behind"} 1',
    'mintscope_source_nodes{state="well"} 2',
    'mintscope_source_open_requests{node="one"} 2',
    'mintscope_source_open_requests{node="three"} 0',
    'mintscope_source_open_requests{node="two"} 0',
    'mintscope_source_out 1',
    'mintscope_source_outages_total 2',
    'mintscope_source_refuted_blocks_total{node="one"} 5',
    'mintscope_source_refuted_blocks_total{node="three"} 0',
    'mintscope_source_refuted_blocks_total{node="two"} 0',
    'mintscope_source_requests_total{node="one"} 7',
    'mintscope_source_requests_total{node="three"} 0',
    'mintscope_source_requests_total{node="two"} 5',
    'mintscope_source_stopped 0',
    'mintscope_stream_blocks_total{stream="host:443"} 90',
    'mintscope_stream_interruptions_total{stream="host:443"} 4',
    'mintscope_stream_up{stream="host:443"} 1',
  ]);
});

test('without a chain the page has no node metrics, and reports a stopped source', async () => {
  expect(await linesOf(null, 'a fork deeper than finality')).toEqual([
    'mintscope_source_out 0',
    'mintscope_source_outages_total 0',
    'mintscope_source_stopped 1',
  ]);
});
