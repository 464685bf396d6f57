import type { Migration } from '../migrations/migration.ts';

/** Thumbnails of pictures, in migration 3. */
export const THUMBNAIL_MIGRATIONS: readonly Migration[] = [
  {
    number: 3,
    name: 'thumbnails',
    statements: [
      // By the hash of the picture's bytes. `hash` is that of the largest thumbnail.
      `CREATE TABLE thumbnails (
        content_hash TEXT PRIMARY KEY,
        hash TEXT NOT NULL,
        made_at_ms INTEGER NOT NULL,
        size_bytes INTEGER NOT NULL,
        side64 BLOB NOT NULL,
        side128 BLOB NOT NULL,
        side256 BLOB NOT NULL
      ) STRICT`,
      'CREATE INDEX thumbnails_oldest ON thumbnails (made_at_ms, size_bytes)',
      // Pictures that were gathered before have none: they are fetched once more.
      "UPDATE jobs SET due_ms = 0 WHERE kind = 'picture' AND state = 'done'",
    ],
  },
];
