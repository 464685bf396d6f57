import type { PortionQuery } from '../../model/export.ts';
import { modelsOfAuthors } from '../sql/signal-authors.ts';
import type { QueryParams } from '../sql/sql-session.ts';
import { lineOf, valuesOf } from './export-cells.ts';
import type { ExportTable } from './export-tables.ts';

/** Queries with their parameters, except those of the visible layers. */
export interface PortionSql {
  /**
   * A text: a line with an array of texts in JSON (the number of rows, their lowest and highest slot,
   * and the position of the last one).
   */
  readonly head: string;
  /** The same text, then the lines of the rows in CSV. */
  readonly csv: string;
  /** The rows, to be written as Parquet in one group. */
  readonly parquet: string;
  readonly params: QueryParams;
}

/** One thread keeps the order of the rows. */
const SETTINGS = ['max_threads = 1', 'max_block_size = 8192', 'optimize_read_in_order = 1'];

/** One group of rows without indexes, so that the columns of a file can be moved into another one. */
const PARQUET_SETTINGS = [
  ...SETTINGS,
  'output_format_parquet_row_group_size = 1000000',
  "output_format_parquet_compression_method = 'snappy'",
  'output_format_parquet_string_as_string = 1',
  'output_format_parquet_write_page_index = 0',
  'output_format_parquet_write_bloom_filter = 0',
  'output_format_parquet_parallel_encoding = 0',
  // Columns of the file have names of columns of the table, and other values.
  'prefer_column_name_to_alias = 1',
];

/**
 * The engine writes the rows, and they pass as bytes, since rows that JavaScript reads one by one take
 * ten times as long.
 *
 * It reads them in the order of the key and stops after `rowsMax`. The first two columns of the key
 * select granules; the comparison of the whole key, which selects no granules, selects rows.
 */
export function portionSql(table: ExportTable, query: PortionQuery, rowsMax: number): PortionSql {
  const names = table.key.map(([name]) => name);
  const position = names.map((_, index) => `toString(last.${index + 1})`);
  // Brackets around one name make no tuple.
  const last = names.length === 1 ? `tuple(max(${names[0]}))` : `max((${names.join(', ')}))`;
  const head = ['toString(rows)', 'toString(first_slot)', 'toString(last_slot)', ...position];
  const bounds = `count() AS rows, min(slot) AS first_slot, max(slot) AS last_slot, ${last} AS last`;
  const headText = `toJSONString([${head.join(', ')}]), '\\n'`;
  const rows = `(
    SELECT *
    FROM ${table.from}
    WHERE ${conditionsOf(table, query).join('\n      AND ')}
    ORDER BY ${names.join(', ')}
    LIMIT {rowsMax:UInt32})`;
  return {
    head: `SELECT concat(${headText})
FROM (SELECT ${bounds} FROM ${rows})
SETTINGS ${SETTINGS.join(', ')}`,
    csv: `SELECT concat(${headText}, lines)
FROM (
  SELECT ${bounds},
    arrayStringConcat(groupArray(${lineOf(table.columns)})) AS lines
  FROM ${rows})
SETTINGS ${SETTINGS.join(', ')}`,
    parquet: `SELECT ${valuesOf(table.columns)}
FROM ${rows}
SETTINGS ${PARQUET_SETTINGS.join(', ')}`,
    params: {
      rowsMax,
      ...(query.mint === null ? {} : { mint: query.mint }),
      ...(query.pool === null ? {} : { pool: query.pool }),
      from: query.fromMs,
      to: query.toMs,
      lastSlot: query.throughSlot,
      ...modelsOfAuthors(query.authors?.ofRules ?? []),
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
