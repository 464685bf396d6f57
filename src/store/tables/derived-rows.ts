import { hasTrader, type SlotChanges } from '../../model/derived.ts';
import type { Table } from '../sql/table.ts';
import { bundleTable } from './bundle-table.ts';
import { candleTable } from './candle-table.ts';
import {
  classificationTable,
  classificationWalletTable,
  involvedWalletRows,
  newestClassificationTable,
} from './classification-tables.ts';
import { indicatorMinuteTable, newestIndicatorTable } from './indicator-tables.ts';
import { ruleHitTable } from './rule-hit-table.ts';
import { signalOutcomeTable, signalTable } from './signal-tables.ts';
import { balanceTable, poolTable, solPriceTable, tokenTable } from './state-tables.ts';
import { swapByTokenTable, swapByWalletTable, swapTable } from './swap-tables.ts';

/** A table of rows that a fold produces, and which of a slot's changes are its rows. */
export interface DerivedRows {
  readonly table: Table<unknown>;
  readonly storedOf: (change: SlotChanges) => readonly unknown[];
}

/** Checks that a table stores the given changes; a list of different tables cannot express it. */
function derived<Stored>(
  table: Table<Stored>,
  storedOf: (change: SlotChanges) => readonly Stored[],
): DerivedRows {
  return { table: table as Table<unknown>, storedOf };
}

/** In the order in which they are written. */
export const DERIVED_ROWS: readonly DerivedRows[] = [
  derived(swapTable, ({ swaps }) => swaps),
  derived(swapByTokenTable, ({ swaps }) => swaps),
  derived(swapByWalletTable, ({ swaps }) => swaps.filter(hasTrader)),
  derived(candleTable, ({ candles }) => candles),
  derived(tokenTable, ({ tokens }) => tokens),
  derived(poolTable, ({ pools }) => pools),
  derived(balanceTable, ({ balances }) => balances),
  derived(bundleTable, ({ bundles }) => bundles),
  derived(solPriceTable, ({ solPrices }) => solPrices),
  derived(indicatorMinuteTable, ({ indicators }) => indicators),
  derived(newestIndicatorTable, ({ indicators }) => indicators),
  derived(classificationTable, ({ classifications }) => classifications),
  derived(newestClassificationTable, ({ classifications }) => classifications),
  derived(classificationWalletTable, ({ classifications }) =>
    classifications.flatMap(involvedWalletRows),
  ),
  // Outcomes first: a reader that finds a signal also finds its outcome.
  derived(signalOutcomeTable, ({ outcomes }) => outcomes),
  derived(signalTable, ({ signals }) => signals),
  derived(ruleHitTable, ({ ruleHits }) => ruleHits),
];
