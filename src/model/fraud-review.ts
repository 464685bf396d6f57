import type { Classification, ClassificationState } from './fraud.ts';

/** Statuses that a review can give a classification. */
export const REVIEW_STATUSES = ['reviewed', 'confirmed', 'false_positive', 'archived'] as const;

export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** Statuses in which a finding makes nobody a bot any more (METHODS §13.1). No review ends them. */
export const REFUSING_STATUSES = [
  'false_positive',
  'archived',
] as const satisfies readonly ReviewStatus[];

export function isRefusing(status: ClassificationStatus): boolean {
  return (REFUSING_STATUSES as readonly string[]).includes(status);
}

/** Statuses of a classification, by the names the wire uses (CONTRACT §2.7). */
export const CLASSIFICATION_STATUSES = ['active', ...REVIEW_STATUSES] as const;

export type ClassificationStatus = (typeof CLASSIFICATION_STATUSES)[number];

/** One step of a review, kept permanently. */
export interface ReviewEntry {
  readonly from: ClassificationStatus;
  readonly to: ReviewStatus;
  readonly accountId: string;
  readonly keyId: string;
  readonly note: string | null;
  /** Wall-clock time. */
  readonly atMs: number;
}

export interface ReviewRequest extends Pick<ReviewEntry, 'to' | 'accountId' | 'keyId' | 'note'> {
  readonly classificationId: string;
}

/** A classification with its status. */
export interface JudgedClassification {
  readonly classification: Classification;
  readonly status: ClassificationStatus;
}

/** Everything known about one classification. */
export interface ClassificationDetail extends JudgedClassification {
  /**
   * For each of the finding's features, the confidence without its contribution; null where
   * unknown.
   */
  readonly confidencesWithout: readonly (number | null)[];
  /** Oldest first; when there are very many, only the newest. */
  readonly reviews: readonly ReviewEntry[];
}

/**
 * Result of a review request: accepted, refused because the current status does not allow the step,
 * or classification unknown.
 */
export type ReviewOutcome =
  | { readonly kind: 'taken'; readonly detail: ClassificationDetail }
  | { readonly kind: 'refused'; readonly from: ClassificationStatus }
  | { readonly kind: 'unknown' };

/** Maximum code points of a note. */
export const REVIEW_NOTE_LENGTH_MAX = 1_000;

/** Findings below this confidence are kept but not published (CONTRACT §2.7). */
export const PUBLISHED_CONFIDENCE_MIN = 0.5;

const PUBLISHED_STATUSES: readonly ClassificationStatus[] = ['active', 'reviewed', 'confirmed'];

/** The last review takes precedence over the state of the finding. */
export function statusOf(
  state: ClassificationState,
  review: ReviewStatus | null,
): ClassificationStatus {
  if (review !== null) return review;
  return state === 'archived' ? 'archived' : 'active';
}

/** Whether a review may change a classification from one status to another (CONTRACT §2.7). */
export function isReviewStep(from: ClassificationStatus, to: ReviewStatus): boolean {
  if (to === 'archived') return true;
  return to === 'reviewed' ? from === 'active' : from === 'reviewed';
}

/** The part of a judged classification that decides whether it is published. */
interface JudgedConfidence {
  readonly classification: {
    readonly state: ClassificationState;
    readonly finding: { readonly confidence: number };
  };
  readonly status: ClassificationStatus;
}

/** Whether a fraud check includes the classification. */
export function isPublished({ classification, status }: JudgedConfidence): boolean {
  const { state, finding } = classification;
  return (
    state !== 'candidate' &&
    finding.confidence >= PUBLISHED_CONFIDENCE_MIN &&
    PUBLISHED_STATUSES.includes(status)
  );
}

/** 100 × confidence, rounded half up based on its four decimals rather than on the binary value. */
export function riskScoreOf(confidence: number): number {
  return Math.round(Math.round(confidence * 10_000) / 100);
}
