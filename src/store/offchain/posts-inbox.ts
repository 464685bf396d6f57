import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { PostEvent } from '../../model/social-post.ts';
import { inOffchainTransaction } from './offchain-plane.ts';

/** Posts that may wait; who brings more has to wait until some are counted. */
export const INBOX_MAX = 100_000;

/** How long a client's posts wait for another process that writes. */
const BUSY_TIMEOUT_MS = 250;

/** The inbox in a file that is there and of this version, for somebody who only puts. */
export function openInbox(path: string): { readonly inbox: PostsInbox; close(): void } {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  return { inbox: new PostsInbox(database), close: () => database.close() };
}

/** News that somebody brought, with its number. */
export interface InboxEntry {
  readonly entry: number;
  readonly events: PostEvent;
}

/**
 * Posts that commands and clients bring, until the thread that counts posts takes them. They are
 * kept through a crash, and go in the transaction that counts them. Any process may put.
 */
export class PostsInbox {
  private readonly database: DatabaseSync;
  private readonly insert: StatementSync;
  private readonly waitingCount: StatementSync;
  private readonly oldest: StatementSync;
  private readonly drop: StatementSync;
  private readonly limit: number;

  constructor(database: DatabaseSync, limit: number = INBOX_MAX) {
    this.database = database;
    this.limit = limit;
    this.insert = database.prepare('INSERT INTO social_inbox (news) VALUES (?)');
    this.waitingCount = database.prepare('SELECT count(*) AS posts FROM social_inbox');
    this.oldest = database.prepare('SELECT entry, news FROM social_inbox ORDER BY entry LIMIT ?');
    this.drop = database.prepare('DELETE FROM social_inbox WHERE entry <= ?');
  }

  /** All of it, or nothing when there is no room. Throws StoreError when the database refuses. */
  put(events: readonly PostEvent[]): boolean {
    return inOffchainTransaction(this.database, () => {
      if (this.waiting() + events.length > this.limit) return false;
      for (const one of events) this.insert.run(JSON.stringify(one));
      return true;
    });
  }

  waiting(): number {
    return Number(this.waitingCount.get()?.posts ?? 0);
  }

  /** The ones that came first. */
  read(limit: number): InboxEntry[] {
    return this.oldest
      .all(limit)
      .map(({ entry, events }) => ({ entry: Number(entry), events: JSON.parse(String(events)) }));
  }

  /** Drops everything up to a number. */
  dropTo(entry: number): void {
    this.drop.run(entry);
  }
}
