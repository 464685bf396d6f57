import type { MetricFamilies } from '../api/http/metrics.ts';
import type { RelayCounts } from '../relay/relay-counts.ts';
import type { Replica } from '../relay/replica.ts';

/** What is measured of a node that answers from replicas. */
export interface MeasuredRelay {
  readonly counts: RelayCounts;
  readonly replicas: {
    readonly all: readonly Pick<Replica, 'origin' | 'report' | 'inFlight' | 'sent'>[];
    readonly seenSlot: number | null;
  };
  /** Open connections of clients, and those that were closed to make room. */
  readonly connections: { readonly size: number; readonly refused: number };
}

const STATES = ['ready', 'unready', 'silent'] as const;

/** Exposes what a node without a state did, and how the replicas are that it asks. */
export function exposeRelay(metrics: MetricFamilies, relay: MeasuredRelay): void {
  exposeRequests(metrics, relay);
  exposeReplicas(metrics, relay);
  metrics.exposeGauge({
    name: 'relay_connections',
    help: 'Open connections of clients.',
    read: () => [[{}, relay.connections.size]],
  });
  metrics.exposeCounter({
    name: 'relay_connections_refused_total',
    help: 'Connections of clients that were closed because there were too many.',
    read: () => [[{}, relay.connections.refused]],
  });
}

function exposeRequests(metrics: MetricFamilies, { counts }: MeasuredRelay): void {
  metrics.exposeCounter({
    name: 'relay_requests_total',
    help: 'Requests by how they ended: answered is an answer of a replica, whatever its status.',
    labelNames: ['result'],
    read: () => Object.entries(counts.results).map(([result, count]) => [{ result }, count]),
  });
  metrics.exposeCounter({
    name: 'relay_repeats_total',
    help: 'Requests that were sent to another replica too, by what was wrong with the first.',
    labelNames: ['reason'],
    read: () => Object.entries(counts.repeats).map(([reason, count]) => [{ reason }, count]),
  });
  metrics.exposeGauge({
    name: 'relay_open_requests',
    help: 'Requests that are open, without streams.',
    read: () => [[{}, counts.requests]],
  });
  metrics.exposeGauge({
    name: 'relay_open_streams',
    help: 'WebSockets and event streams that are open.',
    read: () => [[{}, counts.streams]],
  });
  metrics.exposeCounter({
    name: 'relay_stream_moves_total',
    help: 'Streams whose replica ended: moved to another one, or ended too.',
    labelNames: ['result'],
    read: () => Object.entries(counts.moves).map(([result, count]) => [{ result }, count]),
  });
}

function exposeReplicas(metrics: MetricFamilies, { replicas }: MeasuredRelay): void {
  metrics.exposeGauge({
    name: 'relay_replica_state',
    help: '1 for how a replica is, as this node sees it, 0 for the others.',
    labelNames: ['replica', 'state'],
    read: () =>
      replicas.all.flatMap(({ origin: replica, report }) =>
        STATES.map((state) => [{ replica, state }, report.state === state ? 1 : 0] as const),
      ),
  });
  metrics.exposeCounter({
    name: 'relay_replica_requests_total',
    help: 'Requests sent to a replica.',
    labelNames: ['replica'],
    read: () => replicas.all.map(({ origin: replica, sent }) => [{ replica }, sent]),
  });
  metrics.exposeGauge({
    name: 'relay_replica_open_requests',
    help: 'Requests that a replica has not answered yet.',
    labelNames: ['replica'],
    read: () => replicas.all.map(({ origin: replica, inFlight }) => [{ replica }, inFlight]),
  });
  metrics.exposeGauge({
    name: 'relay_seen_slot',
    help: 'Newest slot that an answer of this node was as of.',
    read: () => (replicas.seenSlot === null ? [] : [[{}, replicas.seenSlot]]),
  });
}
