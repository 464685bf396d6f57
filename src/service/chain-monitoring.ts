import type { MonitoredPart } from '../model/monitoring.ts';

/** What is watched of the chain that is followed. The metrics are in service-metrics.ts. */
export const CHAIN_MONITORING: MonitoredPart = {
  id: 'chain',
  title: 'Chain and sources',
  panels: [
    {
      title: 'Age of the newest slot',
      description: 'Below two seconds is normal; above a minute the service is not ready.',
      unit: 's',
      queries: [
        {
          expression: 'mintscope_source_lag_seconds{instance=~"$instance"}',
          legend: '{{instance}}',
        },
      ],
    },
    {
      title: 'Slots behind the chain',
      description: 'A number that grows: the machine or the nodes are too slow.',
      unit: 'short',
      queries: [
        { expression: 'mintscope_source_lag_slots{instance=~"$instance"}', legend: '{{instance}}' },
      ],
    },
    {
      title: 'Slots per second',
      description: 'Mainnet makes about 2.5.',
      unit: 'ops',
      queries: [
        {
          expression: 'rate(mintscope_slots_total{instance=~"$instance"}[5m])',
          legend: '{{instance}}',
        },
      ],
    },
    {
      title: 'Missing slots and gaps',
      description: 'Slots that no source could provide. Answers about them are incomplete.',
      unit: 'short',
      queries: [
        {
          expression: 'mintscope_missing_slots{instance=~"$instance"}',
          legend: 'slots {{instance}}',
        },
        { expression: 'mintscope_open_gaps{instance=~"$instance"}', legend: 'gaps {{instance}}' },
      ],
    },
    {
      title: 'Requests to nodes that fail',
      description: 'By node and failure.',
      unit: 'reqps',
      queries: [
        {
          expression:
            'sum by (node, failure) (rate(mintscope_source_failures_total{instance=~"$instance"}[5m]))',
          legend: '{{node}} {{failure}}',
        },
      ],
    },
    {
      title: 'Streams and nodes',
      description: 'A stream that is down is replaced by the nodes.',
      unit: 'short',
      queries: [
        { expression: 'mintscope_stream_up{instance=~"$instance"}', legend: 'stream {{stream}}' },
        {
          expression: 'sum by (state) (mintscope_source_nodes{instance=~"$instance"})',
          legend: 'nodes {{state}}',
        },
      ],
    },
    {
      title: 'Reverted and late slots',
      description: 'Forks of the chain, and slots that came after later ones.',
      unit: 'ops',
      queries: [
        {
          expression: 'rate(mintscope_undone_slots_total{instance=~"$instance"}[5m])',
          legend: 'reverted {{instance}}',
        },
        {
          expression: 'rate(mintscope_late_slots_total{instance=~"$instance"}[5m])',
          legend: 'late {{instance}}',
        },
      ],
    },
    {
      title: 'Undecoded shares of programs',
      description: 'A sudden rise is a program that has changed.',
      unit: 'percentunit',
      queries: [
        {
          expression: 'mintscope_venue_drift_share{instance=~"$instance", window="recent"}',
          legend: '{{program}} {{measure}}',
        },
      ],
    },
  ],
  alerts: [
    {
      name: 'MintscopeDown',
      expression: 'up{job="mintscope"} == 0 or absent(up{job="mintscope"})',
      holds: '2m',
      severity: 'critical',
      summary: 'Prometheus cannot read the metrics of the service.',
      actions: [
        'Look at the process and the end of its log: a permanent failure is named there in one sentence with the way out.',
        '`mintscope doctor` checks machine, folder and nodes.',
        'If the process runs, `/metrics` may be refused: it is open on loopback only, and elsewhere with `--open-ops` or an API key.',
      ],
      tests: {
        atMinute: 4,
        firing: { 'up{job="mintscope", instance="a"}': '1 0 0 0 0' },
        labels: { job: 'mintscope', instance: 'a' },
        quiet: { 'up{job="mintscope", instance="a"}': '1 0 1 1 1' },
      },
    },
    {
      name: 'MintscopeSourceStopped',
      expression: 'mintscope_source_stopped == 1',
      holds: '0m',
      severity: 'critical',
      summary: 'The chain is no longer followed, because of an error that does not pass.',
      actions: [
        '`/readyz` has the reason under `source`. `/livez` is 503, so that a supervisor restarts the service; a restart cures what was temporary.',
        'If the reason is a fork deeper than finality, the stored data contradict the chain: keep the folder as evidence, and restore a backup or fill a new folder.',
      ],
      tests: {
        atMinute: 1,
        firing: { 'mintscope_source_stopped{instance="a"}': '0 1' },
        labels: { instance: 'a' },
        quiet: { 'mintscope_source_stopped{instance="a"}': '0 0' },
      },
    },
    {
      name: 'MintscopeSourceOut',
      expression: 'mintscope_source_out == 1',
      holds: '2m',
      severity: 'critical',
      summary: 'Neither a node nor a stream delivers blocks.',
      actions: [
        '`/readyz` shows each node and the stream with its last failure; `mintscope doctor` asks them from this machine.',
        'Check keys, quotas and network of the providers, and add a second one. The service continues by itself, and fetches what it missed.',
      ],
      tests: {
        atMinute: 3,
        firing: { 'mintscope_source_out{instance="a"}': '0 1 1 1' },
        labels: { instance: 'a' },
        quiet: { 'mintscope_source_out{instance="a"}': '0 1 0 1' },
      },
    },
    {
      name: 'MintscopeLagging',
      expression: 'mintscope_source_lag_seconds > 60',
      holds: '5m',
      severity: 'critical',
      summary: 'Answers are more than a minute old.',
      actions: [
        'After a start or an outage this passes: watch whether `mintscope_source_lag_slots` falls.',
        'If it stays, compare `rate(mintscope_slots_total[5m])` with the chain (2.5 a second on mainnet). Nodes that limit requests show under `mintscope_source_failures_total`; a busy processor under `mintscope_event_loop_lag_seconds`; a slow disk under `mintscope_unwritten_slots`.',
      ],
      tests: {
        atMinute: 6,
        firing: { 'mintscope_source_lag_seconds{instance="a"}': '61x6' },
        labels: { instance: 'a' },
        quiet: { 'mintscope_source_lag_seconds{instance="a"}': '60x6' },
      },
    },
    {
      name: 'MintscopeStreamDown',
      expression: 'mintscope_stream_up == 0',
      holds: '5m',
      severity: 'warning',
      summary: 'The Yellowstone server delivers no blocks; the nodes replace it.',
      actions: [
        '`/readyz` has the last failure under `source`. Check address and token (`mintscope doctor --yellowstone-url …`), and the status of the provider.',
        'Without nodes this is an outage: configure at least one.',
      ],
      tests: {
        atMinute: 6,
        firing: { 'mintscope_stream_up{instance="a", stream="s"}': '1 0x5' },
        labels: { instance: 'a', stream: 's' },
        quiet: { 'mintscope_stream_up{instance="a", stream="s"}': '1x6' },
      },
    },
    {
      name: 'MintscopeNodeFailing',
      expression:
        'sum by (instance, node) (rate(mintscope_source_failures_total[10m])) > 0.2 * sum by (instance, node) (rate(mintscope_source_requests_total[10m]))',
      holds: '10m',
      severity: 'warning',
      summary: 'More than a fifth of the requests to a node fail.',
      actions: [
        '`mintscope_source_failures_total` has the failures by kind. For refused rates lower `--rpc-requests-per-second` or raise the quota; for others ask the provider.',
        'One of several nodes may fail without harm, but then nothing compares blocks.',
      ],
      tests: {
        atMinute: 21,
        firing: {
          'mintscope_source_failures_total{instance="a", node="n", failure="timeout"}': '0+30x21',
          'mintscope_source_requests_total{instance="a", node="n"}': '0+100x21',
        },
        labels: { instance: 'a', node: 'n' },
        quiet: {
          'mintscope_source_failures_total{instance="a", node="n", failure="timeout"}': '0+10x21',
          'mintscope_source_requests_total{instance="a", node="n"}': '0+100x21',
        },
      },
    },
    {
      name: 'MintscopeBlocksRefuted',
      expression: 'increase(mintscope_source_refuted_blocks_total[1h]) > 0',
      holds: '0m',
      severity: 'warning',
      summary: 'A node delivered a block that other nodes refute.',
      actions: [
        'The block was corrected before it became final. A node that repeats this is damaged or lies: remove it from `SOLANA_RPC_URL`.',
      ],
      tests: {
        atMinute: 10,
        firing: { 'mintscope_source_refuted_blocks_total{instance="a", node="n"}': '0x5 1x5' },
        labels: { instance: 'a', node: 'n' },
        quiet: { 'mintscope_source_refuted_blocks_total{instance="a", node="n"}': '3x10' },
      },
    },
    {
      name: 'MintscopeSlotsMissing',
      expression: 'mintscope_missing_slots > 0',
      holds: '15m',
      severity: 'warning',
      summary: 'Slots are missing that no source could provide.',
      actions: [
        'Answers that they touch have `x-complete: false`. `/readyz` lists the gaps with their reasons.',
        'The service keeps asking. A node with a longer history fills them at once: `mintscope backfill --from … --to …` while the service is stopped.',
      ],
      tests: {
        atMinute: 16,
        firing: { 'mintscope_missing_slots{instance="a"}': '2x16' },
        labels: { instance: 'a' },
        quiet: { 'mintscope_missing_slots{instance="a"}': '2x10 0x6' },
      },
    },
    {
      name: 'MintscopeVenueChanged',
      expression: 'mintscope_venue_drift_alarm == 1',
      holds: '5m',
      severity: 'warning',
      summary: 'A program has suddenly more instructions that cannot be decoded or trusted.',
      actions: [
        '`/readyz` describes it under `venues`. `mintscope doctor --idl` compares the published interface with the decoder.',
        'Swaps that do not reconcile are quarantined, never priced. Update Mintscope, then replay the slots since the change.',
      ],
      tests: {
        atMinute: 6,
        firing: {
          'mintscope_venue_drift_alarm{instance="a", program="p", measure="unknown"}': '1x6',
        },
        labels: { instance: 'a', program: 'p', measure: 'unknown' },
        quiet: {
          'mintscope_venue_drift_alarm{instance="a", program="p", measure="unknown"}': '1x3 0x3',
        },
      },
    },
    {
      name: 'MintscopeClockStepped',
      expression: 'abs(delta(mintscope_clock_step_seconds[15m])) > 1',
      holds: '0m',
      severity: 'warning',
      summary: 'The clock of the machine was set by more than a second.',
      actions: [
        'Figures do not depend on it, ages and the expiry of keys do. Run a time service (chrony, systemd-timesyncd) that slews the clock.',
      ],
      tests: {
        atMinute: 15,
        firing: { 'mintscope_clock_step_seconds{instance="a"}': '0x7 30x8' },
        labels: { instance: 'a' },
        quiet: { 'mintscope_clock_step_seconds{instance="a"}': '30x15' },
      },
    },
  ],
};
