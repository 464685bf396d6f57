import type { FraudQuery, FraudRepository } from '../api/deps.ts';
import { DETECTORS } from '../fraud/detect/registry.ts';
import { confidencesWithout } from '../fraud/scoring/confidence-without.ts';
import type { CurrentClassifications } from '../ingestion/current-classifications.ts';
import type { Classification, FraudType } from '../model/fraud.ts';
import {
  type ClassificationDetail,
  isPublished,
  type JudgedClassification,
  PUBLISHED_CONFIDENCE_MIN,
  type ReviewOutcome,
  type ReviewRequest,
  statusOf,
} from '../model/fraud-review.ts';
import type { ReviewTable } from '../store/control/reviews.ts';
import type { Store } from '../store/store.ts';

/** Transaction and follow-up of a review. */
export interface ReviewWrites {
  readonly together: Store['together'];
  readonly onTaken: (detail: ClassificationDetail) => void;
}

const UNFOLLOWED: ReviewWrites = { together: (work) => work(), onTaken: () => undefined };

/** Findings up to the newest slot, with their reviews. */
export class FraudService implements FraudRepository {
  private readonly classifications: Pick<CurrentClassifications, 'ofMint' | 'find'>;
  private readonly reviews: Pick<ReviewTable, 'statusOf' | 'entriesOf' | 'review'>;
  private readonly together: Store['together'];
  private readonly onTaken: (detail: ClassificationDetail) => void;

  /** `onTaken` writes the consequences of a review, within the transaction of the review. */
  constructor(
    classifications: Pick<CurrentClassifications, 'ofMint' | 'find'>,
    reviews: Pick<ReviewTable, 'statusOf' | 'entriesOf' | 'review'>,
    { together, onTaken }: ReviewWrites = UNFOLLOWED,
  ) {
    this.classifications = classifications;
    this.reviews = reviews;
    this.together = together;
    this.onTaken = onTaken;
  }

  async check(query: FraudQuery): Promise<readonly JudgedClassification[]> {
    const found = await this.classifications.ofMint({
      ...query,
      confidenceMin: PUBLISHED_CONFIDENCE_MIN,
    });
    return found
      .map((classification) => this.judged(classification))
      .filter(isPublished)
      .sort(bySeriousness);
  }

  async find(id: string): Promise<ClassificationDetail | null> {
    const classification = await this.classifications.find(id);
    return classification === null ? null : this.detailOf(classification);
  }

  async review(request: ReviewRequest): Promise<ReviewOutcome> {
    const classification = await this.classifications.find(request.classificationId);
    if (classification === null) return { kind: 'unknown' };
    return this.together(() => {
      const { isTaken, from } = this.reviews.review(request, classification.state);
      if (!isTaken) return { kind: 'refused', from };
      const detail = this.detailOf(classification);
      this.onTaken(detail);
      return { kind: 'taken', detail };
    });
  }

  private judged(classification: Classification): JudgedClassification {
    const { id, state } = classification;
    return { classification, status: statusOf(state, this.reviews.statusOf(id)) };
  }

  private detailOf(classification: Classification): ClassificationDetail {
    return {
      ...this.judged(classification),
      confidencesWithout: confidencesWithout(classification),
      reviews: this.reviews.entriesOf(classification.id),
    };
  }
}

const SEVERITIES: ReadonlyMap<FraudType, number> = new Map(
  DETECTORS.map(({ fraudType, severity }) => [fraudType, severity]),
);

/** By confidence (highest first), then severity, then ID. */
function bySeriousness(one: JudgedClassification, other: JudgedClassification): number {
  const [a, b] = [one.classification, other.classification];
  return (
    b.finding.confidence - a.finding.confidence ||
    severityOf(b) - severityOf(a) ||
    (a.id < b.id ? -1 : 1)
  );
}

function severityOf({ finding }: Classification): number {
  return SEVERITIES.get(finding.fraudType) ?? 0;
}
