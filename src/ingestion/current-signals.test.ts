import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildChanges } from '../../tests/support/build-records.ts';
import { buildOutcome, buildSignal } from '../../tests/support/build-signal.ts';
import type { SlotChanges } from '../model/derived.ts';
import { type Outcome, SIGNAL_MODELS, type Signal } from '../model/signal.ts';
import {
  isShown,
  type SignalPageQuery,
  toListing,
  toRuleListing,
} from '../model/signal-listing.ts';
import { asSlot } from '../model/units.ts';
import { CurrentSignals } from './current-signals.ts';
import { UnwrittenRows } from './unwritten-rows.ts';

/** Answers as the database would, from the list of written rows. */
class WrittenRows {
  readonly written: SlotChanges[] = [];

  async signal(rowId: number): Promise<Signal | null> {
    const all = this.written.flatMap(({ signals }) => signals);
    return all.find((signal) => signal.rowId === rowId) ?? null;
  }

  async outcome(rowId: number): Promise<Outcome | null> {
    const all = this.written.flatMap(({ outcomes }) => outcomes);
    return all.findLast((outcome) => outcome.rowId === rowId) ?? null;
  }

  async page({ fromMs, toMs, model, limit, beforeRowId }: SignalPageQuery) {
    const outcomes = this.written.flatMap((changes) => changes.outcomes);
    return this.written
      .flatMap(({ signals }) => signals)
      .filter(isShown)
      .filter(({ createdAtMs }) => createdAtMs >= fromMs && createdAtMs <= toMs)
      .filter((signal) => model === null || signal.model === model)
      .filter(({ rowId }) => beforeRowId === null || rowId < beforeRowId)
      .sort((one, other) => other.rowId - one.rowId)
      .slice(0, limit)
      .flatMap((signal) => {
        const outcome = outcomes.findLast(({ rowId }) => rowId === signal.rowId);
        return outcome === undefined ? [] : [toListing(signal, outcome)];
      });
  }

  async pageOfRules(
    { fromMs, toMs, limit, beforeRowId }: SignalPageQuery,
    authors: readonly string[],
  ) {
    const outcomes = this.written.flatMap((changes) => changes.outcomes);
    return this.written
      .flatMap(({ signals }) => signals)
      .filter(({ createdAtMs }) => createdAtMs >= fromMs && createdAtMs <= toMs)
      .filter(({ model }) => authors.some((author) => model.startsWith(`rule:${author}/`)))
      .filter(({ rowId }) => beforeRowId === null || rowId < beforeRowId)
      .sort((one, other) => other.rowId - one.rowId)
      .slice(0, limit)
      .flatMap((signal) => {
        const outcome = outcomes.findLast(({ rowId }) => rowId === signal.rowId);
        return (outcome && toRuleListing(signal, outcome)) ?? [];
      });
  }

  async figures(): Promise<never> {
    throw new Error('not expected');
  }
}

const signalAt = (rowId: number, slot: number, model: Signal['model'] = 'organic_momentum') =>
  buildSignal({ rowId, slot: asSlot(slot), createdAtMs: slot * 1_000, model });
const outcomeAt = (rowId: number, slot: number) =>
  buildOutcome({ rowId, slot: asSlot(slot), roiE9: BigInt(slot) });

/** Each slot issues a signal or none, and changes some outcomes. */
const slots = fc
  .array(
    fc.record({
      model: fc.option(
        fc.constantFrom(
          ...SIGNAL_MODELS,
          ...(['random_minute', 'rule:one/dip', 'rule:one.more/dip', 'rule:operator/dip'] as const),
        ),
      ),
      changed: fc.array(fc.nat(8), { maxLength: 3 }),
    }),
    { maxLength: 12 },
  )
  .map((all) => {
    let last = 0;
    return all.map(({ model, changed }, at) => {
      const slot = 100 + at;
      const known = changed.filter((rowId) => rowId >= 1 && rowId <= last);
      const signals = model === null ? [] : [signalAt(++last, slot, model)];
      const ids = [...new Set([...known, ...signals.map(({ rowId }) => rowId)])];
      return buildChanges(slot, {
        signals,
        outcomes: ids.map((rowId) => outcomeAt(rowId, slot)),
      });
    });
  });

const queries = fc.record({
  fromMs: fc.integer({ min: 95, max: 113 }).map((slot) => slot * 1_000),
  toMs: fc.integer({ min: 95, max: 113 }).map((slot) => slot * 1_000),
  model: fc.option(fc.constantFrom(...SIGNAL_MODELS)),
  limit: fc.integer({ min: 1, max: 5 }),
  beforeRowId: fc.option(fc.integer({ min: 1, max: 12 })),
});

const ALL: SignalPageQuery = {
  ...{ fromMs: 0, toMs: 1e12, model: null, limit: 100, beforeRowId: null },
};

describe('signals of unwritten slots', () => {
  test('equal those of a store that has everything, wherever the store ends', async () => {
    await fc.assert(
      fc.asyncProperty(slots, fc.nat(12), queries, async (all, cut, query) => {
        const [whole, part] = [new WrittenRows(), new WrittenRows()];
        whole.written.push(...all);
        part.written.push(...all.slice(0, cut));
        const rest = all.slice(cut).map((changes) => ({ changes }));
        const current = new CurrentSignals(part, new UnwrittenRows(() => rest));
        expect(await current.list(query)).toEqual(await whole.page(query));
        for (const rowId of [1, 2, 3, 99]) {
          const signal = await whole.signal(rowId);
          const isKnown = signal !== null && isShown(signal);
          const found = await current.find(rowId, []);
          expect(found).toEqual(isKnown ? { signal, outcome: await whole.outcome(rowId) } : null);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('are listed with those of the rules of the authors, page by page', async () => {
    await fc.assert(
      fc.asyncProperty(
        ...[slots, fc.nat(12), fc.integer({ min: 1, max: 4 }), fc.boolean()],
        fc.subarray(['one', 'operator']),
        async (all, cut, limit, isBuiltIn, ofRules) => {
          const stored = new WrittenRows();
          stored.written.push(...all.slice(0, cut));
          const rest = all.slice(cut).map((changes) => ({ changes }));
          const current = new CurrentSignals(stored, new UnwrittenRows(() => rest));
          const isWanted = ({ model }: Signal) => {
            if (!model.startsWith('rule:')) return isBuiltIn && model !== 'random_minute';
            return ofRules.some((author) => model === `rule:${author}/dip`);
          };
          const listed: number[] = [];
          for (let before: number | null = null; ; before = listed.at(-1) ?? null) {
            const query = { ...ALL, limit, beforeRowId: before };
            const page = await current.listWithRules(query, { isBuiltIn, ofRules });
            const { signals, ruleSignals } = page;
            expect(ruleSignals.every(({ rule }) => ofRules.includes(rule.author))).toBe(true);
            const rowIds = [...signals, ...ruleSignals].map(({ rowId }) => rowId);
            listed.push(...rowIds.sort((one, other) => other - one));
            if (rowIds.length < limit) break;
          }
          const wanted = all.flatMap(({ signals }) => signals).filter(isWanted);
          expect(listed).toEqual(wanted.map(({ rowId }) => rowId).reverse());
        },
      ),
      { numRuns: 200 },
    );
  });

  test('of rules say which version gave them, and have the newest outcome', async () => {
    const stored = new WrittenRows();
    const signal = { ...signalAt(1, 100, 'rule:one/dip'), version: 3, parametersHash: 'c0' };
    stored.written.push(buildChanges(100, { signals: [signal], outcomes: [outcomeAt(1, 100)] }));
    const later = { changes: buildChanges(101, { outcomes: [outcomeAt(1, 101)] }) };
    const current = new CurrentSignals(stored, new UnwrittenRows(() => [later]));
    const authors = { isBuiltIn: true, ofRules: ['one'] };
    expect((await current.listWithRules(ALL, authors)).ruleSignals).toMatchObject([
      { rule: { author: 'one', name: 'dip', version: 3, hash: 'c0' }, slot: 101, roiE9: 101n },
    ]);
    // It is of no built-in model.
    const ofModel = { ...ALL, model: 'organic_momentum' as const };
    expect(await current.listWithRules(ofModel, authors)).toEqual({ signals: [], ruleSignals: [] });
    expect(await current.list(ALL)).toEqual([]);
  });

  test('of rules are found for their authors alone, wherever the store ends', async () => {
    const authorOf = new Map(
      ['one', 'one.more', 'operator'].map((author) => [`rule:${author}/dip`, author]),
    );
    await fc.assert(
      fc.asyncProperty(
        ...[slots, fc.nat(12), fc.subarray(['one', 'two', 'operator'])],
        async (all, cut, authors) => {
          const stored = new WrittenRows();
          stored.written.push(...all.slice(0, cut));
          const rest = all.slice(cut).map((changes) => ({ changes }));
          const current = new CurrentSignals(stored, new UnwrittenRows(() => rest));
          for (const signal of all.flatMap(({ signals }) => signals)) {
            const author = authorOf.get(signal.model);
            if (author === undefined) continue;
            const found = await current.find(signal.rowId, authors);
            if (!authors.includes(author)) expect(found).toBeNull();
            else expect(found).toMatchObject({ signal, rule: { author, name: 'dip' } });
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test('are removed with their slots, which restores the previous ones', async () => {
    const stored = new WrittenRows();
    stored.written.push(
      buildChanges(100, { signals: [signalAt(1, 100)], outcomes: [outcomeAt(1, 100)] }),
    );
    const tail = [
      {
        changes: buildChanges(101, {
          signals: [signalAt(2, 101)],
          outcomes: [outcomeAt(1, 101), outcomeAt(2, 101)],
        }),
      },
    ];
    const current = new CurrentSignals(stored, new UnwrittenRows(() => tail));
    const listed = async () => (await current.list(ALL)).map(({ rowId, roiE9 }) => [rowId, roiE9]);
    expect(await listed()).toEqual([
      [2, 101n],
      [1, 101n],
    ]);
    tail.pop();
    expect(await listed()).toEqual([[1, 100n]]);
    expect(await current.find(2, [])).toBeNull();
  });

  test('are neither lost nor older than stored ones when they are written in between', async () => {
    const stored = new WrittenRows();
    const first = { signals: [signalAt(1, 101)], outcomes: [outcomeAt(1, 101)] };
    const unwritten = [{ changes: buildChanges(101, first) }];
    const current = new CurrentSignals(
      {
        signal: (rowId) => stored.signal(rowId),
        outcome: (rowId) => stored.outcome(rowId),
        figures: () => stored.figures(),
        pageOfRules: (...asked) => stored.pageOfRules(...asked),
        page: (query) => {
          stored.written.push(buildChanges(101, first));
          stored.written.push(buildChanges(102, { outcomes: [outcomeAt(1, 102)] }));
          unwritten.length = 0;
          return stored.page(query);
        },
      },
      new UnwrittenRows(() => unwritten),
    );
    expect(await current.list(ALL)).toMatchObject([{ rowId: 1, slot: 102, roiE9: 102n }]);
  });
});
