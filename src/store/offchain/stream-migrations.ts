import type { Migration } from '../migrations/migration.ts';

/** What replicas need to share off-chain data, in migration 5. */
export const STREAM_MIGRATIONS: readonly Migration[] = [
  {
    number: 5,
    name: 'stream',
    statements: [
      // How far this store has followed the stream: at most one row.
      `CREATE TABLE stream_position (
        name TEXT PRIMARY KEY,
        log_id TEXT,
        base TEXT NOT NULL,
        seq INTEGER NOT NULL,
        claim INTEGER,
        gatherer TEXT
      ) STRICT, WITHOUT ROWID`,
      // Posts that clients sent to any replica, until the gatherer counts them.
      `CREATE TABLE received_posts (
        entry INTEGER PRIMARY KEY AUTOINCREMENT,
        news TEXT NOT NULL
      ) STRICT`,
    ],
  },
];
