import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { StoreError } from '../../model/errors.ts';
import { type Fields, group, type Kind, type RecordOf } from './kind.ts';

/** The text of a statement, and how the rows that it returns are read. */
export interface ReadStatement<Row> {
  readonly sql: string;
  /** Throws StoreError for a row that this version cannot have written. */
  toRow(cells: readonly SQLOutputValue[]): Row;
}

/** The text of a statement that writes a record: its cells are the first parameters. */
export interface WriteStatement<Row> {
  readonly sql: string;
  toCells(row: Row): SQLInputValue[];
}

/**
 * The one description of a table's rows, or of some of their fields. The columns of statements and
 * the conversions of rows follow from it. `rest` is what follows in the text of the statement.
 */
export interface TableRow<Row extends object> {
  readonly table: string;
  readonly kind: Kind<Row>;
  /** In the order of the fields. */
  readonly columns: readonly string[];
  /** The columns of a table that a join knows by this name. */
  columnsOf(alias: string): readonly string[];
  /** In the order of the columns. */
  toCells(row: Row): SQLInputValue[];
  only<Name extends keyof Row>(...names: readonly Name[]): TableRow<Pick<Row, Name>>;
  without<Name extends keyof Row>(...names: readonly Name[]): TableRow<Omit<Row, Name>>;
  select(rest?: string): ReadStatement<Row>;
  /** A statement that changes rows and returns them. */
  returning(sql: string): ReadStatement<Row>;
  /** A query of another text, which returns these columns in their order. */
  query(sql: string): ReadStatement<Row>;
  insert(rest?: string): WriteStatement<Row>;
  insertOrReplace(): WriteStatement<Row>;
  /** Inserts a row, or replaces all other fields of the one with the same key. */
  upsert(...key: readonly (keyof Row)[]): WriteStatement<Row>;
  update(rest: string): WriteStatement<Row>;
}

/** The record of a description. */
export type RowOf<Table> = Table extends TableRow<infer Row> ? Row : never;

/** Describes the rows of a table by their fields, in the order of its columns. */
export function tableRow<Described extends Fields>(
  table: string,
  fields: Described,
): TableRow<RecordOf<Described>> {
  type Row = RecordOf<Described>;
  const kind = group(fields);
  const columns = kind.columnsOf(table);
  const part = (isPart: (name: PropertyKey) => boolean) =>
    tableRow(table, Object.fromEntries(Object.entries(fields).filter(([name]) => isPart(name))));
  const toRow = readerOf(table, kind);
  const toCells = (row: Row): SQLInputValue[] => {
    const cells: SQLInputValue[] = [];
    kind.write(row, cells);
    return cells;
  };
  const writing = (sql: string): WriteStatement<Row> => ({ sql, toCells });
  const into = `INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  return {
    table,
    kind,
    columns,
    columnsOf: (alias) => columns.map((name) => `${alias}.${name}`),
    toCells,
    only: (...names) => part(isIn(names)) as never,
    without: (...names) => part((name) => !isIn(names)(name)) as never,
    select: (rest = '') => ({ sql: `SELECT ${columns.join(', ')} FROM ${table} ${rest}`, toRow }),
    returning: (sql) => ({ sql: `${sql} RETURNING ${columns.join(', ')}`, toRow }),
    query: (sql) => ({ sql, toRow }),
    insert: (rest = '') => writing(`INSERT ${into} ${rest}`),
    insertOrReplace: () => writing(`INSERT OR REPLACE ${into}`),
    upsert(...key) {
      const { columns: keys } = part(isIn(key));
      const others = columns.filter((name) => !keys.includes(name));
      const set = others.map((name) => `${name} = excluded.${name}`).join(', ');
      return writing(`INSERT ${into} ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${set}`);
    },
    update: (rest) =>
      writing(`UPDATE ${table} SET ${columns.map((name) => `${name} = ?`).join(', ')} ${rest}`),
  };
}

/** A query whose rows have these fields, in the order of its columns. */
export function rowsOf<Described extends Fields>(
  fields: Described,
  sql: string,
): ReadStatement<RecordOf<Described>> {
  return { sql, toRow: readerOf('result', group(fields)) };
}

/** A query for one value. */
export function singleValue<Value>(kind: Kind<Value>, sql: string): ReadStatement<Value> {
  return { sql, toRow: readerOf('result', kind) };
}

function isIn(names: readonly PropertyKey[]): (name: PropertyKey) => boolean {
  return (name) => names.includes(name);
}

function readerOf<Row>(table: string, kind: Kind<Row>) {
  return (cells: readonly SQLOutputValue[]): Row => {
    try {
      return kind.read(cells, 0);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StoreError(`A row of ${table} cannot be read: ${reason}`, { cause: error });
    }
  };
}
