import { describe, expect, test } from 'vitest';
import { buildChanges } from '../../../tests/support/build-records.ts';
import { buildRuleHit } from '../../../tests/support/build-rule-hit.ts';
import { transports, useDataPlane } from '../../../tests/support/data-planes.ts';
import { CurrentRuleHits } from '../../ingestion/current-rule-hits.ts';
import type { RuleHit } from '../../model/rule-hit.ts';
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
});
