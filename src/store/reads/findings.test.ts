import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  buildClassification,
  classificationId,
} from '../../../tests/support/build-classification.ts';
import {
  arbitraryQuery,
  arbitraryVersions,
  inRange,
  newestVersions,
} from '../../../tests/support/build-findings.ts';
import { buildChanges } from '../../../tests/support/build-records.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { transports, useDataPlane } from '../../../tests/support/data-planes.ts';
import type { FindingRange } from '../../model/finding-page.ts';
import type { Classification } from '../../model/fraud.ts';
import { asSlot } from '../../model/units.ts';
import { StoredFindings } from './findings.ts';

const ALL: FindingRange = {
  ...{ fraudTypes: null, levels: ['critical', 'high', 'medium', 'low'] },
  ...{ fromMs: null, toMs: null, mint: null, wallet: null, after: null },
  ...{ orderBy: 'confidence', orderDir: 'desc', limit: 10 },
};

describe.each(transports)('stored findings %s', (_, open) => {
  const opened = useDataPlane(open);
  let epoch = 0;

  /** Writes versions in the order of their slots, as a fold does, and returns reads of them. */
  async function written(versions: readonly Classification[]): Promise<StoredFindings> {
    epoch++;
    const bySlot = Map.groupBy(versions, ({ slot }) => slot);
    const changes = [...bySlot]
      .sort(([one], [other]) => one - other)
      .map(([slot, classifications]) => buildChanges(slot, { classifications }));
    for (const change of changes) {
      await opened.writer.writeBatch({ slots: [], changes: [change], epoch });
    }
    return new StoredFindings(opened.plane.fast, { epoch });
  }

  test('are listed as a list of all versions would be, page by page', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryVersions,
        fc.array(arbitraryQuery, { minLength: 4, maxLength: 4 }),
        async (given, queries) => {
          const versions = onePerSlot(given);
          const stored = await written(versions);
          for (const query of queries) {
            const all = inRange(versions, { ...query, after: null });
            const listed = [];
            let after: FindingRange['after'] = null;
            for (;;) {
              const page = await stored.positions({ ...query, after }, { states: null, ids: null });
              listed.push(...page);
              after = page.at(-1) ?? null;
              if (page.length < query.limit) break;
            }
            expect(listed).toEqual(all);
          }
        },
      ),
      { numRuns: 12, endOnFailure: true },
    );
  });

  test('are selected by state and by ids, and read in full by ids', async () => {
    const of = (number: number, state: Classification['state']) =>
      buildClassification({ id: classificationId(number), state });
    const all = [of(1, 'active'), of(2, 'archived'), of(3, 'candidate')];
    const stored = await written(all);
    const idsOf = async (...[selection]: [Parameters<StoredFindings['positions']>[1]]) =>
      (await stored.positions(ALL, selection)).map(({ id }) => Number(id.slice(-1)));
    expect(await idsOf({ states: ['archived', 'candidate'], ids: null })).toEqual([2, 3]);
    expect(await idsOf({ states: null, ids: [all[0]?.id ?? '', 'unknown'] })).toEqual([1]);
    expect(await idsOf({ states: ['archived'], ids: [all[0]?.id ?? ''] })).toEqual([]);
    expect(await idsOf({ states: null, ids: [] })).toEqual([]);
    expect(await stored.byIds([classificationId(2), 'unknown'])).toEqual([all[1]]);
    expect(await stored.byIds([])).toEqual([]);
  });

  test('with many ids are read in portions', async () => {
    const last = buildClassification({ id: classificationId(999) });
    const stored = await written([last]);
    const ids = Array.from({ length: 1_000 }, (_none, at) => classificationId(at));
    const found = await stored.positions(ALL, { states: null, ids });
    expect(found.map(({ id }) => id)).toEqual([classificationId(999)]);
    expect(await stored.byIds(ids)).toEqual([last]);
  });

  test('of a wallet are those whose newest version involves it', async () => {
    const wallet = address('left out later');
    const [first] = buildClassification().finding.wallets;
    if (first === undefined) throw new Error('no wallet');
    const versions = [{ ...first, address: wallet }];
    const stored = await written([
      buildClassification({ slot: asSlot(10), finding: { wallets: versions } }),
      buildClassification({ slot: asSlot(11) }),
    ]);
    const selection = { states: null, ids: null };
    expect(await stored.positions({ ...ALL, wallet }, selection)).toEqual([]);
    const present = { ...ALL, wallet: address('buyer') };
    expect(await stored.positions(present, selection)).toHaveLength(1);
  });
});

/** A slot changes a finding once. */
function onePerSlot(versions: readonly Classification[]): Classification[] {
  const byKey = new Map(versions.map((one) => [`${one.id}/${one.slot}`, one]));
  expect(newestVersions([...byKey.values()]).length).toBeLessThanOrEqual(versions.length);
  return [...byKey.values()];
}
