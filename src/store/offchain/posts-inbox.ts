import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { PostEvent } from '../../model/social-post.ts';
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

/** An imported event with its number. */
export interface InboxEntry {
  readonly entry: number;
  readonly event: PostEvent;
}

/**
 * Posts imported by commands and clients, until the thread that counts posts takes them. They
 * survive a crash, and are removed in the transaction that counts them. Any process may put posts.
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

  /** Adds all events, or none and returns false when the inbox is full. Throws StoreError. */
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

  /** The oldest entries. */
  read(limit: number): InboxEntry[] {
    return this.oldest
      .all(limit)
      .map(({ entry, news }) => ({ entry: Number(entry), event: JSON.parse(String(news)) }));
  }

  /** Removes entries up to a number. */
  dropTo(entry: number): void {
    this.drop.run(entry);
  }
}
