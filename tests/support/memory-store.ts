import type { DatabaseSync } from 'node:sqlite';
import type { IngestionStore } from '../../src/ingestion/ingestion-store.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { asSlot, type Slot } from '../../src/model/units.ts';
import { decodeSlotFacts } from '../../src/store/codecs/facts-codec.ts';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { CursorTable } from '../../src/store/control/cursor.ts';
import { GapLedger } from '../../src/store/control/gap-ledger.ts';
import { WriterFence } from '../../src/store/control/writer-fence.ts';
import { DERIVED_TABLES, SLOT_TABLES } from '../../src/store/migrations/tables.ts';
import type { StoredRow } from '../../src/store/sql/columns.ts';
import { Lane } from '../../src/store/sql/lane.ts';
import { rowVersion } from '../../src/store/sql/row-version.ts';
import type { RowLayers } from '../../src/store/sql/visible-epoch.ts';
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
  private logBegin: Slot | null = null;
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
      logStart: this.logStart(),
      removal: {
        removeBefore: async (slot) => {
          this.step();
          this.removeFrom('slot_log', (row) => Number(row.slot) < slot);
        },
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
          if (slot < (this.logBegin ?? 0)) return null;
          const row = this.rowsOf('slot_log').find((found) => found.slot === slot);
          return row === undefined ? null : decodeSlotFacts(String(row.facts));
        },
        firstTimed: async (fromSlot) => {
          for await (const { slot, blockTimeMs } of this.readLog(fromSlot)) {
            if (blockTimeMs !== null) return { slot, timeMs: blockTimeMs };
          }
          return null;
        },
      },
      epochs: {
        prepare: async (epoch) => this.removeWhere((row) => Number(row.epoch) >= epoch),
      },
      layers: this.layers(),
    };
  }

  /** The visible state: every table's visible rows, independent of their history. */
  visibleRows(): Record<string, string[]> {
    const { layers } = new CursorTable(this.control);
    const visible: Record<string, string[]> = {};
    for (const { name } of SLOT_TABLES) {
      visible[name] = this.rowsOf(name)
        .filter((row) => name === 'slot_log' || isVisible(row, layers))
        .map(({ epoch: _epoch, version: _version, ...content }) => JSON.stringify(content))
        .sort();
    }
    return visible;
  }

  /** Number of stored rows of derived tables by layer. */
  rowsByLayer(): ReadonlyMap<number, number> {
    const counts = new Map<number, number>();
    for (const { name } of DERIVED_TABLES) {
      for (const row of this.rowsOf(name)) {
        counts.set(Number(row.epoch), (counts.get(Number(row.epoch)) ?? 0) + 1);
      }
    }
    return counts;
  }

  close(): void {
    this.control.close();
  }

  /** What `LogStart` does, durably; each move is a step. */
  private logStart(): IngestionStore['logStart'] {
    const begin = () => this.logBegin;
    return {
      get slot() {
        return begin();
      },
      advance: async (slot) => {
        this.step();
        this.logBegin = asSlot(Math.max(slot, this.logBegin ?? 0));
      },
    };
  }

  private async *readLog(fromSlot: number): AsyncGenerator<SlotFacts> {
    for (let next = Math.max(fromSlot, this.logBegin ?? 0); ; ) {
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
      bytes: async () => new Uint8Array(),
      command: async () => undefined,
      close: async () => undefined,
      insert: async (table: string, columns: readonly string[], body: Buffer) => {
        this.step();
        for (const line of body.toString().split('\n')) this.put(table, columns, JSON.parse(line));
      },
    };
    return new Lane([session], { name: 'writer', waitingMax: 10, servesClients: false });
  }

  /** What `Layers` does with SQL; each statement is a step. */
  private layers(): IngestionStore['layers'] {
    return {
      lost: async (name, _columns, { top, base, through }) => {
        const known = new Set(this.inLayer(name, top).map((row) => keyOf(name, row)));
        return this.inLayer(name, base).filter(
          (row) => version(row) > BigInt(through) && !known.has(keyOf(name, row)),
        ) as StoredRow[];
      },
      lastShown: async ({ table, key, keys, order }, { base, through }) => {
        const shown = this.inLayer(table, base).filter(
          (row) => version(row) <= BigInt(through) && keys.includes(String(row[key])),
        );
        shown.sort((one, other) => Number(one[order]) - Number(other[order]));
        return [...new Map(shown.map((row) => [row[key], row])).values()] as StoredRow[];
      },
      cover: async ({ top, base, through }) => {
        for (const { name } of DERIVED_TABLES) {
          this.step();
          const known = new Set(this.inLayer(name, top).map((row) => keyOf(name, row)));
          for (const row of this.inLayer(name, base)) {
            if (version(row) > BigInt(through) || !known.has(keyOf(name, row))) continue;
            this.putRow(name, { ...row, version: (BigInt(through) + 1n).toString() });
          }
        }
      },
      merge: async ({ top, base, through }) => {
        for (const { name } of DERIVED_TABLES) {
          this.step();
          for (const row of this.inLayer(name, top)) this.putRow(name, { ...row, epoch: base });
          this.step();
          const isReplaced = (row: Row) =>
            version(row) > BigInt(through) && version(row) < BigInt(rowVersion(top, 0));
          this.removeFrom(name, (row) => row.epoch === base && isReplaced(row));
        }
      },
      retain: async (layer) => {
        this.step();
        this.removeWhere((row) => row.epoch !== layer);
      },
    };
  }

  private inLayer(name: string, layer: number): Row[] {
    return this.rowsOf(name).filter(({ epoch }) => epoch === layer);
  }

  private put(table: string, columns: readonly string[], cells: readonly unknown[]): void {
    const row: Row = Object.fromEntries(columns.map((column, index) => [column, cells[index]]));
    this.putRow(table, row);
  }

  private putRow(table: string, row: Row): void {
    const key = `${row.epoch} ${keyOf(table, row)}`;
    const known = this.tables.get(table)?.get(key);
    const isOlder = known !== undefined && BigInt(String(known.version)) > version(row);
    if (!isOlder) this.tables.get(table)?.set(key, row);
  }

  private rowsOf(table: string): Row[] {
    return [...(this.tables.get(table)?.values() ?? [])];
  }

  private removeWhere(isGone: (row: Row) => boolean): void {
    for (const { name } of DERIVED_TABLES) this.removeFrom(name, isGone);
  }

  private removeFrom(name: string, isGone: (row: Row) => boolean): void {
    for (const [key, row] of this.tables.get(name) ?? []) {
      if (isGone(row)) this.tables.get(name)?.delete(key);
    }
  }

  private step(): void {
    if (this.stepsLeft <= 0) throw new Killed('killed before a write');
    this.stepsLeft--;
    this.steps++;
  }
}

/** The sort key without the layer. */
function keyOf(table: string, row: Row): string {
  const { orderBy } = SLOT_TABLES.find(({ name }) => name === table) ?? { orderBy: [] };
  return JSON.stringify(orderBy.filter((column) => column !== 'epoch').map((name) => row[name]));
}

function isVisible(row: Row, { top, base }: RowLayers): boolean {
  if (row.epoch === top) return true;
  return base !== null && row.epoch === base.epoch && version(row) <= BigInt(base.through);
}

function version(row: Row): bigint {
  return BigInt(String(row.version));
}
