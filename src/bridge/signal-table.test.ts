import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildChanges } from '../../tests/support/build-records.ts';
import { buildOutcome, buildReturns, buildSignal } from '../../tests/support/build-signal.ts';
import { type NaiveRow, naiveStatistics } from '../../tests/support/naive-signal-statistics.ts';
import { CurrentSignals } from '../ingestion/current-signals.ts';
import { UnwrittenRows } from '../ingestion/unwritten-rows.ts';
import type { AsOf } from '../model/as-of.ts';
import type { SlotChanges } from '../model/derived.ts';
import {
  EXIT_RULES,
  type Outcome,
  SIGNAL_MODELS,
  type Signal,
  TICKETS_USD,
} from '../model/signal.ts';
import type { FiguresPage, FiguresQuery, SignalQuery } from '../model/signal-listing.ts';
import { asSlot, asUsdNano } from '../model/units.ts';
import { executionStatistics } from '../signals/statistics/execution-statistics.ts';
import { SignalTable } from './signal-table.ts';

const HOUR_MS = 3_600_000;
const ALL: SignalQuery = { fromMs: 0, toMs: 1e12, model: null };

/** Answers as the database would, from the list of written rows. */
class WrittenFigures {
  epoch = 1;
  written: SlotChanges[] = [];
  readonly pageMax: number;

  constructor(pageMax: number) {
    this.pageMax = pageMax;
  }

  async figures({ epoch, afterSlot, afterRowId }: FiguresQuery) {
    const isSame = epoch === this.epoch;
    const since = isSame ? (afterSlot ?? -1) : -1;
    const updates = this.written.filter(({ slot }) => slot > since);
    const after = isSame ? afterRowId : 0;
    const newest = new Map(
      updates.flatMap(({ outcomes }) =>
        outcomes.map((outcome) => [outcome.rowId, outcome] as const),
      ),
    );
    const ids = [...newest.keys()].filter((rowId) => rowId > after).sort((one, two) => one - two);
    const page = ids.slice(0, this.pageMax);
    const last = page.length < this.pageMax ? Infinity : (page.at(-1) ?? 0);
    const signals = updates
      .flatMap((changes) => changes.signals)
      .filter(({ rowId }) => rowId > after && rowId <= last);
    return {
      epoch: this.epoch,
      storedSlot: this.written.at(-1)?.slot ?? null,
      signals: JSON.stringify(signals.map(signalTexts)),
      outcomes: JSON.stringify(page.map((rowId) => outcomeTexts(newest.get(rowId)))),
      nextRowId: last === Infinity ? null : last,
    };
  }
}

function signalTexts(signal: Signal) {
  const { rowId, createdAtMs, model, ageMs, marketCapUsd, liquidityUsd } = signal;
  const age = ageMs === null ? null : String(ageMs);
  return [String(rowId), String(createdAtMs), model, age, `${marketCapUsd}`, `${liquidityUsd}`];
}

function outcomeTexts(outcome: Outcome | undefined) {
  if (outcome === undefined) throw new Error('no such outcome');
  const { rowId, athMarketCapUsd, roiE9, maxDrawdownE9, execution } = outcome;
  const returns = EXIT_RULES.flatMap((rule) =>
    TICKETS_USD.map((_, ticket) => execution.returns[rule]?.[ticket]?.returnE9.toString() ?? null),
  );
  return [String(rowId), `${athMarketCapUsd}`, `${roiE9}`, `${maxDrawdownE9}`, ...returns];
}

/** A store and a tail of slots, read through the calls of the API. */
function scene(pageMax = 3, sizeMax = 1_000) {
  const stored = new WrittenFigures(pageMax);
  const tail: SlotChanges[] = [];
  const none = async () => null;
  const signals = new CurrentSignals(
    {
      page: async () => [],
      pageOfRules: async () => [],
      signal: none,
      outcome: none,
      figures: (known) => stored.figures(known),
    },
    new UnwrittenRows(() => tail.map((changes) => ({ changes }))),
  );
  const asked: FiguresQuery[] = [];
  const table = new SignalTable(async (known): Promise<AsOf<FiguresPage>> => {
    asked.push(known);
    const data = structuredClone(await signals.figures(known));
    return { slot: tail.at(-1)?.slot ?? data.storedSlot, timeMs: null, data };
  }, sizeMax);
  const rows = (): NaiveRow[] => {
    const known = new Map<number, NaiveRow>();
    for (const { signals: given, outcomes } of [...stored.written, ...tail]) {
      for (const signal of given) known.set(signal.rowId, { signal, outcome: buildOutcome() });
      for (const outcome of outcomes) {
        const row = known.get(outcome.rowId);
        if (row !== undefined) known.set(outcome.rowId, { ...row, outcome });
      }
    }
    return [...known.values()];
  };
  return { stored, tail, table, rows, asked };
}

type Scene = ReturnType<typeof scene>;

const models = [...SIGNAL_MODELS, 'random_minute'] as const;
/** Integers within and beyond the precision of a double. */
const amount = fc.oneof(
  fc.bigInt(-(10n ** 13n), 10n ** 13n),
  fc.bigInt(2n ** 53n - 3n, 2n ** 53n + 3n),
  fc.bigInt(-(2n ** 100n), 2n ** 100n),
);
const usd = amount.map((value) => asUsdNano(value < 0n ? -value : value));
const maybeReturns = fc.option(
  fc
    .tuple(fc.bigInt(-100n, 900n), fc.bigInt(-100n, 900n))
    .map(([one, two]) => buildReturns(one, two)),
);

const figures = fc.record({ ath: usd, roi: amount, drawdown: amount, returns: maybeReturns });
const fresh = fc.record({
  model: fc.constantFrom(...models),
  hours: fc.nat(200),
  cap: usd,
  liquidity: usd,
  age: fc.option(fc.nat(10 * 24 * HOUR_MS)),
});

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('slot' as const),
      signals: fc.array(fc.tuple(fresh, figures), { maxLength: 3 }),
      changes: fc.array(fc.tuple(fc.nat(20), figures), { maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'undo' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'write' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'refold' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      from: fc.nat(200),
      length: fc.nat(200),
      model: fc.option(fc.constantFrom(...SIGNAL_MODELS)),
    }),
  },
);
const steps = fc.array(step, { minLength: 5, maxLength: 30 });

type ValueOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type FiguresOfOutcome = ValueOf<typeof figures>;
type Step = ValueOf<typeof step>;

type StepOf<Kind> = Extract<Step, { readonly kind: Kind }>;

function toOutcome(rowId: number, slot: number, given: FiguresOfOutcome): Outcome {
  return buildOutcome({
    ...{ rowId, slot: asSlot(slot), athMarketCapUsd: given.ath, roiE9: given.roi },
    maxDrawdownE9: given.drawdown,
    execution: { returns: { ...buildOutcome().execution.returns, hold_1h: given.returns } },
  });
}

/** A slot that issues signals and changes outcomes of some existing ones. */
function toChanges(slot: number, rows: readonly NaiveRow[], step: StepOf<'slot'>): SlotChanges {
  const last = Math.max(0, ...rows.map(({ signal }) => signal.rowId));
  const signals = step.signals.map(([{ model, age, cap, liquidity, hours }], index) =>
    buildSignal({
      ...{ rowId: last + 1 + index, slot: asSlot(slot), model, ageMs: age },
      ...{ marketCapUsd: cap, liquidityUsd: liquidity, createdAtMs: hours * HOUR_MS },
    }),
  );
  const given = step.signals.map(([, figures], index) =>
    toOutcome(last + 1 + index, slot, figures),
  );
  const changed = step.changes.flatMap(([at, figures]) => {
    const rowId = rows[at]?.signal.rowId;
    return rowId === undefined ? [] : [toOutcome(rowId, slot, figures)];
  });
  return buildChanges(slot, { signals, outcomes: [...given, ...changed] });
}

async function take(step: Step, slot: number, { stored, tail, table, rows }: Scene) {
  if (step.kind === 'slot') tail.push(toChanges(slot, rows(), step));
  else if (step.kind === 'undo') tail.pop();
  else if (step.kind === 'write') stored.written.push(...tail.splice(0, 2));
  else if (step.kind === 'refold') {
    stored.epoch++;
    stored.written = stored.written.slice(1);
  } else {
    const fromMs = step.from * HOUR_MS;
    const query = { fromMs, toMs: fromMs + step.length * HOUR_MS, model: step.model };
    const { data: found } = await table.statistics(query);
    expect(found.statistics).toEqual(naiveStatistics(rows(), query));
    expect(found.execution).toEqual(naiveExecution(rows(), query));
  }
}

describe('statistics of signals', () => {
  test('cover all signals that were not reverted, stored or not', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (all, pageMax) => {
        const one = scene(pageMax);
        const { table, rows } = one;
        for (const [slot, step] of all.entries()) await take(step, slot + 1, one);
        expect((await table.statistics(ALL)).data.statistics).toEqual(naiveStatistics(rows(), ALL));
      }),
      { numRuns: 150 },
    );
  });

  test('fetch only new rows', async () => {
    const { stored, table, asked } = scene();
    const outcome = buildOutcome({ rowId: 1, slot: asSlot(5) });
    const signal = buildSignal({ rowId: 1, slot: asSlot(5), createdAtMs: HOUR_MS });
    stored.written.push(buildChanges(5, { signals: [signal], outcomes: [outcome] }));
    await table.statistics(ALL);
    await table.statistics(ALL);
    expect(asked.map(({ epoch, afterSlot }) => [epoch, afterSlot])).toEqual([
      [-1, null],
      [1, 5],
    ]);
  });

  test('yield to other tasks while many rows are loaded', async () => {
    const { stored, table } = scene(10_000, 10_000);
    const signals = Array.from({ length: 5_000 }, (_, at) => buildSignal({ rowId: at + 1 }));
    stored.written.push(buildChanges(1, { signals, outcomes: [] }));
    const sizes = new Set<number>();
    let isAnswered = false;
    const answered = table.statistics(ALL).then(() => {
      isAnswered = true;
    });
    while (!isAnswered) {
      sizes.add(table.size);
      await nextTurn();
    }
    await answered;
    // It pauses before each thousandth row.
    expect([...sizes].filter((size) => size > 0 && size < 5_000).length).toBeGreaterThan(2);
  });

  test('drop the oldest beyond the limit, and refuse ranges that include them', async () => {
    const { tail, stored, table } = scene(100, 10);
    const signals = Array.from({ length: 12 }, (_, at) =>
      buildSignal({ rowId: at + 1, createdAtMs: (at + 1) * HOUR_MS }),
    );
    const outcomes = signals.map(({ rowId }) => buildOutcome({ rowId }));
    stored.written.push(buildChanges(1, { signals, outcomes }));
    expect(tail).toEqual([]);
    await expect(table.statistics(ALL)).rejects.toMatchObject({
      status: 422,
      message: 'Statistics are available for signals from 1970-01-01T03:00:00.001Z on.',
    });
    // A tenth is dropped at once: nine of the ten remain.
    const { data: found } = await table.statistics({ ...ALL, fromMs: 3 * HOUR_MS + 1 });
    expect([found.statistics.count, table.size]).toEqual([9, 9]);
  });

  test('continue after a failed fetch', async () => {
    let isBroken = true;
    const { table: whole } = scene();
    const table = new SignalTable(async (known) => {
      if (isBroken) throw new Error('no answer');
      const data = {
        ...{ epoch: 1, storedSlot: null, signals: '[]', outcomes: '[]', nextRowId: null },
        unwritten: { signals: [], outcomes: known.epoch === 1 ? [] : [] },
      };
      return { slot: null, timeMs: null, data };
    });
    await expect(table.statistics(ALL)).rejects.toThrow('no answer');
    isBroken = false;
    expect(await table.statistics(ALL)).toEqual(await whole.statistics(ALL));
  });

  test('are refused when too many wait', async () => {
    const table = new SignalTable(() => new Promise(() => undefined));
    const waiting = Array.from({ length: 32 }, () => table.statistics(ALL));
    await expect(table.statistics(ALL)).rejects.toMatchObject({ status: 503 });
    expect(waiting).toHaveLength(32);
  });
});

/** Row by row, as the evaluator computes it. */
function naiveExecution(rows: readonly NaiveRow[], { fromMs, toMs, model }: SignalQuery) {
  const asked = rows.filter(
    ({ signal }) => signal.createdAtMs >= fromMs && signal.createdAtMs <= toMs,
  );
  const toRow = ({ signal, outcome }: NaiveRow) => ({
    ...signal,
    returns: outcome.execution.returns,
  });
  const signals = asked.filter(
    ({ signal }) => signal.model !== 'random_minute' && (model === null || signal.model === model),
  );
  const controls = asked.filter(({ signal }) => signal.model === 'random_minute');
  const close = executionStatistics(signals.map(toRow), controls.map(toRow));
  return close.map((one) => ({
    ...one,
    lift:
      one.lift &&
      expect.objectContaining({
        matched: one.lift.matched,
        mean: expect.closeTo(one.lift.mean, 6),
        baseRate: expect.closeTo(one.lift.baseRate, 6),
        lift: expect.closeTo(one.lift.lift, 6),
      }),
  }));
}
