import { asPriceE18, asSlot, type PriceE18, type Slot } from '../../model/units.ts';
import { type Cell, int128Text, int256TextOrNull, saturated128Text } from './cell.ts';

/** A row by column name, as the engine returns it: 64-bit and wider integers are text. */
export type StoredRow = Readonly<Record<string, Cell>>;

/** Converts a row to the value that was written. */
export type RowReader<Value> = (row: StoredRow) => Value;

/** Appends the cells of a value, in the order of the columns' names. */
export type CellWriter<Value> = (value: Value, cells: Cell[]) => void;

/** The columns that a value is written to. */
export interface WrittenColumns<Value> {
  readonly names: readonly string[];
  /** `table` is named in errors. The writer throws StoreError for an amount that does not fit. */
  writer(table: string): CellWriter<Value>;
}

/** The columns that store a value: it is read as it was written. */
export interface Columns<Value> extends WrittenColumns<Value> {
  /** `prefix`: of the columns' names in the rows, for queries that return them under aliases. */
  reader(prefix?: string): RowReader<Value>;
}

/** How one column stores a value. */
interface ColumnKind<Value> {
  /** `place` is table and column, for errors. */
  toCell(value: Value, place: string): Cell;
  fromCell(cell: Cell): Value;
}

export interface Column<Value> extends Columns<Value>, ColumnKind<Value> {
  readonly name: string;
}

function column<Value>(name: string, { toCell, fromCell }: ColumnKind<Value>): Column<Value> {
  return {
    name,
    names: [name],
    toCell,
    fromCell,
    writer(table) {
      const place = `${table}.${name}`;
      return (value, cells) => {
        cells.push(toCell(value, place));
      };
    },
    reader(prefix = '') {
      const alias = prefix + name;
      return (row) => {
        const cell = row[alias];
        if (cell === undefined) throw new TypeError(`the row has no column ${alias}`);
        return fromCell(cell);
      };
    },
  };
}

/** Text of a given kind. It was checked before it was written, and is not checked again. */
export function text<Text extends string>(name: string): Column<Text> {
  return column(name, { toCell: (value) => value, fromCell: (cell) => String(cell) as Text });
}

/** Text in a column that is not nullable: unknown is stored as the empty text. */
export function textOrEmpty<Text extends string>(name: string): Column<Text | null> {
  return column<Text | null>(name, {
    toCell: (value) => value ?? '',
    fromCell: (cell) => (cell === '' ? null : (String(cell) as Text)),
  });
}

/** An integer up to 2^53, a decimal or a float, in a column of any width. */
export function numeric(name: string): Column<number> {
  return column(name, { toCell: (value) => value, fromCell: Number });
}

export function flag(name: string): Column<boolean> {
  return column(name, { toCell: (value) => value, fromCell: Boolean });
}

export function slot(name: string): Column<Slot> {
  return column(name, { toCell: (value) => value, fromCell: (cell) => asSlot(Number(cell)) });
}

/** Gives an integer its unit (see model/units.ts). */
type ToUnit<Amount extends bigint> = (value: bigint) => Amount;

function integer<Amount extends bigint>(
  name: string,
  toCell: (value: bigint, place: string) => Cell,
  toUnit: ToUnit<Amount>,
): Column<Amount> {
  return column<Amount>(name, { toCell, fromCell: (cell) => toUnit(BigInt(String(cell))) });
}

/** An amount in an Int128 column; one that does not fit is refused. */
export function int128<Amount extends bigint>(name: string, toUnit: ToUnit<Amount>) {
  return integer(name, int128Text, toUnit);
}

/** An amount in an Int128 column, clamped to ±2^127, which only absurd tokens exceed. */
export function saturated128<Amount extends bigint>(name: string, toUnit: ToUnit<Amount>) {
  return integer(name, saturated128Text, toUnit);
}

/** A price in an Int256 column. One that does not fit is written as NULL. */
export function price(name: string): Column<PriceE18> {
  return integer(name, int256TextOrNull, asPriceE18);
}

/** A whole record in a column of text. */
export function encoded<Stored>(
  name: string,
  encode: (stored: Stored) => string,
  decode: (encoded: string) => Stored,
): Column<Stored> {
  return column(name, {
    toCell: (stored) => encode(stored),
    fromCell: (cell) => decode(String(cell)),
  });
}

/** A nullable column: null is unknown. */
export function orNull<Value>({ name, toCell, fromCell }: Column<Value>): Column<Value | null> {
  return column<Value | null>(name, {
    toCell: (value, place) => (value === null ? null : toCell(value, place)),
    fromCell: (cell) => (cell === null ? null : fromCell(cell)),
  });
}
