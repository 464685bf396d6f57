import { expect, test } from 'vitest';
import { createMetricFamilies } from '../api/http/metrics.ts';
import { RelayCounts } from '../relay/relay-counts.ts';
import { exposeRelay } from './relay-metrics.ts';
import { relayReadiness } from './relay-readiness.ts';

type State = 'ready' | 'unready' | 'silent';

const replicaOf = (name: string, state: State, detail: string = state) => ({
  ...{ origin: `http://${name}`, inFlight: 2, sent: 7 },
  report: { state, detail, slot: null },
});

test('a node is ready while one of its replicas answers', () => {
  const ready = (...states: State[]) =>
    relayReadiness(states.map((state, index) => replicaOf(`fold-${index}`, state))).isReady;
  expect([ready('ready'), ready('silent', 'ready'), ready('silent', 'unready')]).toEqual([
    ...[true, true, true],
  ]);
  expect([ready('silent'), ready('silent', 'silent')]).toEqual([false, false]);
});

test('what each replica says is shown', () => {
  const replicas = [replicaOf('one', 'ready'), replicaOf('two', 'silent', 'it does not answer')];
  expect(relayReadiness(replicas).checks).toEqual({
    'http://one': { ok: true, detail: 'ready' },
    'http://two': { ok: false, detail: 'it does not answer' },
  });
});

test('metrics count how requests ended and how replicas are', async () => {
  const counts = new RelayCounts();
  counts.results.answered = 5;
  counts.repeats.lost = 3;
  counts.moves.moved = 2;
  counts.streams = 4;
  const families = createMetricFamilies();
  const all = [replicaOf('one', 'unready')];
  const connections = { size: 9, refused: 1 };
  exposeRelay(families, { counts, replicas: { all, seenSlot: 77 }, connections });
  const lines = (await families.render()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'mintscope_relay_requests_total{result="answered"} 5',
      'mintscope_relay_repeats_total{reason="lost"} 3',
      'mintscope_relay_stream_moves_total{result="moved"} 2',
      'mintscope_relay_open_streams 4',
      'mintscope_relay_replica_state{replica="http://one",state="unready"} 1',
      'mintscope_relay_replica_state{replica="http://one",state="ready"} 0',
      'mintscope_relay_replica_open_requests{replica="http://one"} 2',
      'mintscope_relay_replica_requests_total{replica="http://one"} 7',
      'mintscope_relay_seen_slot 77',
      'mintscope_relay_connections 9',
      'mintscope_relay_connections_refused_total 1',
    ]),
  );
});
