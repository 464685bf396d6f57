import type { Slot } from '../../src/model/units.ts';
import { openStore } from '../../src/store/store.ts';
import { buildCandle, buildChanges, buildFacts, buildSwap } from './build-records.ts';
import { address } from './build-transaction.ts';

/**
 * A process that writes slot after slot until it is killed, and prints its progress: `stored
 * <slot>` when the batch was acknowledged, `moved <slot>` when the cursor was. Arguments: the
 * folder, the first slot.
 */
const [dataDir = '', first = '1'] = process.argv.slice(2);
const store = await openStore({ dataDir });
const pool = address('pool');

for (let slot = Number(first); ; slot++) {
  const timeMs = slot * 1_000;
  const swaps = Array.from({ length: 20 }, (_, txIndex) =>
    buildSwap(pool, `${slot}/${txIndex}`, { slot: slot as Slot, txIndex, timeMs }),
  );
  const changes = buildChanges(slot, { swaps, candles: [buildCandle(pool, slot * 30_000)] });
  await store.writer.writeBatch({ slots: [buildFacts(slot)], changes: [changes], epoch: 1 });
  process.stdout.write(`stored ${slot}\n`);
  store.cursor.write({ epoch: 1, slot: slot as Slot, isDirty: false });
  process.stdout.write(`moved ${slot}\n`);
}
