import type { DatabaseSync } from 'node:sqlite';
import { column, integer, text } from '../sqlite/kind.ts';
import { NamedValues } from '../sqlite/named-values.ts';
import { tableRow } from '../sqlite/table-row.ts';

/** The rows of the control plane that have a sum. */
export type SummedName = 'cursor' | 'ledger' | 'parts';

export const CONTROL_SUMS = tableRow('control_sums', {
  name: text,
  value: column('sum', integer),
});

/**
 * Sums over rows of the control plane (additive-sum.ts), written in the transactions that change
 * the rows. They reveal rows that were removed or changed in any other way. A sum is null before
 * its first write: the folder is new, or was written by a version without sums.
 */
export type ControlSums = NamedValues<number, SummedName>;

export function controlSums(database: DatabaseSync): ControlSums {
  return new NamedValues(database, CONTROL_SUMS);
}
