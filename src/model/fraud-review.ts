import type { Classification, ClassificationState } from './fraud.ts';

/** What people may say of a classification. */
export const REVIEW_STATUSES = ['reviewed', 'confirmed', 'false_positive', 'archived'] as const;

export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** What a classification counts as, by the names the wire uses (CONTRACT §2.7). */
export const CLASSIFICATION_STATUSES = ['active', ...REVIEW_STATUSES] as const;

export type ClassificationStatus = (typeof CLASSIFICATION_STATUSES)[number];

/** One step of a review, kept for good. */
export interface ReviewEntry {
  readonly from: ClassificationStatus;
  readonly to: ReviewStatus;
  readonly accountId: string;
  readonly keyId: string;
  readonly note: string | null;
  /** By the wall clock. */
  readonly atMs: number;
}

export interface ReviewRequest extends Pick<ReviewEntry, 'to' | 'accountId' | 'keyId' | 'note'> {
  readonly classificationId: string;
}

/** A classification with what it counts as. */
export interface JudgedClassification {
  readonly classification: Classification;
  readonly status: ClassificationStatus;
}

/** Everything that is known of one classification. */
export interface ClassificationDetail extends JudgedClassification {
  /** For each of the finding's features, the confidence if it had said nothing; null where unknown. */
  readonly confidencesWithout: readonly (number | null)[];
  /** Oldest first; of very many the newest. */
  readonly reviews: readonly ReviewEntry[];
}

/** What became of a review: taken, not a step from the status it has, or of nothing that is found. */
export type ReviewOutcome =
  | { readonly kind: 'taken'; readonly detail: ClassificationDetail }
  | { readonly kind: 'refused'; readonly from: ClassificationStatus }
  | { readonly kind: 'unknown' };

/** Code points of a note. */
export const REVIEW_NOTE_LENGTH_MAX = 1_000;

/** Below this a finding is kept and not told (CONTRACT §2.7). */
export const PUBLISHED_CONFIDENCE_MIN = 0.5;

const TOLD: readonly ClassificationStatus[] = ['active', 'reviewed', 'confirmed'];

/** What people said last counts before what became of the finding by itself. */
export function statusOf(
  state: ClassificationState,
  review: ReviewStatus | null,
): ClassificationStatus {
  if (review !== null) return review;
  return state === 'archived' ? 'archived' : 'active';
}

/** Whether a review may take a classification from one status to another (CONTRACT §2.7). */
export function isReviewStep(from: ClassificationStatus, to: ReviewStatus): boolean {
  if (to === 'archived') return true;
  return to === 'reviewed' ? from === 'active' : from === 'reviewed';
}

/** Whether a fraud check tells of it. */
export function isPublished({ classification, status }: JudgedClassification): boolean {
  const { state, finding } = classification;
  return (
    state !== 'candidate' && finding.confidence >= PUBLISHED_CONFIDENCE_MIN && TOLD.includes(status)
  );
}
