import type { RecordStore } from '../model/record-store.ts';
import { statePages } from '../store/checkpoints/state-pages.ts';
import { isDamage, isStateFailure } from './state-failure.ts';
import { type RecordNumbers, WatchedPages } from './watched-pages.ts';

/** Whether the device reads a record, whatever it contains. */
export function canRead(records: RecordStore, [space, id]: RecordNumbers): boolean {
  try {
    new WatchedPages(statePages(records)).read(space, id);
    return true;
  } catch (error) {
    if (!isStateFailure(error)) throw error;
    return isDamage(error);
  }
}

/**
 * Whether one of these records is damaged. Where the device fails, the records are closed: it is asked
 * again and again.
 */
export function isAnyDamaged(records: RecordStore, damaged: readonly RecordNumbers[]): boolean {
  const pages = new WatchedPages(statePages(records));
  for (const [space, id] of damaged) {
    try {
      pages.read(space, id);
    } catch (error) {
      if (isDamage(error)) return true;
      records.close();
      throw error;
    }
  }
  return false;
}
