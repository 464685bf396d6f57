import { expect, test } from 'vitest';
import { createMetricFamilies } from '../api/http/metrics.ts';
import type { StateStatus } from '../model/state-status.ts';
import { asSlot } from '../model/units.ts';
import { exposeStoredState } from './state-metrics.ts';

const STATUS: StateStatus = {
  memory: {
    pageBytes: 1,
    pageBytesMax: 2,
    objectBytes: 3,
    objectBytesMax: 4,
    evictedPages: 5,
    loadedPages: 6,
    indexBytes: 11,
  },
  checkpoints: {
    newest: { slot: asSlot(7), timeMs: 0 },
    count: 8,
    fileBytes: 9,
    durationMs: 1_500,
    isNextWritten: false,
    failures: 10,
  },
};

async function samplesOf(stateStatus: StateStatus | null): Promise<string[]> {
  const metrics = createMetricFamilies();
  const logStart = stateStatus === null ? null : asSlot(5);
  exposeStoredState(metrics, { stateStatus, logStart });
  const lines = (await metrics.render()).split('\n');
  return lines.filter((line) => line.startsWith('mintscope_'));
}

test('memory, its bounds, disk and checkpoints of the state, and the start of the log, are exposed in base units', async () => {
  expect(await samplesOf(STATUS)).toEqual([
    'mintscope_state_page_bytes 1',
    'mintscope_state_page_bytes_max 2',
    'mintscope_state_object_bytes 3',
    'mintscope_state_object_bytes_max 4',
    'mintscope_state_evicted_pages_total 5',
    'mintscope_state_loaded_pages_total 6',
    'mintscope_state_index_bytes 11',
    'mintscope_state_disk_bytes 9',
    'mintscope_state_checkpoints 8',
    'mintscope_state_checkpoint_slot 7',
    'mintscope_state_checkpoint_seconds 1.5',
    'mintscope_state_checkpoint_failures_total 10',
    'mintscope_log_from_slot 5',
  ]);
});

test('what is not known yet, or not stored at all, is exposed as 0', async () => {
  const zeros = (lines: readonly string[]) => lines.filter((line) => line.endsWith(' 0'));
  expect(zeros(await samplesOf(null))).toHaveLength(13);
  const { memory, checkpoints } = STATUS;
  const early = { memory, checkpoints: { ...checkpoints, newest: null, durationMs: null } };
  expect(zeros(await samplesOf(early))).toEqual([
    'mintscope_state_checkpoint_slot 0',
    'mintscope_state_checkpoint_seconds 0',
  ]);
});
