import type { DatabaseSync } from 'node:sqlite';
import type { ClassificationState } from '../../model/fraud.ts';
import {
  CLASSIFICATION_STATUSES,
  type ClassificationStatus,
  isReviewStep,
  REVIEW_STATUSES,
  type ReviewEntry,
  type ReviewRequest,
  type ReviewStatus,
  statusOf,
} from '../../model/fraud-review.ts';
import { column, integer, nullable, oneOf, text } from '../sqlite/kind.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { inTransaction } from '../sqlite/sqlite-transaction.ts';
import { tableRow } from '../sqlite/table-row.ts';

/** Maximum entries returned for one classification. */
const PUBLISHED_ENTRIES_MAX = 100;

/** Whether a review was accepted, and the status before it. */
export interface ReviewAnswer {
  readonly isTaken: boolean;
  readonly from: ClassificationStatus;
}

export const REVIEWS = tableRow('reviews', {
  classificationId: text,
  status: oneOf(REVIEW_STATUSES),
});

export const REVIEW_ENTRIES = tableRow('review_entries', {
  entry: integer,
  classificationId: text,
  from: column('from_status', oneOf(CLASSIFICATION_STATUSES)),
  to: column('to_status', oneOf(REVIEW_STATUSES)),
  accountId: text,
  keyId: text,
  note: nullable(text),
  atMs: integer,
});

const STATEMENTS = {
  current: REVIEWS.only('status').select('WHERE classification_id = ?'),
  withStatus: REVIEWS.only('classificationId').select(
    'WHERE status = ? ORDER BY classification_id',
  ),
  newest: REVIEW_ENTRIES.without('entry', 'classificationId').select(
    'WHERE classification_id = ? ORDER BY entry DESC LIMIT ?',
  ),
  put: REVIEWS.upsert('classificationId'),
  add: REVIEW_ENTRIES.without('entry').insert(),
};

/**
 * Reviews of classifications by users, by classification id: the current status and the full
 * history. Ids are stable, so reviews survive a re-fold of the log and a classification that is
 * reverted and found again.
 */
export class ReviewTable {
  private readonly database: DatabaseSync;
  private readonly nowMs: () => number;
  private readonly statements: Prepared<typeof STATEMENTS>;

  constructor(database: DatabaseSync, nowMs: () => number = Date.now) {
    this.database = database;
    this.nowMs = nowMs;
    this.statements = prepareAll(database, STATEMENTS);
  }

  /** The status of the last review; null when there is none. */
  statusOf(classificationId: string): ReviewStatus | null {
    return this.statements.current.get(classificationId)?.status ?? null;
  }

  /** Ids of the classifications whose last review has one of the statuses. */
  idsWith(statuses: readonly ReviewStatus[]): readonly string[] {
    return statuses.flatMap((status) =>
      this.statements.withStatus.all(status).map(({ classificationId }) => classificationId),
    );
  }

  /** The newest entries up to a maximum, oldest first. */
  entriesOf(classificationId: string): readonly ReviewEntry[] {
    return this.statements.newest.all(classificationId, PUBLISHED_ENTRIES_MAX).reverse();
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
    this.statements.put.run({ classificationId: request.classificationId, status: request.to });
    this.statements.add.run({ ...request, from, atMs: this.nowMs() });
  }
}
