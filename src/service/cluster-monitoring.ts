import type { MonitoredPart } from '../model/monitoring.ts';

/** What is watched of several machines. The metrics are in replica-metrics.ts. */
export const CLUSTER_MONITORING: MonitoredPart = {
  id: 'cluster',
  title: 'Several machines',
  panels: [
    {
      title: 'Agreement of replicas',
      description: 'All should be agreed. A replica in the minority answers nothing.',
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
  ],
  alerts: [
    {
      name: 'MintscopeReplicaContradicted',
      expression: 'mintscope_replica_agreement{state="minority"} == 1',
      holds: '0m',
      severity: 'critical',
      summary: 'A replica has another state than most others and has stopped answering.',
      actions: [
        '`/readyz` of the replica has the slot and the others under `source`. A restart cures damage in memory; damage on disk comes back within a slot.',
        'If it comes back: keep the folder as evidence, check memory and disk of the machine, and restore the folder from a backup of a replica that agrees ("Several machines").',
      ],
      tests: {
        atMinute: 1,
        firing: { 'mintscope_replica_agreement{instance="a", state="minority"}': '0 1' },
        labels: { instance: 'a', state: 'minority' },
        quiet: { 'mintscope_replica_agreement{instance="a", state="agreed"}': '1 1' },
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
