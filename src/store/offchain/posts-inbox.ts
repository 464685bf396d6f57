import { DatabaseSync } from 'node:sqlite';
import type { PostEvent } from '../../model/social-post.ts';
import { column, integer, json } from '../sqlite/kind.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { type RowOf, singleValue, tableRow } from '../sqlite/table-row.ts';
import { inOffchainTransaction } from './offchain-plane.ts';

/** Maximum pending posts; further imports are refused until some are counted. */
export const INBOX_MAX = 100_000;

/** How long a client's posts wait for the write of another process. */
const BUSY_TIMEOUT_MS = 250;

/** Opens the inbox of an existing, current database, for a process that only puts posts. */
export function openInbox(path: string): { readonly inbox: PostsInbox; close(): void } {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  return { inbox: new PostsInbox(database), close: () => database.close() };
}

const FIELDS = { entry: integer, event: column('news', json<PostEvent>()) };

/** Posts that wait in this process or data folder. */
export const SOCIAL_INBOX = tableRow('social_inbox', FIELDS);
/** Posts that wait on all replicas, since clients sent them to one of them. */
export const RECEIVED_POSTS = tableRow('received_posts', FIELDS);

/** An imported event with its number. */
export type InboxEntry = RowOf<typeof SOCIAL_INBOX>;

function statementsOf(table: typeof SOCIAL_INBOX, name: string) {
  return {
    add: table.without('entry').insert(),
    waiting: singleValue(integer, `SELECT count(*) FROM ${name}`),
    oldest: table.select('ORDER BY entry LIMIT ?'),
    drop: `DELETE FROM ${name} WHERE entry <= ?`,
  };
}

const OWN = statementsOf(SOCIAL_INBOX, 'social_inbox');
const RECEIVED = statementsOf(RECEIVED_POSTS, 'received_posts');

/**
 * Posts imported by commands and clients, until the thread that counts posts takes them. They
 * survive a crash, and are removed in the transaction that counts them. Any process may put posts.
 */
export class PostsInbox {
  private readonly database: DatabaseSync;
  private readonly statements: Prepared<typeof OWN>;
  private readonly limit: number;

  constructor(database: DatabaseSync, limit: number = INBOX_MAX, statements = OWN) {
    this.database = database;
    this.limit = limit;
    this.statements = prepareAll(database, statements);
  }

  /** The posts that clients sent to any replica. */
  static received(database: DatabaseSync): PostsInbox {
    return new PostsInbox(database, INBOX_MAX, RECEIVED);
  }

  /** Adds all events, or none and returns false when the inbox is full. Throws StoreError. */
  put(events: readonly PostEvent[]): boolean {
    return inOffchainTransaction(this.database, () => {
      if (this.waiting() + events.length > this.limit) return false;
      for (const event of events) this.statements.add.run({ event });
      return true;
    });
  }

  waiting(): number {
    return this.statements.waiting.get() ?? 0;
  }

  /** The oldest entries. */
  read(limit: number): InboxEntry[] {
    return this.statements.oldest.all(limit);
  }

  /** Removes entries up to a number. */
  dropTo(entry: number): void {
    this.statements.drop.run(entry);
  }
}
