import type { DatabaseSync } from 'node:sqlite';
import type { IngestionStore } from '../../src/ingestion/ingestion-store.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { decodeSlotFacts } from '../../src/store/codecs/facts-codec.ts';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { CursorTable } from '../../src/store/control/cursor.ts';
import { GapLedger } from '../../src/store/control/gap-ledger.ts';
import { WriterFence } from '../../src/store/control/writer-fence.ts';
import { DERIVED_TABLES, SLOT_TABLES } from '../../src/store/migrations/tables.ts';
import { Lane } from '../../src/store/sql/lane.ts';
import { SlotWriter } from '../../src/store/writes/slot-writer.ts';

/** Thrown where a killed process would have stopped. */
export class Killed extends Error {}

type Row = Readonly<Record<string, unknown>>;

/**
 * A store whose ClickHouse half is a Map: rows with the same sort key replace each other by
 * version. Every write of a table and of the cursor is a step before which the process can be
 * killed; written data remains for the next `open`.
 */
export class MemoryStore {
  /** Writes left before the process is killed, and writes so far. */
  stepsLeft = Number.POSITIVE_INFINITY;
  steps = 0;
  private readonly tables = new Map<string, Map<string, Row>>(
    SLOT_TABLES.map(({ name }) => [name, new Map()]),
  );
  private readonly control: DatabaseSync = openControlPlane(':memory:');

  /** The store as a newly started process finds it. */
  open(): IngestionStore & { readonly writer: SlotWriter; readonly cursor: CursorTable } {
    this.stepsLeft = Number.POSITIVE_INFINITY;
    const fence = WriterFence.take(this.control);
    const gaps = new GapLedger(this.control);
    const cursor = new CursorTable(this.control, { fence, gaps });
    const move = cursor.write.bind(cursor);
    cursor.write = (...given) => {
      this.step();
      move(...given);
    };
    return {
      cursor,
      gaps,
      writer: new SlotWriter(this.lane(), async () => fence.assertHeld()),
      removal: {
        remove: async (from, to) => {
          this.step();
          const log = this.tables.get('slot_log');
          for (const [key, { slot }] of log ?? []) {
            if (Number(slot) >= from && Number(slot) <= to) log?.delete(key);
          }
        },
      },
      log: {
        read: (fromSlot = 0) => this.readLog(fromSlot),
        find: async (slot) => {
          const row = this.rowsOf('slot_log').find((found) => found.slot === slot);
          return row === undefined ? null : decodeSlotFacts(String(row.facts));
        },
      },
      epochs: {
        prepare: async (epoch) => this.removeWhere((row) => Number(row.epoch) >= epoch),
        retireBefore: async (epoch) => this.removeWhere((row) => Number(row.epoch) < epoch),
      },
    };
  }

  /** The visible state: every table's rows of the visible epoch, independent of their history. */
  visibleRows(): Record<string, string[]> {
    const { epoch } = new CursorTable(this.control);
    const visible: Record<string, string[]> = {};
    for (const { name } of SLOT_TABLES) {
      visible[name] = this.rowsOf(name)
        .filter((row) => name === 'slot_log' || row.epoch === epoch)
        .map(({ epoch: _epoch, version: _version, ...content }) => JSON.stringify(content))
        .sort();
    }
    return visible;
  }

  close(): void {
    this.control.close();
  }

  private async *readLog(fromSlot: number): AsyncGenerator<SlotFacts> {
    for (let next = fromSlot; ; ) {
      const rows = this.rowsOf('slot_log').filter((row) => Number(row.slot) >= next);
      const [row] = rows.sort((one, other) => Number(one.slot) - Number(other.slot));
      if (row === undefined) return;
      yield decodeSlotFacts(String(row.facts));
      next = Number(row.slot) + 1;
    }
  }

  private lane(): Lane {
    const session = {
      rows: async () => [],
      command: async () => undefined,
      close: async () => undefined,
      insert: async (table: string, columns: readonly string[], body: Buffer) => {
        this.step();
        for (const line of body.toString().split('\n')) this.put(table, columns, JSON.parse(line));
      },
    };
    return new Lane([session], { name: 'writer', waitingMax: 10, servesClients: false });
  }

  private put(table: string, columns: readonly string[], cells: readonly unknown[]): void {
    const row: Row = Object.fromEntries(columns.map((column, index) => [column, cells[index]]));
    const { orderBy } = SLOT_TABLES.find(({ name }) => name === table) ?? { orderBy: [] };
    const key = JSON.stringify(orderBy.map((column) => row[column]));
    const known = this.tables.get(table)?.get(key);
    const isOlder = known !== undefined && BigInt(String(known.version)) > version(row);
    if (!isOlder) this.tables.get(table)?.set(key, row);
  }

  private rowsOf(table: string): Row[] {
    return [...(this.tables.get(table)?.values() ?? [])];
  }

  private removeWhere(isGone: (row: Row) => boolean): void {
    for (const { name } of DERIVED_TABLES) {
      for (const [key, row] of this.tables.get(name) ?? []) {
        if (isGone(row)) this.tables.get(name)?.delete(key);
      }
    }
  }

  private step(): void {
    if (this.stepsLeft <= 0) throw new Killed('killed before a write');
    this.stepsLeft--;
    this.steps++;
  }
}

function version(row: Row): bigint {
  return BigInt(String(row.version));
}
