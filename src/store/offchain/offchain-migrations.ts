import type { Migration } from '../migrations/migration.ts';
import { COPY_MIGRATIONS } from './copy-migrations.ts';
import { SOCIAL_MIGRATIONS } from './social-migrations.ts';
import { STREAM_MIGRATIONS } from './stream-migrations.ts';
import { THUMBNAIL_MIGRATIONS } from './thumbnail-migrations.ts';

/** The schema of off-chain data. */
export const OFFCHAIN_MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    name: 'jobs-and-token-facts',
    statements: [
      // `due_ms`: when a waiting job is retried, a done one repeated, or a running lease ends.
      `CREATE TABLE jobs (
        kind TEXT NOT NULL CHECK (kind IN ('metadata', 'picture', 'link')),
        key TEXT NOT NULL,
        url TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('pending', 'waiting', 'running', 'done', 'dead')),
        rank INTEGER NOT NULL,
        since_ms INTEGER NOT NULL,
        due_ms INTEGER,
        attempts INTEGER NOT NULL,
        reads INTEGER NOT NULL,
        fault TEXT,
        PRIMARY KEY (kind, key)
      ) STRICT, WITHOUT ROWID`,
      "CREATE INDEX jobs_newest ON jobs (kind, rank) WHERE state = 'pending'",
      "CREATE INDEX jobs_oldest ON jobs (kind, since_ms) WHERE state = 'pending'",
      "CREATE INDEX jobs_unfinished ON jobs (rank) WHERE state IN ('pending', 'waiting')",
      "CREATE INDEX jobs_settled ON jobs (rank) WHERE state IN ('done', 'dead')",
      'CREATE INDEX jobs_due ON jobs (due_ms) WHERE due_ms IS NOT NULL',
      // The row repeats the newest document and picture of the token, so that clones are found by
      // them, newest first.
      `CREATE TABLE tokens (
        mint TEXT PRIMARY KEY,
        created_slot INTEGER NOT NULL,
        created_at_ms INTEGER,
        name TEXT,
        symbol TEXT,
        uri TEXT,
        document_key TEXT,
        content_hash TEXT,
        picture_key TEXT,
        hash64 TEXT
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX tokens_by_document ON tokens (document_key, created_slot, mint)',
      'CREATE INDEX tokens_by_content ON tokens (content_hash, created_slot, mint)',
      'CREATE INDEX tokens_by_hash ON tokens (hash64, created_slot, mint)',
      'CREATE INDEX tokens_by_picture ON tokens (picture_key)',
      `CREATE TABLE uris (
        mint TEXT NOT NULL,
        seen_at_ms INTEGER NOT NULL,
        uri TEXT,
        PRIMARY KEY (mint, seen_at_ms)
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE documents (
        key TEXT NOT NULL,
        seen_at_ms INTEGER NOT NULL,
        content_hash TEXT NOT NULL,
        fault TEXT,
        name TEXT,
        symbol TEXT,
        description TEXT,
        image TEXT,
        links TEXT NOT NULL,
        picture_key TEXT,
        PRIMARY KEY (key, seen_at_ms)
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE pictures (
        key TEXT NOT NULL,
        seen_at_ms INTEGER NOT NULL,
        content_hash TEXT NOT NULL,
        PRIMARY KEY (key, seen_at_ms)
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE picture_contents (
        content_hash TEXT PRIMARY KEY,
        hash64 TEXT,
        hash32 TEXT,
        fault TEXT,
        hashed_at_ms INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE hashes (
        hash64 TEXT PRIMARY KEY,
        part0 INTEGER NOT NULL,
        part1 INTEGER NOT NULL,
        part2 INTEGER NOT NULL,
        part3 INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX hashes_part0 ON hashes (part0)',
      'CREATE INDEX hashes_part1 ON hashes (part1)',
      'CREATE INDEX hashes_part2 ON hashes (part2)',
      'CREATE INDEX hashes_part3 ON hashes (part3)',
      `CREATE TABLE links (
        key TEXT PRIMARY KEY,
        status_code INTEGER,
        fault TEXT,
        redirects INTEGER,
        checked_at_ms INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE tracked (
        mint TEXT PRIMARY KEY,
        tracking_since_ms INTEGER NOT NULL,
        symbol TEXT,
        is_liquid INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE reached (
        name TEXT PRIMARY KEY,
        epoch INTEGER NOT NULL,
        slot INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
    ],
  },
  ...SOCIAL_MIGRATIONS,
  ...THUMBNAIL_MIGRATIONS,
  ...COPY_MIGRATIONS,
  ...STREAM_MIGRATIONS,
];
