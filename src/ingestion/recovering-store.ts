import type { SlotFacts } from '../model/slot-facts.ts';
import type { IngestionStore } from './ingestion-store.ts';
import type { WriteRecovery } from './write-recovery.ts';

/**
 * The store as ingestion uses it, where what fails for a reason that may pass is done again until it
 * succeeds. Each of these operations changes nothing when it is done twice. The cursor stays as it is:
 * who moves it may have to say anew where to.
 */
export function recoveringStore(store: IngestionStore, recovery: WriteRecovery): IngestionStore {
  const { log, removal, writer, epochs } = store;
  return {
    ...store,
    log: {
      read: (fromSlot = 0) => readOn(log, fromSlot, recovery),
      // Read by whoever makes a snapshot, who does without it.
      readEncoded: (from, to) => log.readEncoded(from, to),
      find: (slot) => recovery.run(() => log.find(slot)),
    },
    removal: { remove: (from, to) => recovery.run(() => removal.remove(from, to)) },
    writer: { writeBatch: (batch) => recovery.run(() => writer.writeBatch(batch)) },
    epochs: {
      prepare: (epoch) => recovery.run(() => epochs.prepare(epoch)),
      retireBefore: (epoch) => recovery.run(() => epochs.retireBefore(epoch)),
    },
  };
}

/** Goes on behind the last slot that was read. */
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
