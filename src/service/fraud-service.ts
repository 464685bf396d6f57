import type { FraudQuery, FraudRepository } from '../api/fraud-repository.ts';
import { DETECTORS } from '../fraud/detect/registry.ts';
import { confidencesWithout } from '../fraud/scoring/confidence-without.ts';
import type { AsOf } from '../model/as-of.ts';
import type { FindingGraph } from '../model/finding-graph.ts';
import { type FindingPage, type FindingQuery, PUBLISHED_LEVELS } from '../model/finding-page.ts';
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
import type {
  AskedAuthors,
  CheckWithHits,
  FindingsWithHits,
  HitRange,
} from '../model/rule-hit-page.ts';
import type { RuleHitListing } from '../model/rule-listing.ts';
import type { Address } from '../model/units.ts';
import type { ReviewTable } from '../store/control/reviews.ts';
import type {
  ClassificationQuery,
  MintsClassificationQuery,
} from '../store/reads/classifications.ts';
import type { Store } from '../store/store.ts';
import type { ControlWrites } from './shared/control-writes.ts';

/** Transaction and follow-up of a review. */
export interface ReviewWrites {
  readonly together: Store['together'];
  readonly onTaken: (detail: ClassificationDetail) => void;
  /** Reviews are those of several replicas, each of which follows up where they are stored. */
  readonly shared?: ControlWrites;
}

const UNFOLLOWED: ReviewWrites = { together: (work) => work(), onTaken: () => undefined };

/** Findings up to the newest slot. */
export interface FindingReads {
  /** The newest version of each finding of a mint. */
  ofMint(query: ClassificationQuery): Promise<AsOf<readonly Classification[]>>;
  /** What connects the wallets of a finding. */
  graph(id: string): Promise<AsOf<FindingGraph | null>>;
  /** Findings of all mints with their statuses. */
  page(query: FindingQuery): Promise<AsOf<FindingPage>>;
  /** Findings and hits of rules of kind fraud in one order. */
  pageWithHits(query: FindingQuery, authors: AskedAuthors): Promise<AsOf<FindingsWithHits>>;
  /** The newest version of each finding of a mint, and the hits of a range. */
  ofMintWithHits(query: ClassificationQuery, hits: HitRange): Promise<AsOf<OfMintWithHits>>;
  /** The same of several mints, in their order. */
  ofMints(query: MintsClassificationQuery): Promise<AsOf<readonly (readonly Classification[])[]>>;
  /** The newest version; null if there is none with this ID. */
  find(id: string): Promise<AsOf<Classification | null>>;
}

export interface OfMintWithHits {
  readonly classifications: readonly Classification[];
  readonly hits: readonly RuleHitListing[];
}

/** Hits in a check of a token, the most confident first. */
const CHECKED_HITS_MAX = 100;

/** Findings up to the newest slot, with their reviews. */
export class FraudService implements FraudRepository {
  private readonly findings: FindingReads;
  private readonly reviews: Pick<ReviewTable, 'statusOf' | 'entriesOf' | 'review'>;
  private readonly together: Store['together'];
  private readonly onTaken: (detail: ClassificationDetail) => void;
  private readonly shared: ControlWrites | null;

  /** `onTaken` writes the consequences of a review, within the transaction of the review. */
  constructor(
    findings: FindingReads,
    reviews: Pick<ReviewTable, 'statusOf' | 'entriesOf' | 'review'>,
    { together, onTaken, shared }: ReviewWrites = UNFOLLOWED,
  ) {
    this.findings = findings;
    this.reviews = reviews;
    this.together = together;
    this.onTaken = onTaken;
    this.shared = shared ?? null;
  }

  async check(query: FraudQuery): Promise<AsOf<readonly JudgedClassification[]>> {
    const confidenceMin = PUBLISHED_CONFIDENCE_MIN;
    const read = await this.findings.ofMint({ ...query, confidenceMin });
    return { ...read, data: this.published(read.data) };
  }

  async checkWithHits(
    { mint, asOfSlot }: FraudQuery,
    authors: readonly string[],
  ): Promise<AsOf<CheckWithHits>> {
    const read = await this.findings.ofMintWithHits(
      { mint, asOfSlot, confidenceMin: PUBLISHED_CONFIDENCE_MIN },
      {
        ...{ authors, kinds: ['fraud'], levels: PUBLISHED_LEVELS },
        ...{ fromMs: null, toMs: null, mint, wallet: null, throughSlot: asOfSlot },
        ...{ orderBy: 'confidence', orderDir: 'desc', after: null, limit: CHECKED_HITS_MAX },
      },
    );
    const { classifications, hits } = read.data;
    return { ...read, data: { findings: this.published(classifications), hits } };
  }

  async checkAll(
    mints: readonly Address[],
  ): Promise<AsOf<readonly (readonly JudgedClassification[])[]>> {
    const confidenceMin = PUBLISHED_CONFIDENCE_MIN;
    const read = await this.findings.ofMints({ mints, confidenceMin });
    return { ...read, data: read.data.map((found) => this.published(found)) };
  }

  async find(id: string): Promise<AsOf<ClassificationDetail | null>> {
    const read = await this.findings.find(id);
    return { ...read, data: read.data === null ? null : this.detailOf(read.data) };
  }

  list(query: FindingQuery): Promise<AsOf<FindingPage>> {
    return this.findings.page(query);
  }

  listWithHits(query: FindingQuery, authors: AskedAuthors): Promise<AsOf<FindingsWithHits>> {
    return this.findings.pageWithHits(query, authors);
  }

  graph(id: string): Promise<AsOf<FindingGraph | null>> {
    return this.findings.graph(id);
  }

  async review(request: ReviewRequest): Promise<ReviewOutcome> {
    const { data: classification } = await this.findings.find(request.classificationId);
    if (classification === null) return { kind: 'unknown' };
    if (this.shared !== null) return this.reviewShared(this.shared, request, classification);
    return this.together(() => {
      const { isTaken, from } = this.reviews.review(request, classification.state);
      if (!isTaken) return { kind: 'refused', from };
      const detail = this.detailOf(classification);
      this.onTaken(detail);
      return { kind: 'taken', detail };
    });
  }

  /** Follows up a review that was stored. */
  async adopt(classificationId: string): Promise<void> {
    const { data: classification } = await this.findings.find(classificationId);
    if (classification === null) return;
    this.together(() => this.onTaken(this.detailOf(classification)));
  }

  private async reviewShared(
    control: ControlWrites,
    request: ReviewRequest,
    classification: Classification,
  ): Promise<ReviewOutcome> {
    const where = { classification_id: request.classificationId };
    const rows = ['reviews', 'review_entries'].map((table) => ({ table, where }));
    const { isTaken, from } = await control.write(rows, () =>
      this.reviews.review(request, classification.state),
    );
    if (!isTaken) return { kind: 'refused', from };
    return { kind: 'taken', detail: this.detailOf(classification) };
  }

  /** The reported ones, most serious first. */
  private published(classifications: readonly Classification[]): readonly JudgedClassification[] {
    return classifications
      .map((classification) => this.judged(classification))
      .filter(isPublished)
      .sort(bySeriousness);
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
  DETECTORS.map(({ name, severity }) => [name, severity]),
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
