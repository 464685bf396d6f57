import {
  compareFindings,
  type FindingPage,
  type FindingPosition,
  type FindingQuery,
  type FindingRange,
  findingPosition,
  matchesFilter,
} from '../model/finding-page.ts';
import type { Classification, ClassificationState } from '../model/fraud.ts';
import {
  type ClassificationStatus,
  REVIEW_STATUSES,
  type ReviewStatus,
  statusOf,
} from '../model/fraud-review.ts';
import type { StoredFindings } from '../store/reads/findings.ts';
import type { UnwrittenRows } from './unwritten-rows.ts';

/** Findings read at once in search of those without a review. */
const PORTION_MIN = 200;

/** Reviews as of now. */
export interface Reviews {
  /** The status of the last review; null without one. */
  statusOf(id: string): ReviewStatus | null;
  /** Ids of the findings whose last review has one of the statuses. */
  idsWith(statuses: readonly ReviewStatus[]): readonly string[];
}

/**
 * Lists of findings up to the newest slot: stored ones merged with unwritten changes. A status is
 * that of the last review, or follows from the state of the finding: findings with a review are
 * found by their ids, all others by their state.
 */
export class CurrentFindings {
  private readonly stored: Pick<StoredFindings, 'positions' | 'byIds'>;
  private readonly reviews: Reviews;
  private readonly unwritten: UnwrittenRows;

  constructor(
    stored: Pick<StoredFindings, 'positions' | 'byIds'>,
    reviews: Reviews,
    unwritten: UnwrittenRows,
  ) {
    this.stored = stored;
    this.reviews = reviews;
    this.unwritten = unwritten;
  }

  async page(query: FindingQuery): Promise<FindingPage> {
    const recent = this.unwritten.newestClassifications();
    const wanted = { ...query, limit: query.limit + 1 };
    const found = [
      ...this.recentPositions(recent, query),
      ...(await this.withoutReview(recent, wanted)),
      ...(await this.reviewed(recent, wanted)),
    ].sort(compareFindings(query.orderDir));
    const shown = found.slice(0, query.limit);
    const last = found.length > query.limit ? shown.at(-1) : undefined;
    return { findings: await this.judged(recent, shown), next: last ?? null };
  }

  private recentPositions(
    recent: ReadonlyMap<string, Classification>,
    query: FindingQuery,
  ): FindingPosition[] {
    const compare = compareFindings(query.orderDir);
    const { after, statuses } = query;
    return [...recent.values()]
      .filter((one) => matchesFilter(one, query) && statuses.includes(this.statusOf(one)))
      .map((one) => findingPosition(one, query.orderBy))
      .filter((position) => after === null || compare(after, position) < 0);
  }

  /** Stored findings without a review, as many as the query's limit. */
  private async withoutReview(
    recent: ReadonlyMap<string, Classification>,
    query: FindingQuery,
  ): Promise<FindingPosition[]> {
    const states = statesOf(query.statuses);
    if (states.length === 0) return [];
    const found: FindingPosition[] = [];
    const limit = Math.max(PORTION_MIN, query.limit + recent.size);
    let range: FindingRange = { ...query, limit };
    for (;;) {
      const portion = await this.stored.positions(range, { states, ids: null });
      const isFree = ({ id }: FindingPosition) =>
        !recent.has(id) && this.reviews.statusOf(id) === null;
      found.push(...portion.filter(isFree));
      const last = portion.at(-1);
      if (last === undefined || portion.length < limit || found.length >= query.limit) return found;
      range = { ...range, after: last };
    }
  }

  /** Stored findings whose review has a status of the query. */
  private async reviewed(
    recent: ReadonlyMap<string, Classification>,
    query: FindingQuery,
  ): Promise<FindingPosition[]> {
    const statuses = REVIEW_STATUSES.filter((status) => query.statuses.includes(status));
    const ids = this.reviews.idsWith(statuses).filter((id) => !recent.has(id));
    return this.stored.positions(query, { states: null, ids });
  }

  private async judged(
    recent: ReadonlyMap<string, Classification>,
    positions: readonly FindingPosition[],
  ): Promise<FindingPage['findings']> {
    const ids = positions.map(({ id }) => id);
    const stored = await this.stored.byIds(ids.filter((id) => !recent.has(id)));
    const known = new Map([...stored.map((one) => [one.id, one] as const), ...recent]);
    return ids
      .flatMap((id) => known.get(id) ?? [])
      .map((classification) => ({ classification, status: this.statusOf(classification) }));
  }

  private statusOf({ id, state }: Classification): ClassificationStatus {
    return statusOf(state, this.reviews.statusOf(id));
  }
}

/** The states of findings that have one of the statuses without a review. */
function statesOf(statuses: readonly ClassificationStatus[]): ClassificationState[] {
  return [
    ...(statuses.includes('active') ? (['candidate', 'active'] as const) : []),
    ...(statuses.includes('archived') ? (['archived'] as const) : []),
  ];
}
