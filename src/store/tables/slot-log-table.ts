import type { SlotFacts } from '../../model/slot-facts.ts';
import { decodeSlotFacts, encodeSlotFacts } from '../codecs/facts-codec.ts';
import { encoded, flag, numeric, orNull, slot, text } from '../sql/columns.ts';
import { columnsOfRecord, describeTable, wholeWithCopies } from '../sql/table.ts';

/** The canonical log. Its rows have no epoch. */
export const slotLogTable = describeTable({
  name: 'slot_log',
  key: (facts: SlotFacts) => String(facts.slot),
  columns: wholeWithCopies<SlotFacts>(
    encoded('facts', encodeSlotFacts, decodeSlotFacts),
    columnsOfRecord({
      slot: slot('slot'),
      blockhash: orNull(text('blockhash')),
      parentSlot: orNull(slot('parent_slot')),
      blockTimeMs: orNull(numeric('block_time_ms')),
      isWhole: flag('is_whole'),
    }),
  ),
});
