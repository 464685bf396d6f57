/** SQL expressions that write a cell of a CSV file as text. NULL becomes an empty cell. */

/** A column of a CSV file. */
export interface CsvColumn {
  readonly name: string;
  /** An expression of type String. */
  readonly cell: string;
}

/** A value whose text needs no quotes: a number, an address, a fixed word. */
export function plainCell(value: string): string {
  return `ifNull(toString(${value}), '')`;
}

export function flagCell(value: string): string {
  return `if(${value}, 'true', 'false')`;
}

/** UTC with milliseconds, 2025-01-15T14:32:08.000Z, from Unix milliseconds. */
export function instantCell(timeMs: string): string {
  const text = `toString(fromUnixTimestamp64Milli(${timeMs}, 'UTC'))`;
  return `ifNull(concat(replaceOne(${text}, ' ', 'T'), 'Z'), '')`;
}

/**
 * An integer divided by 10^`scale`, in plain notation with `scale` fraction digits. `scale` is an
 * expression of a whole number.
 */
export function decimalCell(value: string, scale: string): string {
  return `ifNull(${decimalText(value, scale)}, '')`;
}

/** Like `decimalCell`, without trailing zeros. */
export function trimmedCell(value: string, scale: number): string {
  const text = decimalText(value, String(scale));
  return `ifNull(trim(TRAILING '.' FROM trim(TRAILING '0' FROM ${text})), '')`;
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
 * Text that anyone may have written, in quotes. Programs for tables would run a text that begins with
 * one of `=+-@`, a tab or a carriage return as a formula: an apostrophe precedes it.
 */
export function textCell(value: string): string {
  const guarded = `if(match(${value}, '^[=+@\\t\\r-]'), concat('\\'', ${value}), ${value})`;
  return `ifNull(concat('"', replaceAll(${guarded}, '"', '""'), '"'), '')`;
}

/** The line of a row, with its line feed. */
export function lineOf(columns: readonly CsvColumn[]): string {
  return `concat(${columns.map(({ cell }) => cell).join(", ',', ")}, '\\n')`;
}

/** The same cell as `textCell`, of a text in memory. */
export function writeTextCell(value: string): string {
  const guarded = /^[=+@\t\r-]/.test(value) ? `'${value}` : value;
  return `"${guarded.replaceAll('"', '""')}"`;
}
