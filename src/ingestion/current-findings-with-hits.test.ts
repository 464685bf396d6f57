import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  arbitraryQuery,
  arbitraryVersions,
  isInRange,
  newestVersions,
} from '../../tests/support/build-findings.ts';
import { buildChanges } from '../../tests/support/build-records.ts';
import { arbitraryHits, hitKey, isAskedHit } from '../../tests/support/build-rule-hits.ts';
import {
  compareFindings,
  type FindingPosition,
  type FindingQuery,
  findingPosition,
} from '../model/finding-page.ts';
import type { Classification } from '../model/fraud.ts';
import type { ClassificationStatus } from '../model/fraud-review.ts';
import type { RuleHit } from '../model/rule-hit.ts';
import type { AskedAuthors, HitRange } from '../model/rule-hit-page.ts';
import { CurrentFindingsWithHits } from './current-findings-with-hits.ts';
import { CurrentRuleHits } from './current-rule-hits.ts';
import { UnwrittenRows } from './unwritten-rows.ts';

/** Findings without reviews, paged as CurrentFindings does. */
function findingsOf(all: readonly Classification[]) {
  return {
    async page(query: FindingQuery) {
      const compare = compareFindings(query.orderDir);
      const found = all
        .filter((one) => isInRange(one, query) && query.statuses.includes(statusOf(one)))
        .map((one) => ({ one, position: findingPosition(one, query.orderBy) }))
        .filter(({ position }) => query.after === null || compare(query.after, position) < 0)
        .sort((one, other) => compare(one.position, other.position));
      const shown = found.slice(0, query.limit);
      return {
        findings: shown.map(({ one }) => ({ classification: one, status: statusOf(one) })),
        next: found.length > query.limit ? (shown.at(-1)?.position ?? null) : null,
      };
    },
  };
}

const statusOf = ({ state }: Classification): ClassificationStatus =>
  state === 'archived' ? 'archived' : 'active';

/** Hits as the database has them. */
function storedHits(written: readonly RuleHit[]) {
  return {
    page: async () => [],
    counts: async () => new Map(),
    outcomes: async () => new Map(),
    async range(range: HitRange) {
      const compare = compareFindings(range.orderDir);
      const { authors, kinds, levels, orderBy, after } = range;
      return written
        .filter(({ author, kind }) => authors.includes(author) && (kinds?.includes(kind) ?? true))
        .filter((hit) => levels === null || isAskedHit(hit, { ...range, levels }))
        .filter((hit) => after === null || compare(after, hitKey(hit, orderBy)) < 0)
        .sort((one, other) => compare(hitKey(one, orderBy), hitKey(other, orderBy)))
        .slice(0, range.limit);
    },
  };
}

/** The hits that the query is about, by the rules of the contract. */
function wantedHits(hits: readonly RuleHit[], query: Omit<FindingQuery, 'after'>, own: string[]) {
  if (query.fraudTypes !== null || !query.statuses.includes('active')) return [];
  return hits.filter(
    (hit) => hit.kind === 'fraud' && own.includes(hit.author) && isAskedHit(hit, query),
  );
}

async function pagesOf(
  list: CurrentFindingsWithHits,
  query: Omit<FindingQuery, 'after'>,
  authors: AskedAuthors,
): Promise<FindingPosition[]> {
  const listed: FindingPosition[] = [];
  let after: FindingPosition | null = null;
  do {
    const page = await list.page({ ...query, after }, authors);
    const positions = [
      ...page.findings.map(({ classification }) => findingPosition(classification, query.orderBy)),
      ...page.hits.map((hit) => hitKey(hit, query.orderBy)),
    ].sort(compareFindings(query.orderDir));
    expect(positions.length).toBeLessThanOrEqual(query.limit);
    expect(positions.length > 0 || page.next === null).toBe(true);
    listed.push(...positions);
    after = page.next;
  } while (after !== null);
  return listed;
}

describe('findings with hits of rules', () => {
  test('are each listed once, in one order, of the asked authors alone', async () => {
    await fc.assert(
      fc.asyncProperty(
        ...[arbitraryVersions, arbitraryHits, arbitraryQuery, fc.boolean()],
        ...[fc.subarray(['one', 'operator']), fc.nat(12)],
        async (versions, hits, query, isBuiltIn, ofRules, storedCount) => {
          const findings = newestVersions(versions);
          const unwritten = hits.slice(storedCount);
          // One that was stored since is in both.
          const stored = hits.slice(0, storedCount + 1);
          const list = new CurrentFindingsWithHits(
            findingsOf(findings),
            new CurrentRuleHits(
              storedHits(stored),
              new UnwrittenRows(() =>
                unwritten.map((hit) => ({ changes: buildChanges(hit.slot, { ruleHits: [hit] }) })),
              ),
            ),
          );
          const wanted = [
            ...(isBuiltIn ? findings : [])
              .filter((one) => isInRange(one, { ...query, after: null }))
              .filter((one) => query.statuses.includes(statusOf(one)))
              .map((one) => findingPosition(one, query.orderBy)),
            ...wantedHits(hits, query, ofRules).map((hit) => hitKey(hit, query.orderBy)),
          ].sort(compareFindings(query.orderDir));
          expect(await pagesOf(list, query, { isBuiltIn, ofRules })).toEqual(wanted);
        },
      ),
      { numRuns: 400 },
    );
  });
});
