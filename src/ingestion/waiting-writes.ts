import type { RecordStore } from '../model/record-store.ts';
import type { WriteRecovery } from './write-recovery.ts';

/** Records of a state, some of which may wait in memory for a device that fails. */
export type WaitingRecords = Pick<RecordStore, 'unwrittenBytes' | 'settle'>;

/** What leaves memory while the device fails stays there; with more than this, folding waits. */
const WAITING_BYTES_MAX = 64 * 1_024 * 1_024;

/**
 * Resolves once at most 64 MiB of a state wait for its device. Call after each slot that is applied
 * to it. `records` is null for a state that is not stored. Throws StoreError.
 */
export async function awaitWrites(
  records: WaitingRecords | null,
  recovery: WriteRecovery,
): Promise<void> {
  if (records === null || records.unwrittenBytes <= WAITING_BYTES_MAX) return;
  await recovery.run(() => records.settle());
}
