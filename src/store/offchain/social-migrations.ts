import type { Migration } from '../migrations/migration.ts';

/** Posts and their figures, from migration 2 on. */
export const SOCIAL_MIGRATIONS: readonly Migration[] = [
  {
    number: 2,
    name: 'posts',
    statements: [
      // A token with its totals since tracking began and its figures for the hour before
      // `hour_at_ms`.
      `CREATE TABLE social_tokens (
        token INTEGER PRIMARY KEY,
        mint TEXT NOT NULL UNIQUE,
        tracking_since_ms INTEGER NOT NULL,
        symbol TEXT,
        is_liquid INTEGER NOT NULL,
        official_links TEXT NOT NULL,
        posts INTEGER NOT NULL DEFAULT 0,
        weight INTEGER NOT NULL DEFAULT 0,
        weighted INTEGER NOT NULL DEFAULT 0,
        sentiment INTEGER NOT NULL DEFAULT 0,
        reach INTEGER NOT NULL DEFAULT 0,
        last_updated_ms INTEGER NOT NULL,
        hour_at_ms INTEGER NOT NULL DEFAULT 0,
        hour_posts INTEGER NOT NULL DEFAULT 0,
        hour_sentiment INTEGER NOT NULL DEFAULT 0,
        hour_blast_radius INTEGER NOT NULL DEFAULT 0
      ) STRICT`,
      'CREATE INDEX social_tokens_talked ON social_tokens (hour_at_ms) WHERE hour_posts > 0',
      // A deleted post keeps its id, so that it is not accepted again, and for a day the fields
      // that identify copies of it.
      `CREATE TABLE social_posts (
        post INTEGER PRIMARY KEY,
        platform TEXT NOT NULL,
        post_id TEXT NOT NULL,
        is_deleted INTEGER NOT NULL,
        author_id TEXT NOT NULL,
        author_handle TEXT,
        followers INTEGER,
        text TEXT NOT NULL,
        url TEXT,
        reposts INTEGER NOT NULL,
        created_at_ms INTEGER NOT NULL,
        minute_ms INTEGER,
        sentiment INTEGER NOT NULL,
        quality INTEGER NOT NULL,
        weight INTEGER NOT NULL,
        place INTEGER NOT NULL,
        hash_high INTEGER,
        hash_low INTEGER,
        model_version TEXT NOT NULL,
        UNIQUE (platform, post_id)
      ) STRICT`,
      'CREATE INDEX social_posts_by_time ON social_posts (created_at_ms)',
      `CREATE INDEX social_posts_deleted ON social_posts (created_at_ms)
        WHERE is_deleted = 1 AND author_id <> ''`,
      `CREATE TABLE social_mentions (
        token INTEGER NOT NULL,
        post INTEGER NOT NULL,
        created_at_ms INTEGER NOT NULL,
        minute_ms INTEGER,
        followers INTEGER NOT NULL,
        author TEXT NOT NULL,
        PRIMARY KEY (token, post)
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX social_mentions_of_post ON social_mentions (post)',
      'CREATE INDEX social_mentions_by_minute ON social_mentions (token, minute_ms, created_at_ms)',
      'CREATE INDEX social_mentions_by_time ON social_mentions (token, created_at_ms, followers)',
      'CREATE INDEX social_mentions_by_followers ON social_mentions (token, followers, created_at_ms)',
      'CREATE INDEX social_mentions_by_author ON social_mentions (token, author, created_at_ms)',
      `CREATE TABLE social_authors (
        token INTEGER NOT NULL,
        author TEXT NOT NULL,
        followers INTEGER NOT NULL,
        latest_ms INTEGER NOT NULL,
        latest_post_id TEXT NOT NULL,
        posts INTEGER NOT NULL,
        PRIMARY KEY (token, author)
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE social_minutes (
        token INTEGER NOT NULL,
        minute_ms INTEGER NOT NULL,
        posts INTEGER NOT NULL,
        distinct_posts INTEGER NOT NULL,
        weight INTEGER NOT NULL,
        weighted INTEGER NOT NULL,
        sentiment INTEGER NOT NULL,
        reach INTEGER NOT NULL,
        quality_reach INTEGER NOT NULL,
        platforms TEXT NOT NULL,
        model_versions TEXT NOT NULL,
        PRIMARY KEY (token, minute_ms)
      ) STRICT, WITHOUT ROWID`,
      // The cursor of each collector.
      `CREATE TABLE social_cursors (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT, WITHOUT ROWID`,
      // When a platform was last polled or heard from, with or without a post.
      `CREATE TABLE social_polls (
        platform TEXT PRIMARY KEY,
        polled_at_ms INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
      // Imported posts that are not counted yet.
      `CREATE TABLE social_inbox (
        entry INTEGER PRIMARY KEY AUTOINCREMENT,
        news TEXT NOT NULL
      ) STRICT`,
    ],
  },
];
