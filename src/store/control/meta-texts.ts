import type { DatabaseSync } from 'node:sqlite';
import { text } from '../sqlite/kind.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { tableRow } from '../sqlite/table-row.ts';

export const META = tableRow('meta', { name: text, value: text });

const STATEMENTS = {
  read: META.only('value').select('WHERE name = ?'),
  write: META.upsert('name'),
};

/** Small facts about the control plane: one text under each name, replaced as a whole. */
export class MetaTexts {
  private readonly statements: Prepared<typeof STATEMENTS>;

  constructor(database: DatabaseSync) {
    this.statements = prepareAll(database, STATEMENTS);
  }

  /** The text as last written; null before the first write. */
  read(name: string): string | null {
    return this.statements.read.get(name)?.value ?? null;
  }

  /** Durable when it returns or, inside a transaction, with its commit. */
  write(name: string, value: string): void {
    this.statements.write.run({ name, value });
  }
}
