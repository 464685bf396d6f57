import type { SlotFacts } from '../model/slot-facts.ts';
import type { IngestionStore } from './ingestion-store.ts';
import type { WriteRecovery } from './write-recovery.ts';

/**
 * The store as used by ingestion, with retries of transient failures. All these operations are
 * idempotent. Cursor writes are not retried here, because their value may have to be recomputed.
 */
export function recoveringStore(store: IngestionStore, recovery: WriteRecovery): IngestionStore {
  const { log, logStart, removal, writer, epochs, layers } = store;
  return {
    ...store,
    log: {
      read: (fromSlot = 0) => readOn(log, fromSlot, recovery),
      find: (slot) => recovery.run(() => log.find(slot)),
      firstTimed: (fromSlot) => recovery.run(() => log.firstTimed(fromSlot)),
    },
    logStart: {
      get slot() {
        return logStart.slot;
      },
      advance: (slot) => recovery.run(() => logStart.advance(slot)),
    },
    removal: {
      remove: (from, to) => recovery.run(() => removal.remove(from, to)),
      removeBefore: (slot) => recovery.run(() => removal.removeBefore(slot)),
    },
    writer: {
      writeBatch: (batch) => recovery.run(() => writer.writeBatch(batch)),
      writeRestored: (rows) => recovery.run(() => writer.writeRestored(rows)),
    },
    epochs: {
      prepare: (epoch) => recovery.run(() => epochs.prepare(epoch)),
    },
    layers: {
      lost: (...query) => recovery.run(() => layers.lost(...query)),
      lastShown: (...query) => recovery.run(() => layers.lastShown(...query)),
      cover: (pair) => recovery.run(() => layers.cover(pair)),
      merge: (pair) => recovery.run(() => layers.merge(pair)),
      retain: (layer) => recovery.run(() => layers.retain(layer)),
    },
  };
}

/** Reads the log, resuming after the last slot read if reading fails. */
async function* readOn(
  log: IngestionStore['log'],
  fromSlot: number,
  recovery: WriteRecovery,
): AsyncGenerator<SlotFacts> {
  let next = fromSlot;
  let slots = log.read(next)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const item = await recovery.run(async () => {
        try {
          return await slots.next();
        } catch (error) {
          slots = log.read(next)[Symbol.asyncIterator]();
          throw error;
        }
      });
      if (item.done === true) return;
      next = item.value.slot + 1;
      yield item.value;
    }
  } finally {
    await slots.return?.();
  }
}
