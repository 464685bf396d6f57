import type { AsOf } from '../model/as-of.ts';
import type { FindingGraph } from '../model/finding-graph.ts';
import type { FindingPage, FindingQuery } from '../model/finding-page.ts';
import type {
  ClassificationDetail,
  JudgedClassification,
  ReviewOutcome,
  ReviewRequest,
} from '../model/fraud-review.ts';
import type { AskedAuthors, CheckWithHits, FindingsWithHits } from '../model/rule-hit-page.ts';
import type { Address, Slot } from '../model/units.ts';

export interface FraudQuery {
  readonly mint: Address;
  /** Only findings known at this slot; null for the newest slot. */
  readonly asOfSlot: Slot | null;
}

/** Fraud findings and their reviews. */
export interface FraudRepository {
  /**
   * Reported findings of a mint: highest confidence first, ties by severity. Reviews count as of
   * now.
   */
  check(query: FraudQuery): Promise<AsOf<readonly JudgedClassification[]>>;
  /**
   * The same with hits of rules of kind fraud of authors that are as confident, highest confidence
   * first.
   */
  checkWithHits(query: FraudQuery, authors: readonly string[]): Promise<AsOf<CheckWithHits>>;
  /**
   * The finding with an ID, whether or not it is reported; null if there is none or it no longer
   * exists.
   */
  find(id: string): Promise<AsOf<ClassificationDetail | null>>;
  /** Findings of all mints with their statuses as of now, whether or not they are reported. */
  list(query: FindingQuery): Promise<AsOf<FindingPage>>;
  /** The same with hits of rules of kind fraud, in one order. */
  listWithHits(query: FindingQuery, authors: AskedAuthors): Promise<AsOf<FindingsWithHits>>;
  /** What connects the wallets of a finding; null for an unknown finding. */
  graph(id: string): Promise<AsOf<FindingGraph | null>>;
  /** Stores a review if it is a valid transition from the current status. */
  review(request: ReviewRequest): Promise<ReviewOutcome>;
}
