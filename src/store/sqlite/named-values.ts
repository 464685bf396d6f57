import type { DatabaseSync } from 'node:sqlite';
import { type Prepared, prepareAll } from './prepare-all.ts';
import type { ReadStatement, TableRow, WriteStatement } from './table-row.ts';

interface Named<Value> {
  readonly name: string;
  readonly value: Value;
}

/** A table of values, one under each name, which are replaced as a whole. */
export class NamedValues<Value, Name extends string = string> {
  private readonly statements: Prepared<{
    readonly read: ReadStatement<Pick<Named<Value>, 'value'>>;
    readonly write: WriteStatement<Named<Value>>;
  }>;

  constructor(database: DatabaseSync, row: TableRow<Named<Value>>) {
    const read = row.only('value').select('WHERE name = ?');
    this.statements = prepareAll(database, { read, write: row.upsert('name') });
  }

  /** The value as last written; null before the first write. */
  read(name: Name): Value | null {
    return this.statements.read.get(name)?.value ?? null;
  }

  /** Durable when it returns or, inside a transaction, with its commit. */
  write(name: Name, value: Value): void {
    this.statements.write.run({ name, value });
  }
}
