import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** The rows of the control plane that have a sum. */
export type SummedName = 'cursor' | 'ledger' | 'parts';

/**
 * Sums over rows of the control plane (additive-sum.ts), written in the transactions that change
 * the rows. They reveal rows that were removed or changed in any other way.
 */
export class ControlSums {
  private readonly select: StatementSync;
  private readonly upsert: StatementSync;

  constructor(database: DatabaseSync) {
    this.select = database.prepare('SELECT sum FROM control_sums WHERE name = ?');
    this.upsert = database.prepare(
      'INSERT INTO control_sums VALUES (?, ?) ON CONFLICT DO UPDATE SET sum = excluded.sum',
    );
  }

  /** Null before the first write: the folder is new, or was written by a version without sums. */
  read(name: SummedName): number | null {
    const row = this.select.get(name);
    return typeof row?.sum === 'number' ? row.sum : null;
  }

  write(name: SummedName, sum: number): void {
    this.upsert.run(name, sum);
  }
}
