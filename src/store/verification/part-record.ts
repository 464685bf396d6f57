import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { addToSum, takeFromSum } from '../control/additive-sum.ts';
import { type ControlSums, controlSums } from '../control/control-sums.ts';
import type { Lane } from '../sql/lane.ts';
import { readParts, type StoredPart, toPart } from './stored-part.ts';

interface RecordedRow {
  readonly table_name: string;
  readonly part_name: string;
  readonly part_rows: number;
  readonly part_bytes: number;
  readonly hash: string;
}

/** A part that is due to be read and compared with its checksums. */
export interface PartToCheck {
  readonly table: string;
  readonly name: string;
}

/**
 * The parts that the data plane had when the cursor was last moved. The record is written in the
 * cursor's transaction, so it covers exactly the rows that the cursor covers; rows written between
 * two moves are in neither.
 *
 * ClickHouse replaces rows while it merges, so a count or sum of rows cannot be compared. Inserts
 * can: a merge keeps the block numbers of its source parts.
 */
export class PartRecord {
  private readonly database: DatabaseSync;
  private readonly sums: ControlSums;
  private readonly lane: Lane | null;
  private readonly add: StatementSync;
  private readonly remove: StatementSync;
  private readonly selectChecked: StatementSync;
  private saved = new Map<string, StoredPart>();
  private observed: ReadonlyMap<string, StoredPart> | null = null;

  /** `lane`: the writer lane; null when the parts are on several machines. */
  constructor(database: DatabaseSync, lane: Lane | null) {
    this.database = database;
    this.sums = controlSums(database);
    this.lane = lane;
    this.add = database.prepare(
      'INSERT INTO stored_parts (table_name, part_name, part_rows, part_bytes, hash) ' +
        'VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET part_rows = excluded.part_rows, ' +
        'part_bytes = excluded.part_bytes, hash = excluded.hash, checked_at_ms = NULL',
    );
    this.remove = database.prepare(
      'DELETE FROM stored_parts WHERE table_name = ? AND part_name = ?',
    );
    this.selectChecked = database.prepare(
      'SELECT checked_at_ms FROM stored_parts WHERE table_name = ? AND part_name = ?',
    );
    this.reload();
  }

  /** False when the parts are on several machines. */
  get isKeepable(): boolean {
    return this.lane !== null;
  }

  /** Whether there is a record to compare with: a version with records has moved the cursor. */
  get isKept(): boolean {
    return this.lane !== null && this.sums.read('parts') !== null;
  }

  /** Whether the record matches its sum. */
  get isIntact(): boolean {
    let sum = 0;
    for (const part of this.saved.values()) sum = addToSum(sum, textOf(part));
    return sum === (this.sums.read('parts') ?? 0);
  }

  /** The parts as last saved. */
  get parts(): readonly StoredPart[] {
    return [...this.saved.values()];
  }

  /** Reads the list of parts, for the next `save`. Throws StoreError. */
  async observe(): Promise<void> {
    if (this.lane === null) return;
    const parts = await readParts(this.lane);
    this.observed = new Map(parts.map((part) => [keyOf(part), part]));
  }

  /**
   * Saves the parts observed last, inside the caller's transaction. After a rollback the next
   * transaction can save them again. Idempotent.
   */
  save(): void {
    if (this.observed === null) return;
    const { saved, observed } = this;
    let sum = this.sums.read('parts') ?? 0;
    for (const [key, part] of saved) {
      if (isSame(part, observed.get(key))) continue;
      this.remove.run(part.table, part.name);
      sum = takeFromSum(sum, textOf(part));
      saved.delete(key);
    }
    for (const [key, part] of observed) {
      if (saved.has(key)) continue;
      this.add.run(part.table, part.name, part.rows, part.bytes, part.hash);
      sum = addToSum(sum, textOf(part));
      saved.set(key, part);
    }
    this.sums.write('parts', sum);
  }

  /** Discards changes of a transaction that was rolled back. */
  reload(): void {
    const rows = this.database
      .prepare('SELECT table_name, part_name, part_rows, part_bytes, hash FROM stored_parts')
      .all() as unknown as RecordedRow[];
    this.saved = new Map();
    for (const { table_name, part_name, part_rows: rowCount, part_bytes: bytes, hash } of rows) {
      const part = toPart(table_name, part_name, { rows: rowCount, bytes, hash });
      if (part !== null) this.saved.set(keyOf(part), part);
    }
  }

  /** Empties the record, when it was altered and cannot be trusted. */
  clear(): void {
    this.database.exec('DELETE FROM stored_parts');
    this.sums.write('parts', 0);
    this.saved.clear();
  }

  /** When a part was last read and found intact; 0 if it was found damaged, null if never read. */
  checkedAtMs({ table, name }: PartToCheck): number | null {
    const row = this.selectChecked.get(table, name);
    return typeof row?.checked_at_ms === 'number' ? row.checked_at_ms : null;
  }

  /** Records when a part was found intact; `atMs` 0 means that it was found damaged. */
  noteChecked({ table, name }: PartToCheck, atMs: number): void {
    this.database
      .prepare('UPDATE stored_parts SET checked_at_ms = ? WHERE table_name = ? AND part_name = ?')
      .run(atMs, table, name);
  }
}

function keyOf({ table, name }: PartToCheck): string {
  return `${table}/${name}`;
}

function isSame(one: StoredPart, other: StoredPart | undefined): boolean {
  return other !== undefined && textOf(one) === textOf(other);
}

function textOf({ table, name, rows, bytes, hash }: StoredPart): string {
  return `${table}/${name} ${rows} ${bytes} ${hash}`;
}
