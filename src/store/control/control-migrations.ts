import type { Migration } from '../migrations/migration.ts';

/** The schema of the control plane. A PostgreSQL control plane would have the same tables. */
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
  {
    number: 3,
    name: 'reviews',
    statements: [
      `CREATE TABLE reviews (
        classification_id TEXT PRIMARY KEY,
        status TEXT NOT NULL
          CHECK (status IN ('reviewed', 'confirmed', 'false_positive', 'archived'))
      ) STRICT`,
      `CREATE TABLE review_entries (
        entry INTEGER PRIMARY KEY,
        classification_id TEXT NOT NULL REFERENCES reviews (classification_id),
        from_status TEXT NOT NULL,
        to_status TEXT NOT NULL,
        account_id TEXT NOT NULL,
        key_id TEXT NOT NULL,
        note TEXT CHECK (length(note) <= 1000),
        at_ms INTEGER NOT NULL
      ) STRICT`,
      'CREATE INDEX review_entries_by_classification ON review_entries (classification_id, entry)',
      `CREATE TRIGGER review_entries_stay BEFORE UPDATE ON review_entries
        BEGIN SELECT RAISE(ABORT, 'entries of reviews stay as they are'); END`,
      `CREATE TRIGGER review_entries_last BEFORE DELETE ON review_entries
        BEGIN SELECT RAISE(ABORT, 'entries of reviews are never removed'); END`,
    ],
  },
  {
    number: 4,
    name: 'triggers',
    statements: [
      // Keys are never reused, so firings of a removed trigger cannot match a newer one.
      `CREATE TABLE triggers (
        trigger_key INTEGER PRIMARY KEY AUTOINCREMENT,
        account_id TEXT NOT NULL,
        trigger_id TEXT NOT NULL,
        pool TEXT NOT NULL,
        conditions TEXT NOT NULL,
        revision INTEGER NOT NULL,
        created_at_ms INTEGER NOT NULL,
        updated_at_ms INTEGER NOT NULL,
        UNIQUE (account_id, trigger_id)
      ) STRICT`,
      `CREATE TABLE trigger_numbers (
        account_id TEXT PRIMARY KEY,
        last_number INTEGER NOT NULL
      ) STRICT`,
      `CREATE TABLE trigger_firings (
        account_id TEXT NOT NULL,
        number INTEGER NOT NULL,
        trigger_key INTEGER NOT NULL,
        revision INTEGER NOT NULL,
        trigger_id TEXT NOT NULL,
        slot INTEGER NOT NULL,
        fired_at_ms INTEGER NOT NULL,
        figures TEXT NOT NULL,
        retraction_number INTEGER,
        retracted_at_ms INTEGER,
        PRIMARY KEY (account_id, number)
      ) STRICT`,
      `CREATE INDEX trigger_retractions ON trigger_firings (account_id, retraction_number)
        WHERE retraction_number IS NOT NULL`,
      `CREATE INDEX trigger_firings_standing ON trigger_firings (slot)
        WHERE retraction_number IS NULL`,
    ],
  },
  {
    number: 5,
    name: 'webhooks',
    statements: [
      `CREATE TABLE webhooks (
        webhook_id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL,
        url TEXT NOT NULL,
        label TEXT,
        event_types TEXT NOT NULL,
        secret TEXT NOT NULL,
        previous_secret TEXT,
        previous_until_ms INTEGER,
        created_at_ms INTEGER NOT NULL,
        disabled_at_ms INTEGER,
        disabled_reason TEXT CHECK (disabled_reason IN ('gone', 'failing')),
        failing_since_ms INTEGER,
        failures_in_row INTEGER NOT NULL DEFAULT 0,
        pending INTEGER NOT NULL DEFAULT 0,
        dropped INTEGER NOT NULL DEFAULT 0
      ) STRICT`,
      'CREATE INDEX webhooks_by_account ON webhooks (account_id, created_at_ms)',
      // A webhook has one delivery for an event, however often the event is emitted.
      `CREATE TABLE webhook_deliveries (
        delivery_key INTEGER PRIMARY KEY AUTOINCREMENT,
        webhook_id TEXT NOT NULL REFERENCES webhooks (webhook_id) ON DELETE CASCADE,
        event_id TEXT NOT NULL,
        event_type TEXT NOT NULL,
        body TEXT NOT NULL,
        created_at_ms INTEGER NOT NULL,
        since_ms INTEGER NOT NULL,
        state TEXT NOT NULL
          CHECK (state IN ('pending', 'delivered', 'failed', 'cancelled', 'dropped')),
        next_attempt_ms INTEGER,
        attempts INTEGER NOT NULL DEFAULT 0,
        attempts_since INTEGER NOT NULL DEFAULT 0,
        UNIQUE (webhook_id, event_id)
      ) STRICT`,
      `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_ms)
        WHERE state = 'pending'`,
      `CREATE INDEX webhook_deliveries_by_age
        ON webhook_deliveries (webhook_id, delivery_key)`,
      `CREATE INDEX webhook_deliveries_over ON webhook_deliveries (webhook_id, delivery_key)
        WHERE state <> 'pending'`,
      `CREATE TABLE webhook_attempts (
        delivery_key INTEGER NOT NULL
          REFERENCES webhook_deliveries (delivery_key) ON DELETE CASCADE,
        attempt INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        status INTEGER,
        error TEXT,
        duration_ms INTEGER NOT NULL,
        PRIMARY KEY (delivery_key, attempt)
      ) STRICT`,
      `CREATE TRIGGER webhook_deliveries_added AFTER INSERT ON webhook_deliveries
        BEGIN UPDATE webhooks SET pending = pending + (NEW.state = 'pending')
          WHERE webhook_id = NEW.webhook_id; END`,
      `CREATE TRIGGER webhook_deliveries_moved AFTER UPDATE OF state ON webhook_deliveries
        BEGIN UPDATE webhooks
          SET pending = pending + (NEW.state = 'pending') - (OLD.state = 'pending'),
            dropped = dropped + (NEW.state = 'dropped')
          WHERE webhook_id = NEW.webhook_id; END`,
      // Events of slots that are not final yet: released once the slot is final, then removed.
      `CREATE TABLE webhook_candidates (
        candidate_key INTEGER PRIMARY KEY AUTOINCREMENT,
        slot INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('finding', 'signal')),
        name TEXT NOT NULL,
        content TEXT NOT NULL,
        UNIQUE (slot, kind, name)
      ) STRICT`,
      `CREATE TABLE webhook_findings (
        classification_id TEXT PRIMARY KEY,
        told_level INTEGER NOT NULL,
        slot INTEGER NOT NULL
      ) STRICT`,
      'CREATE INDEX webhook_findings_by_slot ON webhook_findings (slot)',
    ],
  },
  {
    number: 6,
    name: 'trigger-truths',
    statements: [
      // The slots with which a trigger became true or false: the newest ones that are still needed.
      `CREATE TABLE trigger_truths (
        trigger_key INTEGER NOT NULL REFERENCES triggers (trigger_key) ON DELETE CASCADE,
        slot INTEGER NOT NULL,
        is_true INTEGER NOT NULL,
        PRIMARY KEY (trigger_key, slot)
      ) STRICT, WITHOUT ROWID`,
    ],
  },
  {
    number: 7,
    name: 'verification',
    statements: [
      // The parts of the data plane when the cursor was last moved.
      `CREATE TABLE stored_parts (
        table_name TEXT NOT NULL,
        part_name TEXT NOT NULL,
        part_rows INTEGER NOT NULL,
        part_bytes INTEGER NOT NULL,
        hash TEXT NOT NULL,
        checked_at_ms INTEGER,
        PRIMARY KEY (table_name, part_name)
      ) STRICT, WITHOUT ROWID`,
      // Sums over the rows of control tables, written with them, to detect lost or changed rows.
      `CREATE TABLE control_sums (
        name TEXT PRIMARY KEY,
        sum INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
    ],
  },
  {
    number: 8,
    name: 'fold-layers',
    statements: [
      // The first slot of the log that changed, and the folds and layers of the visible rows.
      'ALTER TABLE cursor ADD COLUMN dirty_from INTEGER',
      'ALTER TABLE cursor ADD COLUMN layers TEXT',
    ],
  },
  {
    number: 9,
    name: 'compared-conditions',
    statements: ['ALTER TABLE trigger_firings ADD COLUMN comparisons TEXT'],
  },
  {
    number: 10,
    name: 'trigger-targets',
    statements: [
      // Until here, every trigger was on a pool.
      'ALTER TABLE triggers RENAME COLUMN pool TO target_address',
      `ALTER TABLE triggers ADD COLUMN target_kind TEXT NOT NULL DEFAULT 'pool'
        CHECK (target_kind IN ('pool', 'token'))`,
    ],
  },
  {
    number: 11,
    name: 'rules',
    statements: [
      `CREATE TABLE rules (
        account_id TEXT NOT NULL,
        name TEXT NOT NULL,
        version INTEGER NOT NULL,
        content TEXT NOT NULL,
        created_at_ms INTEGER NOT NULL,
        updated_at_ms INTEGER NOT NULL,
        PRIMARY KEY (account_id, name)
      ) STRICT, WITHOUT ROWID`,
    ],
  },
  {
    number: 12,
    name: 'backtests',
    statements: [
      `CREATE TABLE backtests (
        job_key INTEGER PRIMARY KEY,
        job_id TEXT NOT NULL UNIQUE,
        account_id TEXT NOT NULL,
        name TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
        rules TEXT NOT NULL,
        options TEXT NOT NULL,
        is_proved INTEGER NOT NULL,
        created_at_ms INTEGER NOT NULL,
        ended_at_ms INTEGER,
        reason TEXT,
        report TEXT
      ) STRICT`,
      'CREATE INDEX backtests_by_account ON backtests (account_id, job_key)',
      // Each content that an account has backtested under a name. Never removed: tries are charged.
      `CREATE TABLE backtest_tries (
        account_id TEXT NOT NULL,
        name TEXT NOT NULL,
        hash TEXT NOT NULL,
        PRIMARY KEY (account_id, name, hash)
      ) STRICT, WITHOUT ROWID`,
    ],
  },
  {
    number: 13,
    name: 'hits-as-events',
    statements: [
      'ALTER TABLE webhook_candidates RENAME TO webhook_candidates_before',
      `CREATE TABLE webhook_candidates (
        candidate_key INTEGER PRIMARY KEY AUTOINCREMENT,
        slot INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('finding', 'signal', 'hit')),
        name TEXT NOT NULL,
        content TEXT NOT NULL,
        UNIQUE (slot, kind, name)
      ) STRICT`,
      'INSERT INTO webhook_candidates SELECT * FROM webhook_candidates_before',
      'DROP TABLE webhook_candidates_before',
    ],
  },
  {
    number: 14,
    name: 'shared-marks',
    statements: [
      // What the log of several machines has of rows that a replica may also change by itself.
      `CREATE TABLE shared_marks (
        kind TEXT NOT NULL CHECK (kind IN ('key', 'webhook')),
        name TEXT NOT NULL,
        state INTEGER NOT NULL,
        PRIMARY KEY (kind, name)
      ) STRICT, WITHOUT ROWID`,
    ],
  },
];
