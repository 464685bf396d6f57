import type { MonitoredPart } from '../model/monitoring.ts';
import { CLUSTER_PANELS } from './cluster-panels.ts';

/** What is watched of several machines. The metrics are in replica-metrics.ts. */
export const CLUSTER_MONITORING: MonitoredPart = {
  id: 'cluster',
  title: 'Several machines',
  panels: CLUSTER_PANELS,
  alerts: [
    {
      name: 'MintscopeNoReplica',
      expression: 'sum by (instance) (mintscope_relay_replica_state{state!="silent"}) == 0',
      holds: '0m',
      severity: 'critical',
      summary: 'A node has no replica that answers, and answers 503.',
      actions: [
        '`/readyz` of the node has the reason for each replica. If replicas answer their own `/readyz`, the network between is cut, or `--replicas` names other addresses.',
        'Replicas must answer `/readyz` to the node: start them with `--open-ops true`.',
      ],
      tests: {
        atMinute: 1,
        firing: {
          'mintscope_relay_replica_state{instance="a", replica="b", state="ready"}': '1 0',
          'mintscope_relay_replica_state{instance="a", replica="b", state="unready"}': '0 0',
          'mintscope_relay_replica_state{instance="a", replica="b", state="silent"}': '0 1',
        },
        labels: { instance: 'a' },
        quiet: {
          'mintscope_relay_replica_state{instance="a", replica="b", state="ready"}': '1 0',
          'mintscope_relay_replica_state{instance="a", replica="b", state="unready"}': '0 1',
        },
      },
    },
    {
      name: 'MintscopeStreamFull',
      expression: 'mintscope_ingester_log_failing{reason="full"} == 1',
      holds: '0m',
      severity: 'critical',
      summary: 'The stream takes no more steps, so that the answers of all replicas get old.',
      actions: [
        '`/readyz` of the ingester has the reason of NATS under `log`. Raise the limit (`nats stream edit <stream> --max-bytes …`), or make room on the disks of the NATS servers. The writer goes on by itself.',
        'A stream with `discard: old` removes its oldest messages instead: replicas that were away for longer then need a backup of another one.',
      ],
      tests: {
        atMinute: 1,
        firing: { 'mintscope_ingester_log_failing{instance="a", reason="full"}': '0 1' },
        labels: { instance: 'a', reason: 'full' },
        quiet: { 'mintscope_ingester_log_failing{instance="a", reason="full"}': '0 0' },
      },
    },
    {
      name: 'MintscopeStreamUnreachable',
      expression: 'mintscope_ingester_log_failing{reason="unavailable"} == 1',
      holds: '1m',
      severity: 'warning',
      summary: 'An ingester gets no answers from the NATS servers.',
      actions: [
        'If all ingesters report it, the servers have no majority: start them again. If one does, its network is cut: the other takes over, and the first waits once it is back.',
        '`mintscope doctor` asks the servers from this machine.',
      ],
      tests: {
        atMinute: 2,
        firing: { 'mintscope_ingester_log_failing{instance="a", reason="unavailable"}': '0 1 1' },
        labels: { instance: 'a', reason: 'unavailable' },
        quiet: { 'mintscope_ingester_log_failing{instance="a", reason="unavailable"}': '0 1 0' },
      },
    },
    {
      name: 'MintscopeNobodyWrites',
      expression: 'max(mintscope_ingester_writing) == 0',
      holds: '1m',
      severity: 'critical',
      summary: 'No ingester appends to the stream.',
      actions: [
        'A takeover takes seconds. `/readyz` of the ingesters says what they wait for; usually NATS has no majority.',
      ],
      tests: {
        atMinute: 2,
        firing: { 'mintscope_ingester_writing{instance="a"}': '1 0 0' },
        labels: {},
        quiet: {
          'mintscope_ingester_writing{instance="a"}': '1 0 0',
          'mintscope_ingester_writing{instance="b"}': '0 1 1',
        },
      },
    },
    {
      name: 'MintscopeWriterBehind',
      expression: 'mintscope_ingester_lag_slots > 50',
      holds: '5m',
      severity: 'warning',
      summary: 'The ingester that writes does not keep up with its nodes.',
      actions: [
        'Each step waits for its acknowledgement, and mainnet makes about five a second: the way to NATS and back, with the writes to disk, must take less than 0.2 s. Compare `rate(mintscope_ingester_appends_total[5m])`, and look at the disks of the NATS servers.',
        'If its nodes are slow, `mintscope_source_failures_total` of the ingester shows it; stop it, so that the other takes over with its own nodes.',
      ],
      tests: {
        atMinute: 6,
        firing: { 'mintscope_ingester_lag_slots{instance="a"}': '51x6' },
        labels: { instance: 'a' },
        quiet: { 'mintscope_ingester_lag_slots{instance="a"}': '50x6' },
      },
    },
    {
      name: 'MintscopeWritersAlternate',
      expression: 'sum(increase(mintscope_ingester_takeovers_total[30m])) > 5',
      holds: '0m',
      severity: 'warning',
      summary: 'Ingesters take over from each other again and again.',
      actions: [
        'The log of each says why: nodes that are silent for ten seconds, a machine that stands still for two, or a network to NATS that breaks. Nothing is lost or doubled, but each takeover is a pause.',
      ],
      tests: {
        atMinute: 30,
        firing: { 'mintscope_ingester_takeovers_total{instance="a"}': '0+1x30' },
        labels: {},
        quiet: { 'mintscope_ingester_takeovers_total{instance="a"}': '1x30' },
      },
    },
    {
      name: 'MintscopeReplicaContradicted',
      expression: 'mintscope_replica_agreement{state="minority"} == 1',
      holds: '0m',
      severity: 'critical',
      summary: 'A replica has another state than most others and has stopped answering.',
      actions: [
        'It has computed its state again as often as it may, or cannot: `/readyz` of the replica says which, with the slot and the others, under `source`. A restart makes nothing right.',
        'Keep the folder as evidence, check memory and disk of the machine, and restore the folder from a backup of a replica that agrees ("Several machines").',
      ],
      tests: {
        atMinute: 1,
        firing: { 'mintscope_replica_agreement{instance="a", state="minority"}': '0 1' },
        labels: { instance: 'a', state: 'minority' },
        quiet: { 'mintscope_replica_agreement{instance="a", state="agreed"}': '1 1' },
      },
    },
    {
      name: 'MintscopeReplicaRebuilt',
      expression: 'increase(mintscope_replica_rebuilds_total[1d]) > 0',
      holds: '0m',
      severity: 'warning',
      summary: 'A replica has computed its state again because most others had another one.',
      actions: [
        'It answers again by itself, and nothing is lost. Memory or disk of its machine have changed what was written, so check them: the log has the slots, and `mintscope check` reads the stored files while the service is stopped.',
      ],
      tests: {
        atMinute: 3,
        firing: { 'mintscope_replica_rebuilds_total{instance="a"}': '0 0 1 1' },
        labels: { instance: 'a' },
        quiet: { 'mintscope_replica_rebuilds_total{instance="a"}': '1 1 1 1' },
      },
    },
    {
      name: 'MintscopeOffchainStopped',
      expression: 'mintscope_offchain_stream_stopped == 1',
      holds: '0m',
      severity: 'warning',
      summary: 'A replica stores no more off-chain facts, so that its answers of them get old.',
      actions: [
        'Its log has the reason: the stream lacks what it missed, is another one, or is of a newer version. Restore its folder from a backup of another replica, or update it ("Several machines").',
      ],
      tests: {
        atMinute: 1,
        firing: { 'mintscope_offchain_stream_stopped{instance="a"}': '0 1' },
        labels: { instance: 'a' },
        quiet: { 'mintscope_offchain_stream_stopped{instance="a"}': '0 0' },
      },
    },
    {
      name: 'MintscopeNobodyGathers',
      expression: 'max(mintscope_offchain_stream_gathering) == 0',
      holds: '5m',
      severity: 'warning',
      summary: 'No replica gathers off-chain facts.',
      actions: [
        'A takeover takes seconds. If all replicas are started with `--offchain follow`, start one with `--role gather`; otherwise the log of the replicas says why the stream of off-chain data takes no claim.',
      ],
      tests: {
        atMinute: 6,
        firing: { 'mintscope_offchain_stream_gathering{instance="a"}': '0x6' },
        labels: {},
        quiet: {
          'mintscope_offchain_stream_gathering{instance="a"}': '0x6',
          'mintscope_offchain_stream_gathering{instance="b"}': '1x6',
        },
      },
    },
    {
      name: 'MintscopeReplicasDiffer',
      expression: 'mintscope_replica_agreement{state="differing"} == 1',
      holds: '1m',
      severity: 'critical',
      summary: 'Replicas have different states, and there is no majority to decide between them.',
      actions: [
        '`/v1/coverage` of each has the others under `replicas`. With two replicas nobody can say which is right: a third one decides, restored from a backup of before the first slot that differs.',
        '`mintscope verify` and `mintscope digest` compare a stopped folder with its own log.',
      ],
      tests: {
        atMinute: 2,
        firing: { 'mintscope_replica_agreement{instance="a", state="differing"}': '0 1 1' },
        labels: { instance: 'a', state: 'differing' },
        quiet: { 'mintscope_replica_agreement{instance="a", state="differing"}': '0 1 0' },
      },
    },
  ],
};
