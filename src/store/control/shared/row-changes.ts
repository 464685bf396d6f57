import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { RowChange, SharedCell, SharedCells, SharedRows } from '../../../model/shared-rows.ts';
import { type SharedTable, sharedTable } from './shared-tables.ts';

type Put = Extract<RowChange, { readonly put: SharedCells }>;

/** Reads and writes shared rows by the names of their columns. */
export class RowChanges {
  private readonly database: DatabaseSync;
  private readonly prepared = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  /** The rows of some tables, by table and key. */
  rowsOf(scopes: readonly SharedRows[]): Map<string, Put> {
    const found = new Map<string, Put>();
    for (const { table: name, where } of scopes) {
      const table = sharedTable(name);
      const columns = Object.keys(where);
      const rest = columns.length === 0 ? '' : `WHERE ${equal(columns)}`;
      for (const put of this.select(table, rest, Object.values(where))) {
        found.set(`${name} ${JSON.stringify(keyOf(table, put))}`, { table: name, put });
      }
    }
    return found;
  }

  /** Rows that a query of a table's shared columns selects. */
  select(
    table: SharedTable,
    rest: string,
    parameters: readonly SQLInputValue[] = [],
  ): SharedCells[] {
    const columns = [...table.key, ...table.columns].join(', ');
    const rows = this.statement(`SELECT ${columns} FROM ${table.name} ${rest}`).all(...parameters);
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, toShared(cell)])),
    );
  }

  /** Makes a change. Returns whether anything differs from before. */
  apply(change: RowChange): boolean {
    const table = sharedTable(change.table);
    if ('counter' in change) return this.count(table, change.counter);
    if ('remove' in change) return this.remove(table, change.remove);
    const { put } = change;
    const key = Object.values(keyOf(table, put)).map(toCell);
    const [known] = this.select(table, `WHERE ${equal(table.key)}`, key);
    if (known !== undefined && isSame(table, known, put)) return false;
    this.put(table, put);
    for (const sql of table.afterPut ?? []) this.statement(sql).run(...key);
    return true;
  }

  /** Numbers that were given and may not be given again; null for a table without. */
  counterOf({ name, isCounted = false }: SharedTable): number | null {
    if (!isCounted) return null;
    const row = this.statement('SELECT seq FROM sqlite_sequence WHERE name = ?').get(name);
    return row === undefined ? null : Number(row.seq);
  }

  private put(table: SharedTable, put: SharedCells): void {
    const columns = [...table.key, ...table.columns];
    const marks = columns.map(() => '?').join(', ');
    const set = table.columns.map((name) => `${name} = excluded.${name}`).join(', ');
    const sql = `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES (${marks})
      ON CONFLICT (${table.key.join(', ')}) DO UPDATE SET ${set}`;
    this.statement(sql).run(...columns.map((name) => toCell(put[name] ?? null)));
  }

  private remove(table: SharedTable, key: SharedCells): boolean {
    const sql = `DELETE FROM ${table.name} WHERE ${equal(table.key)}`;
    return (
      this.statement(sql).run(...table.key.map((name) => toCell(key[name] ?? null))).changes > 0
    );
  }

  private count(table: SharedTable, counter: number): boolean {
    const known = this.counterOf(table);
    if (known !== null && known >= counter) return false;
    const sql =
      known === null
        ? 'INSERT INTO sqlite_sequence (seq, name) VALUES (?, ?)'
        : 'UPDATE sqlite_sequence SET seq = ? WHERE name = ?';
    this.statement(sql).run(counter, table.name);
    return true;
  }

  private statement(sql: string): StatementSync {
    const known = this.prepared.get(sql);
    if (known !== undefined) return known;
    const made = this.database.prepare(sql);
    this.prepared.set(sql, made);
    return made;
  }
}

/** What leads from some rows to others: puts in the order of the rows, then removals. */
export function differences(
  before: ReadonlyMap<string, Put>,
  after: ReadonlyMap<string, Put>,
): readonly RowChange[] {
  const changes: RowChange[] = [];
  for (const [name, row] of after) {
    const known = before.get(name);
    if (known === undefined || !isSame(sharedTable(row.table), known.put, row.put)) {
      changes.push(row);
    }
  }
  for (const [name, { table, put }] of [...before].reverse()) {
    if (!after.has(name)) changes.push({ table, remove: keyOf(sharedTable(table), put) });
  }
  return changes;
}

function keyOf({ key }: SharedTable, row: SharedCells): SharedCells {
  return Object.fromEntries(key.map((name) => [name, row[name] ?? null]));
}

function isSame({ columns }: SharedTable, one: SharedCells, other: SharedCells): boolean {
  return columns.every(
    (name) => JSON.stringify(one[name] ?? null) === JSON.stringify(other[name] ?? null),
  );
}

function equal(columns: readonly string[]): string {
  return columns.map((name) => `${name} = ?`).join(' AND ');
}

function toShared(cell: SQLOutputValue): SharedCell {
  if (cell instanceof Uint8Array) return { base64: Buffer.from(cell).toString('base64') };
  return typeof cell === 'bigint' ? Number(cell) : cell;
}

function toCell(cell: SharedCell): SQLInputValue {
  return cell !== null && typeof cell === 'object' ? Buffer.from(cell.base64, 'base64') : cell;
}
