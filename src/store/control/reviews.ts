import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ClassificationState } from '../../model/fraud.ts';
import {
  type ClassificationStatus,
  isReviewStep,
  type ReviewEntry,
  type ReviewRequest,
  type ReviewStatus,
  statusOf,
} from '../../model/fraud-review.ts';
import { inTransaction } from '../sqlite/sqlite-transaction.ts';

/** Maximum entries returned for one classification. */
const PUBLISHED_ENTRIES_MAX = 100;

/** Whether a review was accepted, and the status before it. */
export interface ReviewAnswer {
  readonly isTaken: boolean;
  readonly from: ClassificationStatus;
}

interface EntryRow {
  readonly from_status: ClassificationStatus;
  readonly to_status: ReviewStatus;
  readonly account_id: string;
  readonly key_id: string;
  readonly note: string | null;
  readonly at_ms: number;
}

/**
 * Reviews of classifications by users, by classification id: the current status and the full
 * history. Ids are stable, so reviews survive a re-fold of the log and a classification that is
 * reverted and found again.
 */
export class ReviewTable {
  private readonly database: DatabaseSync;
  private readonly nowMs: () => number;
  private readonly current: StatementSync;
  private readonly newest: StatementSync;
  private readonly put: StatementSync;
  private readonly add: StatementSync;

  constructor(database: DatabaseSync, nowMs: () => number = Date.now) {
    this.database = database;
    this.nowMs = nowMs;
    this.current = database.prepare('SELECT status FROM reviews WHERE classification_id = ?');
    this.newest = database.prepare(
      'SELECT * FROM review_entries WHERE classification_id = ? ORDER BY entry DESC LIMIT ?',
    );
    this.put = database.prepare(
      'INSERT INTO reviews VALUES (?, ?) ' +
        'ON CONFLICT (classification_id) DO UPDATE SET status = excluded.status',
    );
    this.add = database.prepare(
      'INSERT INTO review_entries (classification_id, from_status, to_status, account_id, key_id, ' +
        'note, at_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
  }

  /** The status of the last review; null when there is none. */
  statusOf(classificationId: string): ReviewStatus | null {
    const row = this.current.get(classificationId);
    return row === undefined ? null : (row.status as ReviewStatus);
  }

  /** The newest entries up to a maximum, oldest first. */
  entriesOf(classificationId: string): readonly ReviewEntry[] {
    const rows = this.newest.all(classificationId, PUBLISHED_ENTRIES_MAX) as unknown as EntryRow[];
    return rows.map(toEntry).reverse();
  }

  /** Accepts a review whose step is allowed from the current status; `state` enters into that. */
  review(request: ReviewRequest, state: ClassificationState): ReviewAnswer {
    return inTransaction(this.database, () => {
      const from = statusOf(state, this.statusOf(request.classificationId));
      const isTaken = isReviewStep(from, request.to);
      if (isTaken) this.write(request, from);
      return { isTaken, from };
    });
  }

  private write(request: ReviewRequest, from: ClassificationStatus): void {
    const { classificationId, to, accountId, keyId, note } = request;
    this.put.run(classificationId, to);
    this.add.run(classificationId, from, to, accountId, keyId, note, this.nowMs());
  }
}

function toEntry(row: EntryRow): ReviewEntry {
  return {
    from: row.from_status,
    to: row.to_status,
    accountId: row.account_id,
    keyId: row.key_id,
    note: row.note,
    atMs: row.at_ms,
  };
}
