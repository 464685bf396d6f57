import type { DatabaseSync, StatementSync } from 'node:sqlite';

const NAME = 'venue_drift';

/** State of the program drift monitor between runs: one text, replaced as a whole. */
export class DriftTable {
  private readonly select: StatementSync;
  private readonly upsert: StatementSync;

  constructor(database: DatabaseSync) {
    this.select = database.prepare('SELECT value FROM meta WHERE name = ?');
    this.upsert = database.prepare(
      'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    );
  }

  /** The text as last written; null before the first write. */
  read(): string | null {
    const value = this.select.get(NAME)?.value;
    return typeof value === 'string' ? value : null;
  }

  /** Durable when it returns or, inside a transaction, with its commit. */
  write(text: string): void {
    this.upsert.run(NAME, text);
  }
}
