import type { PortionQuery } from '../../model/export.ts';
import type { QueryParams } from '../sql/sql-session.ts';
import { lineOf } from './csv-cells.ts';
import type { ExportTable } from './export-tables.ts';

/** A query with its parameters, except those of the visible layers. */
export interface PortionSql {
  readonly sql: string;
  readonly params: QueryParams;
}

/**
 * One text: a line with an array of texts in JSON (the number of rows, their lowest and highest slot,
 * and the position of the last one), then the lines of the rows. The engine writes them, and they
 * pass as bytes, since rows that JavaScript reads one by one take ten times as long.
 *
 * The engine reads the rows in the order of the key and stops after `rowsMax`. The first two columns
 * of the key select granules; the comparison of the whole key, which selects no granules, selects
 * rows. One thread keeps the order of the rows in `groupArray`.
 */
export function portionSql(table: ExportTable, query: PortionQuery, rowsMax: number): PortionSql {
  const names = table.key.map(([name]) => name);
  const position = names.map((_, index) => `toString(last.${index + 1})`);
  // Brackets around one name make no tuple.
  const last = names.length === 1 ? `tuple(max(${names[0]}))` : `max((${names.join(', ')}))`;
  const head = ['toString(rows)', 'toString(first_slot)', 'toString(last_slot)', ...position];
  return {
    sql: `SELECT concat(toJSONString([${head.join(', ')}]), '\\n', lines)
FROM (
  SELECT count() AS rows, min(slot) AS first_slot, max(slot) AS last_slot, ${last} AS last,
    arrayStringConcat(groupArray(${lineOf(table.columns)})) AS lines
  FROM (
    SELECT *
    FROM ${table.from}
    WHERE ${conditionsOf(table, query).join('\n      AND ')}
    ORDER BY ${names.join(', ')}
    LIMIT {rowsMax:UInt32}))
SETTINGS max_threads = 1, max_block_size = 8192, optimize_read_in_order = 1`,
    params: {
      rowsMax,
      ...(query.mint === null ? {} : { mint: query.mint }),
      ...(query.pool === null ? {} : { pool: query.pool }),
      from: query.fromMs,
      to: query.toMs,
      lastSlot: query.throughSlot,
      ...Object.fromEntries((query.after ?? []).map((value, index) => [`after${index}`, value])),
    },
  };
}

function conditionsOf({ conditions, timeColumn, key }: ExportTable, query: PortionQuery): string[] {
  const selected = [
    ...conditions,
    `${timeColumn} >= {from:Int64} AND ${timeColumn} < {to:Int64}`,
    'slot <= {lastSlot:UInt64}',
  ];
  if (query.after === null) return selected;
  const after = key.map(([, type], index) => `{after${index}:${type}}`);
  const names = key.map(([name]) => name);
  const [first, second] = names;
  if (second === undefined) return [...selected, `${first} > ${after[0]}`];
  return [
    ...selected,
    `(${first} > ${after[0]} OR (${first} = ${after[0]} AND ${second} >= ${after[1]}))`,
    `(${names.join(', ')}) > (${after.join(', ')})`,
  ];
}
