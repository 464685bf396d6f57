import type { Migration } from '../migrations/migration.ts';

/** The control plane's schema; PostgreSQL will have the same tables. */
export const CONTROL_MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    name: 'keys-and-cursor',
    statements: [
      `CREATE TABLE accounts (
        account_id TEXT PRIMARY KEY,
        created_at_ms INTEGER NOT NULL
      ) STRICT`,
      `CREATE TABLE api_keys (
        key_id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (account_id),
        hash BLOB NOT NULL UNIQUE,
        scopes TEXT NOT NULL,
        label TEXT NOT NULL,
        is_bootstrap INTEGER NOT NULL,
        created_at_ms INTEGER NOT NULL,
        expires_at_ms INTEGER,
        revoked_at_ms INTEGER,
        last_used_at_ms INTEGER
      ) STRICT`,
      `CREATE TABLE cursor (
        name TEXT PRIMARY KEY,
        epoch INTEGER NOT NULL,
        slot INTEGER,
        is_dirty INTEGER NOT NULL
      ) STRICT`,
      `CREATE TABLE meta (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT`,
    ],
  },
  {
    number: 2,
    name: 'slots-and-writer',
    statements: [
      `CREATE TABLE slot_ranges (
        from_slot INTEGER PRIMARY KEY,
        to_slot INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('held', 'skipped', 'missing')),
        reason TEXT,
        since_ms INTEGER,
        tries INTEGER NOT NULL,
        after_ms INTEGER,
        before_ms INTEGER
      ) STRICT`,
      "CREATE INDEX slot_ranges_missing ON slot_ranges (from_slot) WHERE state = 'missing'",
      `CREATE TABLE writer (
        name TEXT PRIMARY KEY,
        epoch INTEGER NOT NULL
      ) STRICT`,
    ],
  },
];
