import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildClassification, classificationId } from '../../tests/support/build-classification.ts';
import { buildChanges } from '../../tests/support/build-records.ts';
import { address } from '../../tests/support/build-transaction.ts';
import type { SlotChanges } from '../model/derived.ts';
import type { Classification } from '../model/fraud.ts';
import { asSlot } from '../model/units.ts';
import type {
  ClassificationQuery,
  MintsClassificationQuery,
} from '../store/reads/classifications.ts';
import { CurrentClassifications } from './current-classifications.ts';
import { UnwrittenRows } from './unwritten-rows.ts';

const MINTS = [address('one'), address('two')] as const;

const version = (number: number, slot: number, confidence: number) =>
  buildClassification({
    id: classificationId(number),
    slot: asSlot(slot),
    finding: { confidence, mint: MINTS[number % 2 === 0 ? 0 : 1] },
  });

const changesOf = (slot: number, classifications: readonly Classification[]) =>
  buildChanges(slot, { classifications });

/** Answers as the database would, from the list of written rows. */
class WrittenRows {
  readonly written: SlotChanges[] = [];

  private all(): Classification[] {
    return this.written.flatMap(({ classifications }) => classifications);
  }

  async ofMint({ mint, confidenceMin, asOfSlot }: ClassificationQuery) {
    const known = this.all().filter(
      ({ finding, slot }) => finding.mint === mint && slot <= (asOfSlot ?? Infinity),
    );
    const ids = [...new Set(known.map(({ id }) => id))].sort();
    return ids
      .flatMap((id) => known.findLast((one) => one.id === id) ?? [])
      .filter(({ finding }) => finding.confidence >= confidenceMin);
  }

  async ofMints({ mints, confidenceMin }: MintsClassificationQuery) {
    const all = mints.map((mint) => this.ofMint({ mint, confidenceMin, asOfSlot: null }));
    return (await Promise.all(all)).flat();
  }

  async find(id: string) {
    return this.all().findLast((one) => one.id === id) ?? null;
  }
}

/** Slots in order, each with versions of some of four classifications. */
const slots = fc
  .array(
    fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(0.3, 0.5, 0.9)), {
      selector: ([number]) => number,
      maxLength: 3,
    }),
    { maxLength: 12 },
  )
  .map((all) =>
    all.map((versions, at) =>
      changesOf(
        100 + at,
        versions.map(([number, confidence]) => version(number, 100 + at, confidence)),
      ),
    ),
  );

const queries = fc.record({
  mint: fc.constantFrom(...MINTS),
  confidenceMin: fc.constantFrom(0, 0.5),
  asOfSlot: fc.option(fc.integer({ min: 99, max: 113 }).map((slot) => asSlot(slot))),
});

describe('classifications of unwritten slots', () => {
  test('equal those of a store that has everything, wherever the store ends', async () => {
    await fc.assert(
      fc.asyncProperty(slots, fc.nat(12), queries, async (all, cut, query) => {
        const [whole, part] = [new WrittenRows(), new WrittenRows()];
        whole.written.push(...all);
        part.written.push(...all.slice(0, cut));
        const rest = all.slice(cut).map((changes) => ({ changes }));
        const current = new CurrentClassifications(part, new UnwrittenRows(() => rest));
        expect(await current.ofMint(query)).toEqual(await whole.ofMint(query));
        const { confidenceMin } = query;
        const each = MINTS.map((mint) => whole.ofMint({ mint, confidenceMin, asOfSlot: null }));
        expect(await current.ofMints({ mints: MINTS, confidenceMin })).toEqual(
          await Promise.all(each),
        );
        for (const number of [1, 2, 3, 4]) {
          const id = classificationId(number);
          expect(await current.find(id)).toEqual(await whole.find(id));
        }
      }),
      { numRuns: 200 },
    );
  });

  test('are removed with their slots, which restores the previous ones', async () => {
    const stored = new WrittenRows();
    stored.written.push(changesOf(100, [version(2, 100, 0.6)]));
    const tail = [
      { changes: changesOf(101, [version(2, 101, 0.9)]) },
      { changes: changesOf(102, [version(4, 102, 0.8)]) },
    ];
    const current = new CurrentClassifications(stored, new UnwrittenRows(() => tail));
    const ask = { mint: version(2, 0, 0).finding.mint, confidenceMin: 0.5, asOfSlot: null };
    expect(await current.ofMint(ask)).toEqual([version(2, 101, 0.9), version(4, 102, 0.8)]);
    tail.pop();
    expect(await current.ofMint(ask)).toEqual([version(2, 101, 0.9)]);
    expect(await current.find(classificationId(4))).toBeNull();
    tail.pop();
    expect(await current.ofMint(ask)).toEqual([version(2, 100, 0.6)]);
    expect(await current.find(classificationId(2))).toEqual(version(2, 100, 0.6));
  });

  test('are neither lost nor older than stored ones when they are written in between', async () => {
    const stored = new WrittenRows();
    const unwritten = [{ changes: changesOf(101, [version(2, 101, 0.6)]) }];
    const writing = {
      ofMint: async (query: ClassificationQuery) => {
        stored.written.push(changesOf(101, [version(2, 101, 0.6)]));
        stored.written.push(changesOf(102, [version(2, 102, 0.7)]));
        unwritten.length = 0;
        return await stored.ofMint(query);
      },
      ofMints: (query: MintsClassificationQuery) => stored.ofMints(query),
      find: (id: string) => stored.find(id),
    };
    const current = new CurrentClassifications(writing, new UnwrittenRows(() => unwritten));
    const ask = { mint: version(2, 0, 0).finding.mint, confidenceMin: 0, asOfSlot: null };
    expect(await current.ofMint(ask)).toEqual([version(2, 102, 0.7)]);
  });
});
