import { toComparableJson } from '../../lib/bigint-json.ts';
import type { RowTable } from '../../lib/row-table.ts';
import type { Address } from '../../model/units.ts';
import type { EntryLog } from './entry-log.ts';
import type { MintLogs } from './mint-logs.ts';
import { MINT_LAYOUT } from './mint-row.ts';

const MINT = MINT_LAYOUT.fields;

/** Yields a line for the row of a mint and one for each entry of its logs, oldest first. */
export function* digestMint(
  mint: Address,
  row: number,
  mints: RowTable,
  logs: MintLogs,
): Iterable<string> {
  const isTraded = mints.number(row, MINT.isTraded);
  yield `case mint ${mint} ${isTraded} ${mints.number(row, MINT.lastMs)}`;
  yield* digestEntries('trade', logs.trades, row, mint);
  yield* digestEntries('transfer', logs.transfers, row, mint);
  yield* digestEntries('liquidity', logs.liquidity, row, mint);
  yield* digestEntries('lock', logs.locks, row, mint);
}

function* digestEntries<Entry extends object>(
  kind: string,
  log: EntryLog<Entry>,
  row: number,
  mint: Address,
): Iterable<string> {
  for (const entry of log.of(row, mint)) yield `case ${kind} ${mint} ${toComparableJson(entry)}`;
}
