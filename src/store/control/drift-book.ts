import type { DatabaseSync } from 'node:sqlite';
import type { NamedValues } from '../sqlite/named-values.ts';
import { metaTexts } from './meta-texts.ts';

const NAME = 'venue_drift';

/** State of the program drift monitor between runs: one text, replaced as a whole. */
export class DriftTable {
  private readonly meta: NamedValues<string>;

  constructor(database: DatabaseSync) {
    this.meta = metaTexts(database);
  }

  /** The text as last written; null before the first write. */
  read(): string | null {
    return this.meta.read(NAME);
  }

  /** Durable when it returns or, inside a transaction, with its commit. */
  write(text: string): void {
    this.meta.write(NAME, text);
  }
}
