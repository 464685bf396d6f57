import fc from 'fast-check';
import {
  CONFIDENCE_LEVELS,
  compareFindings,
  FINDING_ORDERS,
  type FindingPosition,
  type FindingQuery,
  type FindingRange,
  findingPosition,
} from '../../src/model/finding-page.ts';
import type { Classification } from '../../src/model/fraud.ts';
import { CLASSIFICATION_STATUSES } from '../../src/model/fraud-review.ts';
import { asSlot, asUsdNano } from '../../src/model/units.ts';
import type { FindingSelection } from '../../src/store/reads/finding-sql.ts';
import { buildClassification, buildFinding, classificationId } from './build-classification.ts';
import { address } from './build-transaction.ts';

export const FINDING_MINTS = [address('one'), address('two')] as const;
export const FINDING_WALLETS = [address('first'), address('second')] as const;

const involved = buildFinding().wallets[0];
if (involved === undefined) throw new Error('the finding of tests has no wallet');

/** Versions of few findings that agree in many keys, so that ties and changes are frequent. */
export const arbitraryVersions: fc.Arbitrary<Classification[]> = fc.array(
  fc
    .record({
      number: fc.integer({ min: 1, max: 6 }),
      slot: fc.integer({ min: 100, max: 130 }),
      state: fc.constantFrom('candidate', 'active', 'archived'),
      // The ends of the levels, and values just below them.
      confidence: fc.constantFrom(0.2, 0.4999, 0.5, 0.6999, 0.7, 0.8999, 0.9),
      detectionSlot: fc.constantFrom(null, 90, 91),
      valueAtRisk: fc.constantFrom(null, 0n, 5n, 2n ** 100n),
      fraudType: fc.constantFrom('fake_dump', 'wash_volume'),
      createdMs: fc.constantFrom(1_000, 2_000),
      wallets: fc.subarray([...FINDING_WALLETS]),
    })
    .map(({ number, slot, state, detectionSlot, createdMs, valueAtRisk, wallets, ...finding }) =>
      buildClassification({
        id: classificationId(number),
        ...{ slot: asSlot(slot), state, createdMs },
        detectionSlot: detectionSlot === null ? null : asSlot(detectionSlot),
        finding: {
          ...finding,
          mint: FINDING_MINTS[number % 2 === 0 ? 0 : 1],
          valueAtRiskUsd: valueAtRisk === null ? null : asUsdNano(valueAtRisk),
          wallets: wallets.map((wallet) => ({ ...involved, address: wallet })),
        },
      }),
    ),
  { maxLength: 14 },
);

const someOf = <Choice>(all: readonly Choice[]) => fc.subarray([...all], { minLength: 1 });

export const arbitraryQuery: fc.Arbitrary<Omit<FindingQuery, 'after'>> = fc.record({
  fraudTypes: fc.option(someOf(['fake_dump', 'wash_volume'] as const)),
  levels: someOf(CONFIDENCE_LEVELS),
  statuses: someOf(CLASSIFICATION_STATUSES),
  fromMs: fc.constantFrom(null, 1_500),
  toMs: fc.constantFrom(null, 2_000),
  mint: fc.option(fc.constantFrom(...FINDING_MINTS)),
  wallet: fc.option(fc.constantFrom(...FINDING_WALLETS)),
  orderBy: fc.constantFrom(...FINDING_ORDERS),
  orderDir: fc.constantFrom('asc', 'desc'),
  limit: fc.integer({ min: 1, max: 4 }),
});

/** The newest version of each finding. */
export function newestVersions(versions: readonly Classification[]): Classification[] {
  const newest = new Map<string, Classification>();
  for (const one of versions) {
    if ((newest.get(one.id)?.slot ?? -1) <= one.slot) newest.set(one.id, one);
  }
  return [...newest.values()];
}

/** Whether a finding is in a list, written without the code under test. */
export function isInRange({ finding, createdMs }: Classification, range: FindingRange): boolean {
  const { confidence } = finding;
  const isOfLevel = { critical: [0.9, 2], high: [0.7, 0.9], medium: [0.5, 0.7], low: [0, 0.5] };
  return (
    (range.fraudTypes ?? [finding.fraudType]).includes(finding.fraudType) &&
    range.levels.some((level) => {
      const [least = 0, beyond = 0] = isOfLevel[level];
      return confidence >= least && confidence < beyond;
    }) &&
    createdMs >= (range.fromMs ?? 0) &&
    createdMs < (range.toMs ?? Infinity) &&
    finding.mint === (range.mint ?? finding.mint) &&
    (range.wallet === null || finding.wallets.some(({ address: one }) => one === range.wallet))
  );
}

/** The findings of a list in its order, from a position on. */
export function inRange(
  versions: readonly Classification[],
  range: FindingRange,
): FindingPosition[] {
  const compare = compareFindings(range.orderDir);
  return newestVersions(versions)
    .filter((one) => isInRange(one, range))
    .map((one) => findingPosition(one, range.orderBy))
    .sort(compare)
    .filter((position) => range.after === null || compare(range.after, position) < 0);
}

/** Answers as the database does, from the versions that are written when it is asked. */
export function findingStore(written: () => readonly Classification[]) {
  return {
    async positions(range: FindingRange, { states, ids }: FindingSelection) {
      const selected = newestVersions(written()).filter(
        ({ id, state }) => (states?.includes(state) ?? true) && (ids?.includes(id) ?? true),
      );
      return inRange(selected, range).slice(0, range.limit);
    },
    byIds: async (ids: readonly string[]) =>
      newestVersions(written()).filter(({ id }) => ids.includes(id)),
  };
}
