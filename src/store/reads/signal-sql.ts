import { CONTROL_MODEL } from '../../model/signal.ts';
import { isOfAuthors } from '../sql/signal-authors.ts';
import { IS_VISIBLE } from '../sql/visible-epoch.ts';
import { outcomeListing, RETURN_COLUMNS, signalListing } from '../tables/signal-tables.ts';

/** Newest first: signals of one model, or of all built-in models except the control. */
export function pageOfSignals(isOneModel: boolean): string {
  const model = isOneModel
    ? 'model = {model:String}'
    : `model != '${CONTROL_MODEL}' AND NOT startsWith(model, 'rule:')`;
  return `
SELECT ${signalListing.names.join(', ')}
FROM signals FINAL
WHERE ${IS_VISIBLE} AND row_id < {before:UInt64}
  AND created_at_ms BETWEEN {from:Int64} AND {to:Int64} AND ${model}
ORDER BY row_id DESC
LIMIT {limit:UInt32}`;
}

/** Newest first: signals of the rules of as many authors. */
export function pageOfRuleSignals(authorCount: number): string {
  return `
SELECT record
FROM signals FINAL
WHERE ${IS_VISIBLE} AND row_id < {before:UInt64}
  AND created_at_ms BETWEEN {from:Int64} AND {to:Int64} AND ${isOfAuthors(authorCount)}
ORDER BY row_id DESC
LIMIT {limit:UInt32}`;
}

/** Outcomes of the signals between two row ids, both included. */
export const OUTCOMES_IN_RANGE = `
SELECT ${outcomeListing.names.join(', ')}
FROM signal_outcomes FINAL
WHERE ${IS_VISIBLE} AND row_id BETWEEN {from:UInt64} AND {to:UInt64}`;

/**
 * Rows written by slots after a given slot, the newest version of each row id, as one JSON text of
 * lists of texts, which can be forwarded without parsing. Without FINAL, which would also read
 * older rows.
 */
function figuresOf(table: string, columns: readonly string[], condition: string): string {
  const texts = columns.map((column) => `toString(${column})`);
  return `
SELECT toJSONString(groupArray([${texts.join(', ')}])) AS figures, max(row_id) AS last,
  count() AS count
FROM (
  SELECT row_id, ${columns.join(', ')}
  FROM ${table}
  WHERE ${IS_VISIBLE} AND row_id > {row:UInt64} ${condition}
    AND version >= {from:UInt64}
  ORDER BY row_id, version DESC
  LIMIT 1 BY row_id
  LIMIT {limit:UInt32}
)`;
}

/** In the order in which they are read (bridge/signal-columns.ts). */
export const FIGURES_OF_SIGNALS = figuresOf(
  'signals',
  ['row_id', 'created_at_ms', 'model', 'age_ms', 'market_cap_usd', 'liquidity_usd'],
  'AND row_id <= {last:UInt64}',
);

export const FIGURES_OF_OUTCOMES = figuresOf(
  'signal_outcomes',
  ['row_id', 'ath_market_cap_usd', 'roi_e9', 'drawdown_e9', ...RETURN_COLUMNS],
  '',
);
