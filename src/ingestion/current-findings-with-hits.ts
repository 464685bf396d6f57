import {
  compareFindings,
  type FindingPage,
  type FindingPosition,
  type FindingQuery,
  findingPosition,
} from '../model/finding-page.ts';
import type { JudgedClassification } from '../model/fraud-review.ts';
import {
  type AskedAuthors,
  type FindingsWithHits,
  type HitPage,
  type HitRange,
  hitPosition,
} from '../model/rule-hit-page.ts';
import type { RuleHitListing } from '../model/rule-listing.ts';
import type { CurrentFindings } from './current-findings.ts';
import type { CurrentRuleHits } from './current-rule-hits.ts';

const NO_FINDINGS: FindingPage = { findings: [], next: null };
const NO_HITS: HitPage = { hits: [], next: null };

/** An entry of the list of both, in the list that it is answered in. */
type Entry =
  | { readonly position: FindingPosition; readonly finding: JudgedClassification }
  | { readonly position: FindingPosition; readonly hit: RuleHitListing };

/** Lists of findings together with hits of rules of kind fraud, up to the newest slot. */
export class CurrentFindingsWithHits {
  private readonly findings: Pick<CurrentFindings, 'page'>;
  private readonly hits: Pick<CurrentRuleHits, 'page'>;

  constructor(findings: Pick<CurrentFindings, 'page'>, hits: Pick<CurrentRuleHits, 'page'>) {
    this.findings = findings;
    this.hits = hits;
  }

  /** One page of both: together at most as many as the limit. */
  async page(query: FindingQuery, authors: AskedAuthors): Promise<FindingsWithHits> {
    const { orderBy, orderDir, limit } = query;
    const findings = authors.isBuiltIn ? await this.findings.page(query) : NO_FINDINGS;
    const range = hitRangeOf(query, authors.ofRules);
    const hits = range === null ? NO_HITS : await this.hits.page(range);
    const compare = compareFindings(orderDir);
    const entries: Entry[] = [
      ...findings.findings.map((finding) => ({
        position: findingPosition(finding.classification, orderBy),
        finding,
      })),
      ...hits.hits.map((hit) => ({ position: hitPosition(hit, orderBy), hit })),
    ].sort((one, other) => compare(one.position, other.position));
    const shown = entries.slice(0, limit);
    const hasMore = entries.length > limit || findings.next !== null || hits.next !== null;
    return {
      findings: shown.flatMap((entry) => ('finding' in entry ? entry.finding : [])),
      hits: shown.flatMap((entry) => ('hit' in entry ? entry.hit : [])),
      next: hasMore ? (shown.at(-1)?.position ?? null) : null,
    };
  }
}

/**
 * The hits that belong into a list of findings; null if none do. A hit has none of the built-in
 * patterns and is never reviewed, which makes it active.
 */
function hitRangeOf(
  { fraudTypes, statuses, ...range }: FindingQuery,
  authors: readonly string[],
): HitRange | null {
  if (authors.length === 0 || fraudTypes !== null || !statuses.includes('active')) return null;
  return { ...range, authors, kinds: ['fraud'], throughSlot: null };
}
