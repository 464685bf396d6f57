import type { Cell } from './cell.ts';
import type {
  CellWriter,
  Column,
  Columns,
  RowReader,
  StoredRow,
  WrittenColumns,
} from './columns.ts';

/**
 * A table of the data plane and the records that are its rows. `Read` is what can be read back: the
 * whole record, unless the table stores only a part of it.
 *
 * Columns and their types are in the migrations; a test compares the names.
 */
export interface Table<Stored, Read = unknown> {
  readonly name: string;
  /** Two records with the same key are the same row within an epoch. */
  readonly key: (stored: Stored) => string;
  /** The names of the columns, except `epoch` and `version`. */
  readonly columns: readonly string[];
  /** Appends the cells of a record, in the order of the columns. Throws StoreError. */
  readonly write: CellWriter<Stored>;
  /** Converts a row with all columns. */
  readonly read: RowReader<Read>;
}

export function describeTable<Stored extends Read, Read>({
  name,
  key,
  columns,
}: Pick<Table<Stored>, 'name' | 'key'> & {
  readonly columns: Columns<Read>;
}): Table<Stored, Read> {
  return {
    name,
    key,
    columns: columns.names,
    write: columns.writer(name),
    read: columns.reader(),
  };
}

/** A record whose fields are stored in columns of their own; optional fields may be left out. */
export function columnsOfRecord<Stored extends object>(
  described: {
    readonly [Name in keyof Stored]: Columns<Stored[Name]>;
  },
): Columns<Stored> {
  const entries = Object.entries(described) as [string, Columns<unknown>][];
  return {
    names: entries.flatMap(([, columns]) => columns.names),
    writer(table) {
      const writers = entries.map(([name, columns]) => ({ name, write: columns.writer(table) }));
      return (stored, cells) => {
        for (const { name, write } of writers) write(stored[name as keyof Stored], cells);
      };
    },
    reader(prefix) {
      const readers = entries.map(([name, columns]) => ({ name, read: columns.reader(prefix) }));
      // Cloned for each row, because an object that grows field by field takes longer.
      const unread = Object.fromEntries(readers.map(({ name }) => [name, null as unknown]));
      return (row) => {
        const stored = { ...unread };
        for (const { name, read } of readers) stored[name] = read(row);
        return stored as Stored;
      };
    },
  };
}

/** A field that no column stores: it is read as a fixed value. */
export function unstored<Value>(value: Value): WrittenColumns<unknown> & Columns<Value> {
  return { names: [], writer: () => () => undefined, reader: () => () => value };
}

/** Columns that are NULL together: for null, and for a value that cannot be stored. */
export function allOrNone<Value>(
  columns: Columns<Value>,
  canStore: (value: Value) => boolean,
): Columns<Value | null> {
  const nulls: readonly Cell[] = columns.names.map(() => null);
  return {
    names: columns.names,
    writer(table) {
      const write = columns.writer(table);
      return (value, cells) => {
        if (value === null || !canStore(value)) cells.push(...nulls);
        else write(value, cells);
      };
    },
    reader(prefix = '') {
      const read = columns.reader(prefix);
      const aliases = columns.names.map((name) => prefix + name);
      return (row: StoredRow) => (aliases.some((alias) => row[alias] === null) ? null : read(row));
    },
  };
}

/**
 * A record that one column stores whole, and copies of some of its fields in columns of their own,
 * for queries. It is read from the one column.
 */
export function wholeWithCopies<Stored>(
  whole: Column<Stored>,
  ...copies: readonly WrittenColumns<Stored>[]
): Columns<Stored> {
  const written = [...copies, whole];
  return {
    names: written.flatMap(({ names }) => names),
    writer(table) {
      const writers = written.map((columns) => columns.writer(table));
      return (stored, cells) => {
        for (const write of writers) write(stored, cells);
      };
    },
    reader: (prefix) => whole.reader(prefix),
  };
}

/** A column whose value is computed from a record. */
export function computed<Stored, Value>(
  column: Column<Value>,
  compute: (stored: Stored) => Value,
): WrittenColumns<Stored> {
  return {
    names: column.names,
    writer(table) {
      const write = column.writer(table);
      return (stored, cells) => write(compute(stored), cells);
    },
  };
}
