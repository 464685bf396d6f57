import { mapAhead } from '../../lib/map-ahead.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import type { Signature } from '../../model/units.ts';
import { decodeSlotFacts } from '../codecs/facts-codec.ts';
import type { KnownLogStart } from '../log-start.ts';
import type { Lane } from '../sql/lane.ts';

/** Slots in memory while the log is read; as many more are read ahead. */
const CHUNK_SLOTS = 64;
/** Slots that are read at a time for another thread: some milliseconds of work on this one. */
const FORWARDED_SLOTS = 8;
/** Slot numbers per query. */
const NUMBERED_SLOTS = 1_024;

/** Slots from one to another, both included. */
export interface LogRange {
  readonly from: number;
  readonly to: number;
}

/** A stored slot and its block time. */
export interface TimedSlot {
  readonly slot: number;
  readonly timeMs: number;
}

/**
 * The canonical log: every stored slot, as it was decoded. Slots before its start are not in it,
 * also while their rows are still being removed.
 */
export class SlotLog {
  private readonly lane: Lane;
  private readonly start: KnownLogStart;

  constructor(lane: Lane, start: KnownLogStart = { slot: null }) {
    this.lane = lane;
    this.start = start;
  }

  /**
   * Slots from `fromSlot` on, ascending, each once in its most complete form. Slots written during
   * the read are included if they are ahead of it.
   */
  async *read(fromSlot = 0): AsyncIterable<SlotFacts> {
    const from = Math.max(fromSlot, this.start.slot ?? 0);
    const range = { from, to: Number.MAX_SAFE_INTEGER };
    for await (const encoded of mapAhead(this.chunks(range, CHUNK_SLOTS), asTheyAre, 2)) {
      for (const facts of encoded) yield decodeSlotFacts(facts);
    }
  }

  /**
   * The encoded slots of a range, both ends included, ascending, each once in its most complete
   * form: text for `decodeSlotFacts`.
   */
  async *readEncoded(range: LogRange): AsyncIterable<string> {
    for await (const encoded of this.chunks(range, FORWARDED_SLOTS)) yield* encoded;
  }

  /** Portions of a few slots, none of them empty. */
  private async *chunks({ from, to }: LogRange, count: number): AsyncIterable<readonly string[]> {
    for (let next = from; ; ) {
      const slots = await this.slots(next, to);
      const last = slots.at(-1);
      if (last === undefined) return;
      for (let at = 0; at < slots.length; at += count) {
        const end = Math.min(at + count, slots.length) - 1;
        const facts = await this.between(slots[at] ?? last, slots[end] ?? last);
        if (facts.length > 0) yield facts;
      }
      next = last + 1;
    }
  }

  /** The next slot numbers, which are a small part of the data. */
  private async slots(from: number, to: number): Promise<number[]> {
    const rows = await this.lane.rows<{ slot: string }>(
      'SELECT slot FROM slot_log WHERE slot >= {from:UInt64} AND slot <= {to:UInt64} ' +
        'ORDER BY slot LIMIT 1 BY slot LIMIT {count:UInt32}',
      { from, to, count: NUMBERED_SLOTS },
    );
    return rows.map(({ slot }) => Number(slot));
  }

  /**
   * The rows between two close slots: with a LIMIT instead of the second slot, the engine reads far
   * beyond it. Of rows that are replaced but not merged yet, the newest version is taken.
   */
  private async between(from: number, to: number): Promise<string[]> {
    const rows = await this.lane.rows<{ facts: string }>(
      'SELECT slot, facts FROM slot_log WHERE slot >= {from:UInt64} AND slot <= {to:UInt64} ' +
        'ORDER BY slot, version DESC LIMIT 1 BY slot',
      { from, to },
    );
    return rows.map(({ facts }) => facts);
  }

  /** One slot, null when it was never stored. */
  async find(slot: number): Promise<SlotFacts | null> {
    if (slot < (this.start.slot ?? 0)) return null;
    const [row] = await this.lane.rows<{ facts: string }>(
      'SELECT facts FROM slot_log WHERE slot = {slot:UInt64} ORDER BY version DESC LIMIT 1',
      { slot },
    );
    return row === undefined ? null : decodeSlotFacts(row.facts);
  }

  /**
   * Of some slots those in which a transaction of `signatures` is, ascending. The engine looks for
   * the texts, so that no other slot is transferred and decoded.
   */
  async findWith(slots: readonly number[], signatures: readonly Signature[]): Promise<SlotFacts[]> {
    const known = slots.filter((slot) => slot >= (this.start.slot ?? 0));
    if (known.length === 0) return [];
    const rows = await this.lane.rows<{ facts: string }>(
      'SELECT facts FROM (SELECT slot, facts FROM slot_log ' +
        "WHERE slot IN (SELECT toUInt64(arrayJoin(splitByChar(',', {slots:String})))) " +
        'ORDER BY slot, version DESC LIMIT 1 BY slot) ' +
        "WHERE multiSearchAny(facts, splitByChar(',', {signatures:String})) ORDER BY slot",
      { slots: known.join(','), signatures: signatures.join(',') },
    );
    return rows.map(({ facts }) => decodeSlotFacts(facts));
  }

  /** The first slot from `fromSlot` on that has a block time; null if there is none. */
  async firstTimed(fromSlot: number): Promise<TimedSlot | null> {
    const from = Math.max(fromSlot, this.start.slot ?? 0);
    const [row] = await this.lane.rows<{ slot: string; time: string }>(
      'SELECT slot, block_time_ms AS time FROM slot_log WHERE slot >= {from:UInt64} ' +
        'AND block_time_ms IS NOT NULL ORDER BY slot LIMIT 1',
      { from },
    );
    return row === undefined ? null : { slot: Number(row.slot), timeMs: Number(row.time) };
  }
}

async function asTheyAre<Item>(item: Item): Promise<Item> {
  return item;
}
