import type { MonitoredPart } from '../model/monitoring.ts';

/** What a dashboard shows of several machines. */
export const CLUSTER_PANELS: MonitoredPart['panels'] = [
  {
    title: 'Agreement of replicas',
    description:
      'All should be agreed. A replica that is rebuilding or in the minority answers nothing.',
    unit: 'none',
    queries: [
      {
        expression: 'mintscope_replica_agreement{instance=~"$instance"} == 1',
        legend: '{{instance}} {{state}}',
      },
    ],
  },
  {
    title: 'Compared slots',
    description: 'The newest slot whose state was compared: it follows the final slot.',
    unit: 'none',
    queries: [
      {
        expression: 'mintscope_replica_compared_slot{instance=~"$instance"}',
        legend: '{{instance}}',
      },
    ],
  },
  {
    title: 'States computed again',
    description:
      'A replica that most others contradicted began with an earlier checkpoint. Any is a reason to check its memory and disk.',
    unit: 'none',
    queries: [
      {
        expression: 'increase(mintscope_replica_rebuilds_total{instance=~"$instance"}[1d])',
        legend: '{{instance}}',
      },
    ],
  },
  {
    title: 'Time for digests',
    description: 'Share of a processor that comparing costs.',
    unit: 'percentunit',
    queries: [
      {
        expression: 'rate(mintscope_replica_digest_seconds_total{instance=~"$instance"}[5m])',
        legend: '{{instance}}',
      },
    ],
  },
  {
    title: 'Who delivers webhooks',
    description: 'One of the replicas of a stream.',
    unit: 'none',
    queries: [
      {
        expression: 'mintscope_replica_delivers_webhooks{instance=~"$instance"}',
        legend: '{{instance}}',
      },
    ],
  },
  {
    title: 'Who gathers off-chain facts',
    description: 'One of the replicas of a stream, for all of them.',
    unit: 'none',
    queries: [
      {
        expression: 'mintscope_offchain_stream_gathering{instance=~"$instance"}',
        legend: '{{instance}}',
      },
    ],
  },
  {
    title: 'Off-chain facts stored',
    description:
      'The last message of their stream that each replica has stored. All should be equal.',
    unit: 'none',
    queries: [
      {
        expression: 'mintscope_offchain_stream_stored_seq{instance=~"$instance"}',
        legend: '{{instance}}',
      },
    ],
  },
  {
    title: 'Changes of keys, triggers, webhooks, reviews and rules',
    description:
      'The last change that counts on each replica. All should be equal; one that stays behind has no new block that names it.',
    unit: 'none',
    queries: [
      {
        expression: 'mintscope_control_applied_seq{instance=~"$instance"}',
        legend: '{{instance}}',
      },
    ],
  },
  {
    title: 'Who appends',
    description: 'Exactly one ingester. Takeovers are rare.',
    unit: 'none',
    queries: [
      { expression: 'mintscope_ingester_writing{instance=~"$instance"}', legend: '{{instance}}' },
      {
        expression: 'increase(mintscope_ingester_takeovers_total{instance=~"$instance"}[15m])',
        legend: 'takeovers {{instance}}',
      },
    ],
  },
  {
    title: 'Slots that the writer is behind its nodes',
    description: 'A number that grows: the network to NATS or its disks are too slow.',
    unit: 'short',
    queries: [
      {
        expression: 'mintscope_ingester_lag_slots{instance=~"$instance"}',
        legend: '{{instance}}',
      },
    ],
  },
  {
    title: 'Steps appended per second',
    description: 'Mainnet makes about 5: a block and a final slot for each of 2.5.',
    unit: 'ops',
    queries: [
      {
        expression: 'rate(mintscope_ingester_appends_total{instance=~"$instance"}[5m])',
        legend: '{{instance}}',
      },
      {
        expression: 'rate(mintscope_ingester_refused_appends_total{instance=~"$instance"}[5m])',
        legend: 'refused {{instance}}',
      },
    ],
  },
  {
    title: 'Size of the stream',
    description: 'On each NATS server, and its limit if there is one.',
    unit: 'bytes',
    queries: [
      { expression: 'max(mintscope_step_log_bytes{instance=~"$instance"})', legend: 'size' },
      { expression: 'max(mintscope_step_log_max_bytes{instance=~"$instance"})', legend: 'limit' },
    ],
  },
  {
    title: 'Replicas as nodes see them',
    description: 'All should be ready. A silent one is not asked.',
    unit: 'none',
    queries: [
      {
        expression: 'mintscope_relay_replica_state{instance=~"$instance"} == 1',
        legend: '{{instance}} {{replica}} {{state}}',
      },
    ],
  },
  {
    title: 'Requests that nodes sent to a second replica',
    description:
      'Since the first died, was late, could not be reached or was behind. Few, except while a replica is lost.',
    unit: 'ops',
    queries: [
      {
        expression: 'rate(mintscope_relay_repeats_total{instance=~"$instance"}[5m])',
        legend: '{{instance}} {{reason}}',
      },
    ],
  },
];
