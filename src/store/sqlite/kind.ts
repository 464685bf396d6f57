import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { parseBigintJson, toBigintJson } from '../../lib/bigint-json.ts';
import { type Address, asAddress, asSlot, type Slot } from '../../model/units.ts';

/**
 * What a field of a record is, and how a row stores it: in one column, or in several adjacent
 * ones. Writing and reading are a pair: what was written is read back equal.
 */
export interface Kind<Value> {
  readonly form: Form;
  /** The columns of a field with this name. */
  columnsOf(field: string): readonly string[];
  /** Appends the cells of a value. */
  write(value: Value, cells: SQLInputValue[]): void;
  /** Reads the cells from `at` on. Throws TypeError or SyntaxError for others than `write` makes. */
  read(cells: readonly SQLOutputValue[], at: number): Value;
}

/** The structure of a kind, from which tests generate its values. */
export type Form =
  | 'text'
  | 'integer'
  | 'flag'
  | 'bytes'
  | 'address'
  | 'slot'
  | 'json'
  | 'bigint json'
  | 'words'
  | { readonly oneOf: readonly string[] }
  | { readonly nullable: Form }
  | { readonly group: Readonly<Record<string, Form>> };

/** The kinds of a record's fields, by the names of the fields. */
export type Fields = Readonly<Record<string, Kind<unknown>>>;

/** The record whose fields have these kinds. */
export type RecordOf<Described> = {
  readonly [Name in keyof Described]: Described[Name] extends Kind<infer Value> ? Value : never;
};

export const text: Kind<string> = inOneCell('text', asText);

/** A whole number below 2^53: a count, a key, or a time in milliseconds. */
export const integer: Kind<number> = inOneCell('integer', asInteger);

/** Stored as 1 or 0. */
export const flag: Kind<boolean> = inOneCell(
  'flag',
  (cell) => {
    if (cell !== 0 && cell !== 1) throw unexpected(cell, 'a flag');
    return cell === 1;
  },
  (isSet) => (isSet ? 1 : 0),
);

export const bytes: Kind<Uint8Array> = inOneCell('bytes', (cell) => {
  if (!(cell instanceof Uint8Array)) throw unexpected(cell, 'bytes');
  return cell;
});

export const address: Kind<Address> = inOneCell('address', (cell) => asAddress(asText(cell)));

export const slot: Kind<Slot> = inOneCell('slot', (cell) => asSlot(asInteger(cell)));

/** One of a few texts. */
export function oneOf<const Word extends string>(words: readonly Word[]): Kind<Word> {
  return inOneCell({ oneOf: words }, (cell) => {
    const known = words.find((word) => word === cell);
    if (known === undefined) throw unexpected(cell, `one of ${words.join(', ')}`);
    return known;
  });
}

/** Words without the separator and none of them empty, stored as one text. */
export function words<Word extends string>(separator: string): Kind<readonly Word[]> {
  return inOneCell(
    'words',
    (cell) => wordsOf(asText(cell), separator) as Word[],
    (value) => value.join(separator),
  );
}

/** The words of a text in which they were joined. */
export function wordsOf(joined: string, separator: string): string[] {
  return joined === '' ? [] : joined.split(separator);
}

/** A value that JSON can express, as text. Only its syntax is checked when it is read. */
export function json<Value>(): Kind<Value> {
  return inOneCell('json', (cell) => JSON.parse(asText(cell)), JSON.stringify);
}

/** The same for a value with bigints. */
export function bigintJson<Value>(): Kind<Value> {
  return inOneCell('bigint json', (cell) => parseBigintJson(asText(cell)) as Value, toBigintJson);
}

/** NULL in all its columns while there is no value. The value itself must not be NULL in all. */
export function nullable<Value>(kind: Kind<Value>): Kind<Value | null> {
  const width = kind.columnsOf('').length;
  const isNull = (cells: readonly SQLOutputValue[], at: number): boolean => {
    for (let column = 0; column < width; column++) if (cells[at + column] !== null) return false;
    return true;
  };
  return {
    form: { nullable: kind.form },
    columnsOf: kind.columnsOf,
    write(value, cells) {
      if (value !== null) kind.write(value, cells);
      else for (const _ of kind.columnsOf('')) cells.push(null);
    },
    read: (cells, at) => (isNull(cells, at) ? null : kind.read(cells, at)),
  };
}

/** Reads a damaged cell as `fallback`: for rows whose damage is found by a sum, and repaired. */
export function orElse<Value>(kind: Kind<Value>, fallback: Value): Kind<Value> {
  return {
    ...kind,
    read(cells, at) {
      try {
        return kind.read(cells, at);
      } catch (error) {
        if (error instanceof TypeError || error instanceof SyntaxError) return fallback;
        throw error;
      }
    },
  };
}

/** A kind in a column whose name does not follow from the name of the field. */
export function column<Value>(name: string, kind: Kind<Value>): Kind<Value> {
  return { ...kind, columnsOf: () => [name] };
}

/** A record in columns of its own. */
export function group<Described extends Fields>(fields: Described): Kind<RecordOf<Described>> {
  const columns: string[] = [];
  const members = Object.entries(fields).map(([name, kind]) => {
    const at = columns.length;
    columns.push(...kind.columnsOf(name));
    return { name, kind, at };
  });
  return {
    form: { group: Object.fromEntries(members.map(({ name, kind }) => [name, kind.form])) },
    columnsOf: () => columns,
    write(value, cells) {
      for (const { name, kind } of members) kind.write(value[name], cells);
    },
    read(cells, from) {
      const value: Record<string, unknown> = {};
      for (const { name, kind, at } of members) value[name] = kind.read(cells, from + at);
      return value as RecordOf<Described>;
    },
  };
}

function inOneCell<Value>(
  form: Form,
  read: (cell: SQLOutputValue | undefined) => Value,
  write: (value: Value) => SQLInputValue = (value) => value as SQLInputValue,
): Kind<Value> {
  return {
    form,
    columnsOf: (field) => [field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)],
    write: (value, cells) => void cells.push(write(value)),
    read: (cells, at) => read(cells[at]),
  };
}

function asText(cell: unknown): string {
  if (typeof cell !== 'string') throw unexpected(cell, 'text');
  return cell;
}

function asInteger(cell: unknown): number {
  if (!Number.isSafeInteger(cell)) throw unexpected(cell, 'an integer');
  return cell as number;
}

function unexpected(cell: unknown, wanted: string): TypeError {
  return new TypeError(`${JSON.stringify(String(cell).slice(0, 100))} is not ${wanted}`);
}
