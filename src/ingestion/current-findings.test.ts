import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classificationId } from '../../tests/support/build-classification.ts';
import {
  arbitraryQuery,
  arbitraryVersions,
  findingStore,
  inRange,
  newestVersions,
} from '../../tests/support/build-findings.ts';
import { buildChanges } from '../../tests/support/build-records.ts';
import { type FindingPosition, type FindingQuery, findingPosition } from '../model/finding-page.ts';
import type { Classification } from '../model/fraud.ts';
import { REVIEW_STATUSES, type ReviewStatus } from '../model/fraud-review.ts';
import { CurrentFindings, type Reviews } from './current-findings.ts';
import { UnwrittenRows } from './unwritten-rows.ts';

function reviewsOf(given: ReadonlyMap<string, ReviewStatus>): Reviews {
  return {
    statusOf: (id) => given.get(id) ?? null,
    idsWith: (statuses) =>
      [...given].flatMap(([id, status]) => (statuses.includes(status) ? [id] : [])),
  };
}

const slotsOf = (versions: readonly Classification[]) =>
  [...Map.groupBy(versions, ({ slot }) => slot)]
    .sort(([one], [other]) => one - other)
    .map(([slot, classifications]) => ({ changes: buildChanges(slot, { classifications }) }));

const arbitraryReviews = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom(...REVIEW_STATUSES)), {
    selector: ([number]) => number,
    maxLength: 4,
  })
  .map((all) => new Map(all.map(([number, status]) => [classificationId(number), status])));

/** The status, by the contract: that of the review, or archived, or active. */
const statusOf = ({ id, state }: Classification, reviews: ReadonlyMap<string, ReviewStatus>) =>
  reviews.get(id) ?? (state === 'archived' ? 'archived' : 'active');

async function pagesOf(current: CurrentFindings, query: Omit<FindingQuery, 'after'>) {
  const listed: FindingPosition[] = [];
  let after: FindingPosition | null = null;
  do {
    const page = await current.page({ ...query, after });
    expect(page.findings.length).toBeLessThanOrEqual(query.limit);
    expect(page.findings.length > 0 || page.next === null).toBe(true);
    listed.push(
      ...page.findings.map(({ classification }) => findingPosition(classification, query.orderBy)),
    );
    after = page.next;
  } while (after !== null);
  return listed;
}

describe('lists of findings', () => {
  test('are those of all newest versions and reviews, wherever the store ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        ...[arbitraryVersions, fc.integer({ min: 99, max: 131 }), arbitraryReviews],
        arbitraryQuery,
        async (versions, lastStored, reviews, query) => {
          const stored = versions.filter(({ slot }) => slot <= lastStored);
          const unwritten = slotsOf(versions.filter(({ slot }) => slot > lastStored));
          const current = new CurrentFindings(
            findingStore(() => stored),
            reviewsOf(reviews),
            new UnwrittenRows(() => unwritten),
          );
          const wanted = newestVersions(versions).filter((one) =>
            query.statuses.includes(statusOf(one, reviews)),
          );
          expect(await pagesOf(current, query)).toEqual(inRange(wanted, { ...query, after: null }));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('return the newest version and its status, of stored and unwritten findings', async () => {
    const [versions] = fc.sample(arbitraryVersions, { numRuns: 1, seed: 7 });
    const all = (versions ?? []).map((one) => ({ ...one, state: 'active' as const }));
    expect(all.length).toBeGreaterThan(2);
    const query: FindingQuery = {
      ...{ fraudTypes: null, levels: ['critical', 'high', 'medium', 'low'] },
      ...{ fromMs: null, toMs: null, mint: null, wallet: null, after: null, limit: 100 },
      ...{ orderBy: 'detection', orderDir: 'asc', statuses: ['active', 'confirmed'] },
    };
    const middle = all[1]?.slot ?? 0;
    const reviews = new Map([[all[0]?.id ?? '', 'confirmed' as const]]);
    const current = new CurrentFindings(
      findingStore(() => all.filter(({ slot }) => slot <= middle)),
      reviewsOf(reviews),
      new UnwrittenRows(() => slotsOf(all.filter(({ slot }) => slot > middle))),
    );
    const { findings } = await current.page(query);
    const expected = newestVersions(all).map((classification) => ({
      classification,
      status: statusOf(classification, reviews),
    }));
    const byId = (list: typeof expected) =>
      new Map(list.map((one) => [one.classification.id, one] as const));
    expect(byId([...findings])).toEqual(byId(expected));
  });
});
