import type { DatabaseSync } from 'node:sqlite';
import { type Prepared, prepareAll } from './prepare-all.ts';
import type { ReadStatement, TableRow } from './table-row.ts';

interface Count {
  readonly count: number;
}

/** A table of numbers that only grow, one under each name. */
export class NamedCounts {
  private readonly statements: Prepared<{
    readonly next: ReadStatement<Count>;
    readonly last: ReadStatement<Count>;
  }>;

  constructor(database: DatabaseSync, row: TableRow<Count & { readonly name: string }>) {
    const { table, columns } = row;
    const [name, count] = columns;
    this.statements = prepareAll(database, {
      next: row
        .only('count')
        .returning(
          `INSERT INTO ${table} (${columns}) VALUES (?, 1) ` +
            `ON CONFLICT (${name}) DO UPDATE SET ${count} = ${count} + 1`,
        ),
      last: row.only('count').select(`WHERE ${name} = ?`),
    });
  }

  /** The next number, from 1 on. */
  next(name: string): number {
    return Number(this.statements.next.get(name)?.count);
  }

  /** The last number; null before the first. */
  last(name: string): number | null {
    return this.statements.last.get(name)?.count ?? null;
  }
}
