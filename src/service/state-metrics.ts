import type { MetricFamilies } from '../api/http/metrics.ts';
import type { Ingestion } from '../ingestion/ingestion.ts';
import type { StateStatus } from '../model/state-status.ts';

/** Exposes memory, disk and checkpoints of the state, and where the log begins; 0 where there is none, or it is unknown. */
export function exposeStoredState(
  metrics: MetricFamilies,
  ingestion: Pick<Ingestion, 'stateStatus' | 'logStart'>,
): void {
  const samples = (value: (status: StateStatus) => number | null) => () => {
    const { stateStatus } = ingestion;
    const sample = stateStatus === null ? null : value(stateStatus);
    return [[{}, sample ?? 0]] as const;
  };
  const gauge = (name: string, help: string, value: (status: StateStatus) => number | null) =>
    metrics.exposeGauge({ name, help, read: samples(value) });
  const counter = (name: string, help: string, value: (status: StateStatus) => number) =>
    metrics.exposeCounter({ name, help, read: samples(value) });
  gauge('state_page_bytes', 'Pages of the state in memory.', ({ memory }) => memory.pageBytes);
  gauge('state_page_bytes_max', 'Bound of state_page_bytes.', ({ memory }) => memory.pageBytesMax);
  gauge('state_object_bytes', 'Objects of the state in memory, approximately.', ({ memory }) => {
    return memory.objectBytes;
  });
  gauge('state_object_bytes_max', 'Bound of state_object_bytes.', ({ memory }) => {
    return memory.objectBytesMax;
  });
  counter('state_evicted_pages_total', 'Pages of the state that left memory.', ({ memory }) => {
    return memory.evictedPages;
  });
  counter('state_loaded_pages_total', 'Pages of the state that were read back.', ({ memory }) => {
    return memory.loadedPages;
  });
  gauge('state_index_bytes', 'Index of the state on disk, in memory.', ({ memory }) => {
    return memory.indexBytes;
  });
  gauge('state_disk_bytes', 'Files of the state, as of the newest checkpoint.', (status) => {
    return status.checkpoints.fileBytes;
  });
  gauge('state_checkpoints', 'Checkpoints of the state that can be opened.', (status) => {
    return status.checkpoints.count;
  });
  gauge('state_checkpoint_slot', 'Slot of the newest checkpoint.', ({ checkpoints }) => {
    return checkpoints.newest?.slot ?? null;
  });
  gauge('state_checkpoint_seconds', 'Time that the newest checkpoint took.', (status) => {
    const { durationMs } = status.checkpoints;
    return durationMs === null ? null : durationMs / 1_000;
  });
  counter('state_checkpoint_failures_total', 'Checkpoints that could not be stored.', (status) => {
    return status.checkpoints.failures;
  });
  metrics.exposeGauge({
    name: 'log_from_slot',
    help: 'First slot of the log, once older ones were dropped.',
    read: () => [[{}, ingestion.logStart ?? 0]],
  });
}
