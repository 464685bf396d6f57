import { StoreError } from '../model/errors.ts';

/** A value as it goes into a column; null is SQL NULL. */
export type Cell = string | number | bigint | boolean | null;

/** Rows in ClickHouse's TabSeparated format. */
export function encodeTsv(rows: Iterable<readonly Cell[]>): Buffer {
  const lines: string[] = [];
  for (const row of rows) {
    let line = '';
    for (let index = 0; index < row.length; index++) {
      if (index > 0) line += '\t';
      line += encodeCell(row[index] as Cell);
    }
    lines.push(line);
  }
  lines.push('');
  return Buffer.from(lines.join('\n'));
}

/** Text with the characters escaped that TabSeparated and query parameters give a meaning to. */
export function escapeTsv(text: string): string {
  return SPECIAL.test(text) ? text.replace(SPECIALS, (character) => ESCAPES[character] ?? '') : text;
}

function encodeCell(cell: Cell): string {
  if (typeof cell === 'string') return escapeTsv(cell);
  return cell === null ? '\\N' : String(cell);
}

const SPECIAL = /[\\\t\n\r\0\x08\f]/;
const SPECIALS = new RegExp(SPECIAL, 'g');
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
};

/**
 * An amount for an Int128 column. ClickHouse wraps silently what does not fit, so an amount beyond
 * ±2^127 stops the write: sums of 64-bit chain amounts cannot get there.
 */
export function int128(value: bigint, column: string): bigint {
  if (BigInt.asIntN(128, value) !== value) {
    throw new StoreError(`${value} does not fit the column ${column}.`);
  }
  return value;
}

/**
 * A price for a nullable Int256 column; beyond ±2^255 it is stored as unknown. Only tokens with
 * absurd decimals get there, and they must not be able to stop the service.
 */
export function int256OrNull(value: bigint | null): bigint | null {
  return value === null || BigInt.asIntN(256, value) !== value ? null : value;
}
