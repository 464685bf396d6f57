import type { DatabaseSync, StatementSync } from 'node:sqlite';

const NAME = 'venue_drift';

/** Where what is watched of programs is kept between two runs: one text, replaced as a whole. */
export class DriftTable {
  private readonly select: StatementSync;
  private readonly upsert: StatementSync;

  constructor(database: DatabaseSync) {
    this.select = database.prepare('SELECT value FROM meta WHERE name = ?');
    this.upsert = database.prepare(
      'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    );
  }

  /** As last written; null before. */
  read(): string | null {
    const value = this.select.get(NAME)?.value;
    return typeof value === 'string' ? value : null;
  }

  /** Durable when it returns, or with the transaction that it is called in. */
  write(text: string): void {
    this.upsert.run(NAME, text);
  }
}
