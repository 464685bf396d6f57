import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FINDING_MINTS, FINDING_WALLETS } from '../../../tests/support/build-findings.ts';
import { buildChanges } from '../../../tests/support/build-records.ts';
import { buildRuleHit } from '../../../tests/support/build-rule-hit.ts';
import {
  arbitraryHits,
  HIT_AUTHORS,
  hitKey,
  isAskedHit,
} from '../../../tests/support/build-rule-hits.ts';
import { transports, useDataPlane } from '../../../tests/support/data-planes.ts';
import { CurrentRuleHits } from '../../ingestion/current-rule-hits.ts';
import {
  CONFIDENCE_LEVELS,
  type ConfidenceLevel,
  compareFindings,
  FINDING_ORDERS,
} from '../../model/finding-page.ts';
import type { RuleHit } from '../../model/rule-hit.ts';
import type { HitRange } from '../../model/rule-hit-page.ts';
import type { ListedRule } from '../../model/rule-listing.ts';
import { asSlot } from '../../model/units.ts';
import { SlotWriter } from '../writes/slot-writer.ts';
import { StoredRuleHits } from './rule-hits.ts';

function hit(rowId: number, author: string, name: string): RuleHit {
  const { outcome: _, ...rest } = buildRuleHit({ rowId, author, name, slot: asSlot(rowId) });
  return rest;
}

function rule(author: string, name: string): ListedRule {
  return {
    ...{ author, name, content: '', version: 1, hash: '', kind: 'alert', title: '' },
    ...{ scope: 'pool_minute', isJudged: true },
  };
}

describe.each(transports)('hits of rules %s', (_, open) => {
  const opened = useDataPlane(open);

  test('are counted by author and name, with those that are not stored yet counted once', async () => {
    const hits = [
      hit(1, 'one', 'dip'),
      hit(2, 'operator', 'dip'),
      hit(3, 'one', 'rise'),
      hit(4, 'one', 'dip'),
    ];
    await new SlotWriter(opened.plane.writer).writeBatch({
      slots: [],
      changes: hits.map((one) => buildChanges(one.slot, { ruleHits: [one] })),
      epoch: 1,
    });
    const stored = new StoredRuleHits(opened.plane.fast, { epoch: 1 });
    // The last one is stored since it was read as not stored.
    const unwritten = { ruleHits: () => [hit(4, 'one', 'dip'), hit(5, 'one', 'dip')] };
    const rules = [
      rule('one', 'dip'),
      rule('one', 'rise'),
      rule('two', 'dip'),
      rule('operator', 'dip'),
    ];
    const counts = async (reads: CurrentRuleHits) =>
      (await reads.counted(rules)).map(({ hitCount }) => hitCount);
    const outcomes = () => new Map();
    expect(await counts(new CurrentRuleHits(stored, { ...unwritten, outcomes }))).toEqual([
      3, 1, 0, 1,
    ]);
    expect(await counts(new CurrentRuleHits(stored, { ruleHits: () => [], outcomes }))).toEqual([
      2, 1, 0, 1,
    ]);
  });

  test('are listed as all of them would be in memory, page by page', async () => {
    let epoch = 10;
    await fc.assert(
      fc.asyncProperty(
        arbitraryHits,
        fc.array(arbitraryRange, { minLength: 4, maxLength: 4 }),
        async (hits, ranges) => {
          epoch++;
          await new SlotWriter(opened.plane.writer).writeBatch({
            slots: [],
            changes: [...Map.groupBy(hits, ({ slot }) => slot)].map(([slot, ruleHits]) =>
              buildChanges(slot, { ruleHits }),
            ),
            epoch,
          });
          const stored = new StoredRuleHits(opened.plane.fast, { epoch });
          for (const range of ranges) {
            const compare = compareFindings(range.orderDir);
            const wanted = hits
              .filter((one) => range.authors.includes(one.author))
              .filter((one) => range.kinds?.includes(one.kind) ?? true)
              .filter((one) => one.slot <= (range.throughSlot ?? Infinity))
              .filter((one) => isAskedHit(one, range))
              .sort((one, other) =>
                compare(hitKey(one, range.orderBy), hitKey(other, range.orderBy)),
              );
            const listed: RuleHit[] = [];
            for (let after: HitRange['after'] = null; ; ) {
              const page = await stored.range({ ...range, after });
              listed.push(...page);
              const last = page.at(-1);
              if (last === undefined || page.length < range.limit) break;
              after = hitKey(last, range.orderBy);
            }
            expect(listed).toEqual(wanted);
          }
        },
      ),
      { numRuns: 8 },
    );
  });

  test('of rows without a column of confidence are listed by that of their record', async () => {
    const hits = [hit(1, 'one', 'dip'), { ...hit(2, 'one', 'dip'), confidence: 0.9123 }];
    await new SlotWriter(opened.plane.writer).writeBatch({
      slots: [],
      changes: hits.map((one) => buildChanges(one.slot, { ruleHits: [one] })),
      epoch: 9,
    });
    // As rows of the version before are copied: without the column.
    const columns = 'version, row_id, slot, created_at_ms, rule_key, hash, kind, mint, record';
    await opened.plane.writer.command(
      `INSERT INTO rule_hits (epoch, ${columns}) SELECT 8, ${columns} FROM rule_hits WHERE epoch = 9`,
    );
    const range: HitRange = {
      ...{ authors: ['one'], kinds: null, levels: ['critical'], throughSlot: null },
      ...{ fromMs: null, toMs: null, mint: null, wallet: null },
      ...{ orderBy: 'confidence', orderDir: 'desc', after: null, limit: 10 },
    };
    const older = new StoredRuleHits(opened.plane.fast, { epoch: 8 });
    expect(await older.range(range)).toEqual([hits[1]]);
  });
});

const arbitraryRange: fc.Arbitrary<Omit<HitRange, 'after'> & { levels: ConfidenceLevel[] }> =
  fc.record({
    authors: fc.subarray([...HIT_AUTHORS], { minLength: 1 }),
    kinds: fc.constantFrom(null, ['fraud'] as const, ['fraud', 'alert'] as const),
    levels: fc.subarray([...CONFIDENCE_LEVELS], { minLength: 1 }),
    fromMs: fc.constantFrom(null, 1_500),
    toMs: fc.constantFrom(null, 2_000),
    mint: fc.option(fc.constantFrom(...FINDING_MINTS)),
    wallet: fc.option(fc.constantFrom(...FINDING_WALLETS)),
    throughSlot: fc.constantFrom(null, asSlot(91)),
    orderBy: fc.constantFrom(...FINDING_ORDERS),
    orderDir: fc.constantFrom('asc', 'desc'),
    limit: fc.integer({ min: 1, max: 4 }),
  });
