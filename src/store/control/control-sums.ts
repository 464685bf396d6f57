import type { DatabaseSync } from 'node:sqlite';
import { integer, text } from '../sqlite/kind.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { tableRow } from '../sqlite/table-row.ts';

/** The rows of the control plane that have a sum. */
export type SummedName = 'cursor' | 'ledger' | 'parts';

export const CONTROL_SUMS = tableRow('control_sums', { name: text, sum: integer });

const STATEMENTS = {
  read: CONTROL_SUMS.only('sum').select('WHERE name = ?'),
  write: CONTROL_SUMS.upsert('name'),
};

/**
 * Sums over rows of the control plane (additive-sum.ts), written in the transactions that change
 * the rows. They reveal rows that were removed or changed in any other way.
 */
export class ControlSums {
  private readonly statements: Prepared<typeof STATEMENTS>;

  constructor(database: DatabaseSync) {
    this.statements = prepareAll(database, STATEMENTS);
  }

  /** Null before the first write: the folder is new, or was written by a version without sums. */
  read(name: SummedName): number | null {
    return this.statements.read.get(name)?.sum ?? null;
  }

  write(name: SummedName, sum: number): void {
    this.statements.write.run({ name, sum });
  }
}
