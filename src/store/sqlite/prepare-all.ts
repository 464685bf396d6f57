import type {
  DatabaseSync,
  SQLInputValue,
  SQLOutputValue,
  StatementResultingChanges,
  StatementSync,
} from 'node:sqlite';
import type { ReadStatement, WriteStatement } from './table-row.ts';

/** A prepared query for records. Each method throws StoreError for an unreadable row. */
export interface RowReader<Row> {
  /** The first row; null when there is none. */
  get(...parameters: readonly SQLInputValue[]): Row | null;
  all(...parameters: readonly SQLInputValue[]): Row[];
  iterate(...parameters: readonly SQLInputValue[]): Iterable<Row>;
}

/** A prepared statement that writes a record; other parameters of its text follow it. */
export interface RowWriter<Row> {
  run(row: Row, ...parameters: readonly SQLInputValue[]): StatementResultingChanges;
}

/** A statement as plain text, or of a described row. */
export type StatementText = string | ReadStatement<unknown> | WriteStatement<never>;

/** What a statement is once it is prepared. */
export type PreparedOf<Text> =
  Text extends ReadStatement<infer Row>
    ? RowReader<Row>
    : Text extends WriteStatement<infer Row>
      ? RowWriter<Row>
      : StatementSync;

/** Prepared statements by the names of their texts. */
export type Prepared<Texts> = { readonly [Name in keyof Texts]: PreparedOf<Texts[Name]> };

/** Prepares each statement once. Throws SQLite's error for an invalid text. */
export function prepareAll<Texts extends Readonly<Record<string, StatementText>>>(
  database: DatabaseSync,
  texts: Texts,
): Prepared<Texts> {
  const prepared = Object.entries(texts).map(([name, text]) => [name, prepare(database, text)]);
  return Object.fromEntries(prepared) as Prepared<Texts>;
}

function prepare(database: DatabaseSync, text: StatementText) {
  if (typeof text === 'string') return database.prepare(text);
  return 'toRow' in text ? prepareReader(database, text) : prepareWriter(database, text);
}

/** Prepares a query of its own: for an iteration during which the same query may run again. */
export function prepareReader<Row>(
  database: DatabaseSync,
  { sql, toRow }: ReadStatement<Row>,
): RowReader<Row> {
  const statement = database.prepare(sql);
  // Rows as objects take three times as long.
  statement.setReturnArrays(true);
  return {
    get(...parameters) {
      const cells: unknown = statement.get(...parameters);
      return cells === undefined ? null : toRow(cells as SQLOutputValue[]);
    },
    all: (...parameters) =>
      (statement.all(...parameters) as unknown as SQLOutputValue[][]).map(toRow),
    *iterate(...parameters) {
      const rows: Iterable<unknown> = statement.iterate(...parameters);
      for (const cells of rows) yield toRow(cells as SQLOutputValue[]);
    },
  };
}

function prepareWriter<Row>(
  database: DatabaseSync,
  { sql, toCells }: WriteStatement<Row>,
): RowWriter<Row> {
  const statement = database.prepare(sql);
  return { run: (row, ...parameters) => statement.run(...toCells(row), ...parameters) };
}
