import { CHECKPOINT_PACE } from '../ingestion/checkpoint-pace.ts';
import type { MonitoredPart } from '../model/monitoring.ts';

/** What is watched of store and state. The metrics are in service-metrics.ts and state-metrics.ts. */
export const STORE_MONITORING: MonitoredPart = {
  id: 'store',
  title: 'Store and state',
  panels: [
    {
      title: 'Final slots waiting to be written',
      description: 'Grows while the disk fails or is slow.',
      unit: 'short',
      queries: [
        { expression: 'mintscope_unwritten_slots{instance=~"$instance"}', legend: '{{instance}}' },
      ],
    },
    {
      title: 'Failed writes',
      description: 'Each is retried; ingestion waits.',
      unit: 'ops',
      queries: [
        {
          expression: 'rate(mintscope_store_failures_total{instance=~"$instance"}[5m])',
          legend: '{{instance}}',
        },
      ],
    },
    {
      title: 'Memory of the state',
      description: 'Pages and objects, with their bounds.',
      unit: 'bytes',
      queries: [
        {
          expression: 'mintscope_state_page_bytes{instance=~"$instance"}',
          legend: 'pages {{instance}}',
        },
        {
          expression: 'mintscope_state_page_bytes_max{instance=~"$instance"}',
          legend: 'pages, bound {{instance}}',
        },
        {
          expression: 'mintscope_state_object_bytes{instance=~"$instance"}',
          legend: 'objects {{instance}}',
        },
      ],
    },
    {
      title: 'Pages read from disk per slot',
      description: 'Many: raise --state-memory.',
      unit: 'short',
      queries: [
        {
          expression:
            'rate(mintscope_state_loaded_pages_total{instance=~"$instance"}[5m]) / rate(mintscope_slots_total{instance=~"$instance"}[5m])',
          legend: '{{instance}}',
        },
      ],
    },
    {
      title: 'Slots since the newest checkpoint',
      description: 'What a start after a kill folds again.',
      unit: 'short',
      queries: [
        {
          expression:
            'mintscope_slot{instance=~"$instance"} - mintscope_state_checkpoint_slot{instance=~"$instance"}',
          legend: '{{instance}}',
        },
      ],
    },
    {
      title: 'Files of the state',
      description: 'As of the newest checkpoint.',
      unit: 'bytes',
      queries: [
        { expression: 'mintscope_state_disk_bytes{instance=~"$instance"}', legend: '{{instance}}' },
      ],
    },
    {
      title: 'Memory of the lists of tokens and pools',
      description:
        'Beside --state-memory. Windows are of 24 hours, all else grows with the launches.',
      unit: 'bytes',
      queries: [
        {
          expression: 'mintscope_market_bytes{instance=~"$instance"}',
          legend: '{{part}} {{instance}}',
        },
      ],
    },
    {
      title: 'Free space of the data folder',
      description: 'Full within three days: bound the log, or move to a larger disk.',
      unit: 'bytes',
      queries: [
        { expression: 'mintscope_disk_free_bytes{instance=~"$instance"}', legend: '{{instance}}' },
      ],
    },
    {
      title: 'Resident memory of the process',
      description: 'State, store and JavaScript of all threads.',
      unit: 'bytes',
      queries: [
        {
          expression: 'process_resident_memory_bytes{job="mintscope", instance=~"$instance"}',
          legend: '{{instance}}',
        },
      ],
    },
  ],
  alerts: [
    {
      name: 'MintscopeStoreFailing',
      expression: 'mintscope_store_failing == 1',
      holds: '1m',
      severity: 'critical',
      summary: 'Writes to the store fail and are retried; ingestion waits.',
      actions: [
        '`/readyz` names the failure and its start: mostly a disk that is full or failing.',
        'Make room (`mintscope doctor` says what takes it; `--log-retention` bounds the log) or repair the device. Nothing is lost, and the service continues by itself.',
      ],
      tests: {
        atMinute: 2,
        firing: { 'mintscope_store_failing{instance="a"}': '0 1 1' },
        labels: { instance: 'a' },
        quiet: { 'mintscope_store_failing{instance="a"}': '1 0 0' },
      },
    },
    {
      name: 'MintscopeStoreDamaged',
      expression: 'mintscope_store_damaged_parts > 0',
      holds: '0m',
      severity: 'critical',
      summary: 'Parts of tables differ from their checksums.',
      actions: [
        'Restart: a start sets the parts aside, names lost slots missing and folds lost rows again. If old slots were dropped from the log it refuses and says what to do: restore a backup.',
        'Bytes that change are a sign of a failing disk or memory: look at the log of the kernel, and replace the device.',
      ],
      tests: {
        atMinute: 1,
        firing: { 'mintscope_store_damaged_parts{instance="a"}': '0 1' },
        labels: { instance: 'a' },
        quiet: { 'mintscope_store_damaged_parts{instance="a"}': '0 0' },
      },
    },
    {
      name: 'MintscopeStoreLost',
      expression: 'mintscope_store_losses_total > 0',
      holds: '0m',
      severity: 'warning',
      summary: 'Lost or damaged data was found since the start.',
      actions: [
        'The log of the service says at the start what was lost and what it did about it; the label `kind` names it. Gaps that are left show as missing slots.',
        'Find out who changed the folder. The alert ends with the next restart.',
      ],
      tests: {
        atMinute: 1,
        firing: { 'mintscope_store_losses_total{instance="a", kind="rows-lost"}': '1 1' },
        labels: { instance: 'a', kind: 'rows-lost' },
        quiet: { 'mintscope_store_losses_total{instance="a", kind="rows-lost"}': '0 0' },
      },
    },
    {
      name: 'MintscopeCheckpointsFailing',
      expression: 'increase(mintscope_state_checkpoint_failures_total[30m]) > 0',
      holds: '0m',
      severity: 'warning',
      summary: 'A checkpoint of the state could not be stored.',
      actions: [
        'The log of the service names the reason: mostly a full or failing disk. Answers are not affected; a start after a kill folds more of the log.',
      ],
      tests: {
        atMinute: 20,
        firing: { 'mintscope_state_checkpoint_failures_total{instance="a"}': '0x10 1x10' },
        labels: { instance: 'a' },
        quiet: { 'mintscope_state_checkpoint_failures_total{instance="a"}': '1x20' },
      },
    },
    {
      name: 'MintscopeCheckpointOld',
      expression: 'mintscope_slot - mintscope_state_checkpoint_slot > 3000',
      holds: '10m',
      severity: 'warning',
      summary: `The newest checkpoint is more than 3,000 slots old: one is made every ${CHECKPOINT_PACE.everySlots}.`,
      actions: [
        'Look for `The state cannot be stored` in the log. Slots that do not become final keep a checkpoint from being valid: compare `mintscope_final_slot` with `mintscope_slot`.',
      ],
      tests: {
        atMinute: 12,
        firing: {
          'mintscope_slot{instance="a"}': '403001x12',
          'mintscope_state_checkpoint_slot{instance="a"}': '400000x12',
        },
        labels: { instance: 'a' },
        quiet: {
          'mintscope_slot{instance="a"}': '403000x12',
          'mintscope_state_checkpoint_slot{instance="a"}': '400000x12',
        },
      },
    },
    {
      name: 'MintscopeRefoldingLong',
      expression: 'mintscope_refolding == 1',
      holds: '1h',
      severity: 'warning',
      summary: 'The log has been folded again for an hour.',
      actions: [
        'Late slots, or slots of a lost branch, are being brought into the figures; answers go on from the state before. The log of the service says from which slot on (`folding the log from a slot on again`), and at the end how long it took.',
        'From a slot before the oldest checkpoint the whole log is folded, which takes as long as the log is.',
      ],
      tests: {
        atMinute: 61,
        firing: { 'mintscope_refolding{instance="a"}': '1x61' },
        labels: { instance: 'a' },
        quiet: { 'mintscope_refolding{instance="a"}': '1x50 0x11' },
      },
    },
    {
      name: 'MintscopeStateMemoryExceeded',
      expression:
        'mintscope_state_page_bytes > 1.1 * mintscope_state_page_bytes_max or mintscope_state_object_bytes > 1.1 * mintscope_state_object_bytes_max',
      holds: '15m',
      severity: 'warning',
      summary: 'The state has a tenth more memory than `--state-memory` allows.',
      actions: [
        'What leaves memory is written first: look whether the disk is full or failing (the log of the service, `mintscope_state_checkpoint_failures_total`).',
        'If the disk is well, this is a defect: restart before memory runs out, and report it with the metrics of the state.',
      ],
      tests: {
        atMinute: 16,
        firing: {
          'mintscope_state_page_bytes{instance="a"}': '1.2e9x16',
          'mintscope_state_page_bytes_max{instance="a"}': '1e9x16',
        },
        labels: { instance: 'a' },
        quiet: {
          'mintscope_state_page_bytes{instance="a"}': '1e9x16',
          'mintscope_state_page_bytes_max{instance="a"}': '1e9x16',
          'mintscope_state_object_bytes{instance="a"}': '1e9x16',
          'mintscope_state_object_bytes_max{instance="a"}': '1e9x16',
        },
      },
    },
    {
      name: 'MintscopeStateThrashing',
      expression:
        'rate(mintscope_state_loaded_pages_total[10m]) > 2000 * rate(mintscope_slots_total[10m]) and rate(mintscope_state_evicted_pages_total[10m]) > 2000 * rate(mintscope_slots_total[10m])',
      holds: '30m',
      severity: 'warning',
      summary: 'Each slot reads more than 2,000 pages of the state back, and evicts as many.',
      actions: [
        'At 0.1 ms a page, as local SSDs take, that is half of the 400 ms that a slot has. Answers stay correct; watch `mintscope_source_lag_slots`.',
        'Raise `--state-memory`, with a machine that leaves as much for the store. If one is large enough already, look for a slow disk.',
      ],
      tests: {
        atMinute: 45,
        firing: {
          'mintscope_slots_total{instance="a"}': '0+150x45',
          'mintscope_state_loaded_pages_total{instance="a"}': '0+450000x45',
          'mintscope_state_evicted_pages_total{instance="a"}': '0+450000x45',
        },
        labels: { instance: 'a' },
        // Many pages are read after a start, when none has to leave.
        quiet: {
          'mintscope_slots_total{instance="a"}': '0+150x45',
          'mintscope_state_loaded_pages_total{instance="a"}': '0+450000x45',
          'mintscope_state_evicted_pages_total{instance="a"}': '0+1500x45',
        },
      },
    },
    {
      name: 'MintscopeDiskFilling',
      expression: 'predict_linear(mintscope_disk_free_bytes[6h], 3 * 86400) < 0',
      holds: '1h',
      severity: 'warning',
      summary:
        'At the pace of the last six hours the disk of the data folder is full within three days.',
      actions: [
        '`mintscope doctor` says what a day of the chain takes. Bound the log with `--log-retention`, move the folder to a larger disk, or remove what else is on this one.',
        'A full disk stops ingestion and checkpoints, and loses nothing.',
      ],
      tests: {
        atMinute: 120,
        // 400 GB that shrink by 7 GB an hour last 57 hours.
        firing: { 'mintscope_disk_free_bytes{instance="a"}': '4e11-116666667x120' },
        labels: { instance: 'a' },
        // By 5 GB an hour, 80 hours.
        quiet: { 'mintscope_disk_free_bytes{instance="a"}': '4e11-83333333x120' },
      },
    },
  ],
};
