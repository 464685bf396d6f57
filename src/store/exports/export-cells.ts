/** How the value of a row is written: two expressions of the engine. */
export interface Cell {
  /** A String; empty for NULL. */
  readonly csv: string;
  /** A value that Parquet has a type for; NULL stays NULL. */
  readonly parquet: string;
}

/** A column of an exported file. */
export interface ExportColumn {
  readonly name: string;
  readonly cell: Cell;
}

/** A whole number of at most 64 bits. */
export function numberCell(value: string): Cell {
  return { csv: plainText(value), parquet: value };
}

/** A decimal number of few digits: the nearest floating-point number is shown with the same ones. */
export function floatCell(value: string): Cell {
  return { csv: plainText(value), parquet: `toFloat64(${value})` };
}

/** A wider integer: text in Parquet too, since readers would round it. */
export function wideCell(value: string): Cell {
  return { csv: plainText(value), parquet: `toString(${value})` };
}

/** An address or a fixed word, whose text needs no quotes; an empty one is unknown. */
export function wordCell(value: string): Cell {
  return { csv: plainText(value), parquet: `nullIf(toString(${value}), '')` };
}

function plainText(value: string): string {
  return `ifNull(toString(${value}), '')`;
}

export function flagCell(value: string): Cell {
  return {
    csv: `if(${value} IS NULL, '', if(${value}, 'true', 'false'))`,
    parquet: `toBool(${value})`,
  };
}

/** UTC with milliseconds, 2025-01-15T14:32:08.000Z, from Unix milliseconds. */
export function instantCell(timeMs: string): Cell {
  const instant = `fromUnixTimestamp64Milli(${timeMs}, 'UTC')`;
  const text = `concat(replaceOne(toString(${instant}), ' ', 'T'), 'Z')`;
  return { csv: `ifNull(${text}, '')`, parquet: instant };
}

/**
 * An integer divided by 10^`scale`, in plain notation with `scale` fraction digits. `scale` is an
 * expression of a whole number.
 */
export function decimalCell(value: string, scale: string): Cell {
  return nullableText(decimalText(value, scale));
}

/** Like `decimalCell`, without trailing zeros. */
export function trimmedCell(value: string, scale: number): Cell {
  const text = decimalText(value, String(scale));
  return nullableText(`trim(TRAILING '.' FROM trim(TRAILING '0' FROM ${text}))`);
}

function nullableText(text: string): Cell {
  return { csv: `ifNull(${text}, '')`, parquet: text };
}

function decimalText(value: string, scale: string): string {
  const text = `toString(abs(${value}))`;
  // A shorter length would cut the text.
  const digits = `leftPad(${text}, greatest(length(${text}), toUInt64(${scale} + 1)), '0')`;
  const whole = `substring(${digits}, 1, length(${digits}) - ${scale})`;
  const fraction = `if(${scale} = 0, '', concat('.', right(${digits}, ${scale})))`;
  return `concat(if(${value} < 0, '-', ''), ${whole}, ${fraction})`;
}

/**
 * Text that anyone may have written, in quotes. Programs for tables would run a text of a CSV file that
 * begins with one of `=+-@`, a tab or a carriage return as a formula: an apostrophe precedes it.
 */
export function textCell(value: string): Cell {
  const guarded = `if(match(${value}, '^[=+@\\t\\r-]'), concat('\\'', ${value}), ${value})`;
  return {
    csv: `ifNull(concat('"', replaceAll(${guarded}, '"', '""'), '"'), '')`,
    parquet: value,
  };
}

/** The line of a row, with its line feed. */
export function lineOf(columns: readonly ExportColumn[]): string {
  return `concat(${columns.map(({ cell }) => cell.csv).join(", ',', ")}, '\\n')`;
}

/** The columns of a Parquet file. */
export function valuesOf(columns: readonly ExportColumn[]): string {
  return columns.map(({ name, cell }) => `${cell.parquet} AS ${name}`).join(',\n  ');
}

/** The cell of CSV that `textCell` writes, of a text in memory. */
export function writeTextCell(value: string): string {
  const guarded = /^[=+@\t\r-]/.test(value) ? `'${value}` : value;
  return `"${guarded.replaceAll('"', '""')}"`;
}
