import type { SlotFacts } from '../../model/slot-facts.ts';
import { decodeSlotFacts } from '../facts-codec.ts';
import type { Lane } from '../lane.ts';

/** Slots in memory at once while the log is read. */
const CHUNK_SLOTS = 64;
/** Slots that are handed over at once as text: others wait for so many to be read. */
const HAND_OVER_SLOTS = 16;

/** The canonical log: every slot that was ever stored, as it was decoded. */
export class SlotLog {
  private readonly lane: Lane;

  constructor(lane: Lane) {
    this.lane = lane;
  }

  /**
   * Slots from `fromSlot` on, ascending, each once in its most complete form. Slots written while
   * reading are included when they lie ahead.
   */
  async *read(fromSlot = 0): AsyncIterable<SlotFacts> {
    const range = { from: fromSlot, to: Number.MAX_SAFE_INTEGER };
    for await (const encoded of this.chunks(range, CHUNK_SLOTS)) {
      for (const facts of encoded) yield decodeSlotFacts(facts);
    }
  }

  /** Slots of a range, both ends included, as `read` yields them, encoded and a few at a time. */
  readEncoded(from: number, to: number): AsyncIterable<readonly string[]> {
    return this.chunks({ from, to }, HAND_OVER_SLOTS);
  }

  private async *chunks(
    range: { readonly from: number; readonly to: number },
    count: number,
  ): AsyncIterable<readonly string[]> {
    const { to } = range;
    for (let { from } = range; ; ) {
      // Rows come in key order, so the engine stops reading at the limit. Replaced rows that are
      // not merged away yet are told apart by version.
      const rows = await this.lane.rows<{ slot: string; facts: string }>(
        'SELECT slot, facts FROM slot_log WHERE slot >= {from:UInt64} AND slot <= {to:UInt64} ' +
          'ORDER BY slot, version DESC LIMIT 1 BY slot LIMIT {count:UInt32}',
        { from, to, count },
      );
      if (rows.length > 0) yield rows.map(({ facts }) => facts);
      const last = rows.at(-1);
      if (last === undefined || rows.length < count) return;
      from = Number(last.slot) + 1;
    }
  }

  /** One slot, null when it was never stored. */
  async find(slot: number): Promise<SlotFacts | null> {
    const [row] = await this.lane.rows<{ facts: string }>(
      'SELECT facts FROM slot_log WHERE slot = {slot:UInt64} ORDER BY version DESC LIMIT 1',
      { slot },
    );
    return row === undefined ? null : decodeSlotFacts(row.facts);
  }
}
