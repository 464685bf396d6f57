import type { Migration } from '../migrations/migration.ts';

/** By what copies of posts and repeated posts of an account are found. */
export const COPY_MIGRATIONS: readonly Migration[] = [
  {
    number: 4,
    name: 'post-signatures',
    statements: [
      'ALTER TABLE social_posts DROP COLUMN hash_high',
      'ALTER TABLE social_posts DROP COLUMN hash_low',
      // Null also for posts from before, whose copies are not found on the day of the change.
      'ALTER TABLE social_posts ADD COLUMN signature BLOB',
      'ALTER TABLE social_posts ADD COLUMN account_number INTEGER NOT NULL DEFAULT 1',
      'ALTER TABLE social_posts ADD COLUMN bounded_followers INTEGER NOT NULL DEFAULT 0',
      'UPDATE social_posts SET bounded_followers = coalesce(followers, 0)',
    ],
  },
];
