import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nano } from '../../../tests/support/signal-scene.ts';
import { EXIT_RULES, SIGNAL_MODELS } from '../../model/signal.ts';
import { ExactColumn } from './exact-column.ts';
import { type ExecutionRow, executionStatistics } from './execution-statistics.ts';
import { marketCellOf } from './market-cell.ts';
import { type MatchedReturn, matchedLift } from './matched-lift.ts';
import { type StatisticsRow, signalStatistics } from './signal-statistics.ts';

const DAY_MS = 86_400_000;
const E9 = 1_000_000_000n;

function aRow(given: Partial<StatisticsRow> = {}): StatisticsRow {
  return {
    model: 'organic_momentum',
    createdAtMs: 20_000 * DAY_MS,
    marketCapUsd: nano(100),
    liquidityUsd: nano(10),
    athMarketCapUsd: nano(150),
    roiE9: 0n,
    maxDrawdownE9: 0n,
    ...given,
  };
}

describe('a column', () => {
  // METHODS §6.4; the deviation by hand: sqrt((11.111 + 4,444.444 + 4,011.111) / 2).
  test('the worked example of three returns', () => {
    expect(new ExactColumn([50n * E9, -20n * E9, 110n * E9]).summary()).toEqual({
      count: 3,
      mean: 46_666_666_667n,
      median: 50n * E9,
      min: -20n * E9,
      max: 110n * E9,
      deviation: 65_064_070_986n,
    });
  });

  test('without values is 0 throughout, with one value has no deviation', () => {
    expect(new ExactColumn([]).summary()).toEqual({
      count: 0,
      mean: 0n,
      median: 0n,
      min: 0n,
      max: 0n,
      deviation: 0n,
    });
    expect(new ExactColumn([7n]).summary()).toMatchObject({ mean: 7n, median: 7n, deviation: 0n });
  });

  test('equals the computation with bigints, however large the values are', () => {
    const anyAmount = fc.oneof(
      fc.bigInt({ min: -50n, max: 50n }),
      fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n }),
      fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }),
    );
    fc.assert(
      fc.property(fc.array(anyAmount, { minLength: 1, maxLength: 40 }), (amounts) => {
        const column = new ExactColumn(amounts).summary();
        const sorted = amounts.toSorted((one, other) => (one < other ? -1 : 1));
        const n = BigInt(amounts.length);
        const sum = amounts.reduce((total, amount) => total + amount, 0n);
        // A rounded half differs from the exact value by at most half.
        expect(within(2n * (column.mean * n - sum), n)).toBe(true);
        const middle =
          (sorted[Math.ceil(sorted.length / 2) - 1] ?? 0n) + (sorted[sorted.length >> 1] ?? 0n);
        expect(within(2n * (2n * column.median - middle), 2n)).toBe(true);
        expect([column.min, column.max]).toEqual([sorted[0], sorted.at(-1)]);
        if (n < 2n) return;
        const squares = amounts.reduce((total, amount) => total + (n * amount - sum) ** 2n, 0n);
        // (deviation - 1/2)^2 <= variance < (deviation + 1/2)^2, all times 4 n^2 (n - 1).
        const scale = n * n * (n - 1n);
        const variance4 = 4n * squares;
        expect(variance4 < (2n * column.deviation + 1n) ** 2n * scale).toBe(true);
        const below = column.deviation === 0n ? 0n : (2n * column.deviation - 1n) ** 2n;
        expect(variance4 >= below * scale).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

test('a column of very many values has the median of sorting them, in any order', () => {
  const shapes: readonly ((at: number) => bigint)[] = [
    (at) => BigInt((at * 7_919) % 10_007),
    (at) => BigInt(at),
    (at) => BigInt(-at),
    (at) => BigInt(at % 2),
    () => 3n,
    // Every tenth value is far away, and a sample of every tenth would only contain those.
    (at) => (at % 10 === 0 ? 2n ** 70n + BigInt(at) : BigInt(at % 100)),
  ];
  for (const shape of shapes) {
    for (const count of [10_240, 10_007]) {
      const amounts = Array.from({ length: count }, (_, at) => shape(at));
      const sorted = amounts.toSorted((one, other) => (one < other ? -1 : Number(one > other)));
      const sum = (sorted[Math.ceil(count / 2) - 1] ?? 0n) + (sorted[count >> 1] ?? 0n);
      const rounded = sum < 0n ? (sum - 1n) / 2n : (sum + 1n) / 2n;
      expect(new ExactColumn(amounts).median()).toBe(rounded);
    }
  }
});

function within(twice: bigint, limit: bigint): boolean {
  return (twice < 0n ? -twice : twice) <= limit;
}

describe('statistics', () => {
  test('without signals are zeros and empty by model and day', () => {
    expect(signalStatistics([])).toMatchObject({
      count: 0,
      marketCap: { mean: 0n, median: 0n },
      models: [],
      days: [],
    });
  });

  test('list models by number of signals and days of UTC in order', () => {
    const rows = [
      aRow({ createdAtMs: 20_001 * DAY_MS, roiE9: 30n * E9, maxDrawdownE9: 4n * E9 }),
      aRow({ createdAtMs: 20_001 * DAY_MS - 1, model: 'smart_money_surge', roiE9: 10n * E9 }),
      aRow({ createdAtMs: 20_001 * DAY_MS + 1, roiE9: 50n * E9 }),
    ];
    const { models, days } = signalStatistics(rows);
    expect(models).toEqual([
      {
        model: 'organic_momentum',
        count: 2,
        meanRoiE9: 40n * E9,
        medianRoiE9: 40n * E9,
        meanDrawdownE9: 2n * E9,
      },
      {
        model: 'smart_money_surge',
        count: 1,
        meanRoiE9: 10n * E9,
        medianRoiE9: 10n * E9,
        meanDrawdownE9: 0n,
      },
    ]);
    // 20,001 days after the start of 1970 is 2024-10-05.
    expect(days).toEqual([
      { date: '2024-10-04', count: 1, meanRoiE9: 10n * E9 },
      { date: '2024-10-05', count: 2, meanRoiE9: 40n * E9 },
    ]);
  });

  test('by model and by day add up to the whole, in any order of rows', () => {
    const anyRow = fc.record({
      model: fc.constantFrom(...SIGNAL_MODELS),
      createdAtMs: fc.integer({ min: 20_000 * DAY_MS, max: 20_004 * DAY_MS }),
      roiE9: fc.bigInt({ min: -100n * E9, max: 9_000n * E9 }),
    });
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 30 }), (drafts) => {
        const rows = drafts.map(aRow);
        const all = signalStatistics(rows);
        const counts = (parts: readonly { readonly count: number }[]) =>
          parts.reduce((sum, { count }) => sum + count, 0);
        expect([counts(all.models), counts(all.days)]).toEqual([rows.length, rows.length]);
        for (const { model, count } of all.models) {
          expect(signalStatistics(rows.filter((row) => row.model === model)).count).toBe(count);
        }
        expect(signalStatistics(rows.toReversed())).toEqual(all);
      }),
    );
  });
});

describe('lift', () => {
  /** Twenty days, each with one return for two signals and one for two random minutes. */
  function days(signal: (day: number) => number, control: (day: number) => number) {
    const of = (percent: (day: number) => number): MatchedReturn[] =>
      Array.from({ length: 40 }, (_, at) => ({ day: at >> 1, cell: 1, percent: percent(at >> 1) }));
    return matchedLift(of(signal), of(control));
  }

  test('is what signals earn beyond random minutes, regardless of the market', () => {
    const market = (day: number) => (day % 2 === 0 ? 40 : -35);
    expect(days((day) => market(day) + 3, market)).toEqual({
      matched: 40,
      mean: 5.5,
      baseRate: 2.5,
      lift: 3,
      interval: [expect.closeTo(3, 9), expect.closeTo(3, 9)],
    });
  });

  test('of pure noise has an interval around zero', () => {
    const noise = (day: number) => [12, -9, 4, -7][day % 4] ?? 0;
    const { interval } = days(noise, (day) => noise(day + 1)) ?? {};
    expect(interval?.[0]).toBeLessThan(0);
    expect(interval?.[1]).toBeGreaterThan(0);
  });

  test('compares within cells: a generally rising cell gives no lift', () => {
    const at = (cell: number, percent: number, day: number) => ({ cell, percent, day });
    const signals = [at(1, 50, 0), at(1, 50, 1), at(2, -10, 2)];
    const controls = [at(1, 50, 0), at(2, -10, 1), at(2, -10, 2), at(2, -10, 3)];
    expect(matchedLift(signals, controls)).toEqual({
      matched: 3,
      mean: 30,
      baseRate: 30,
      lift: 0,
      interval: null,
    });
  });

  test('excludes signals without a random minute, and is null without any', () => {
    const signals = [
      { cell: 1, percent: 5, day: 0 },
      { cell: 9, percent: 500, day: 0 },
    ];
    expect(matchedLift(signals, [{ cell: 1, percent: 2, day: 0 }])).toMatchObject({
      matched: 1,
      lift: 3,
    });
    expect(matchedLift(signals, [{ cell: 3, percent: 2, day: 0 }])).toBeNull();
    expect(matchedLift([], [])).toBeNull();
  });

  test('has an interval that contains the true lift in about 95 of 100 samples', () => {
    let covered = 0;
    for (let sample = 0; sample < 100; sample++) {
      const bell = bellCurve(sample + 1);
      const draw = (edge: number): MatchedReturn[] =>
        Array.from({ length: 120 }, (_, at) => ({
          day: at % 30,
          cell: at % 3,
          percent: 20 * bell() + edge,
        }));
      const { interval } = matchedLift(draw(4), draw(0)) ?? {};
      if (interval == null) throw new Error('thirty days are enough');
      if (interval[0] <= 4 && interval[1] >= 4) covered++;
    }
    // Binomial of 100 at 0.95: below 86 in one of ten thousand.
    expect(covered).toBeGreaterThanOrEqual(86);
  });
});

/** Sums of twelve uniform numbers minus six, by a generator unrelated to the code's. */
function bellCurve(seed: number): () => number {
  let state = seed;
  const unit = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return () => Array.from({ length: 12 }, unit).reduce((sum, one) => sum + one, -6);
}

describe('execution statistics', () => {
  function anExecution(percents: readonly [bigint, bigint] | null): ExecutionRow {
    const [small, large] = percents ?? [];
    const returns =
      percents === null
        ? null
        : [
            { ticketUsd: 200, returnE9: (small ?? 0n) * E9 },
            { ticketUsd: 1_000, returnE9: (large ?? 0n) * E9 },
          ];
    return {
      createdAtMs: 20_000 * DAY_MS,
      ageMs: null,
      marketCapUsd: nano(50_000),
      liquidityUsd: nano(15_000),
      returns: Object.fromEntries(
        EXIT_RULES.map((rule) => [rule, returns]),
      ) as ExecutionRow['returns'],
    };
  }

  test('count what is closed, by ticket and rule, with the returns of random minutes', () => {
    const signals = [anExecution([10n, 6n]), anExecution([-20n, -30n]), anExecution(null)];
    const found = executionStatistics(signals, [anExecution([-8n, -10n])]);
    expect(found.length).toBe(2 * EXIT_RULES.length);
    const common = { rule: 'hold_1h', count: 2, winShare: 0.5 };
    expect(found.filter(({ rule }) => rule === 'hold_1h')).toMatchObject([
      {
        ...common,
        ticketUsd: 200,
        meanE9: -5n * E9,
        medianE9: -5n * E9,
        lift: { baseRate: -8, lift: 3 },
      },
      { ...common, ticketUsd: 1_000, meanE9: -12n * E9, lift: { baseRate: -10, lift: -2 } },
    ]);
  });

  test('without rows are zeros and nulls', () => {
    expect(executionStatistics([], [])[0]).toEqual({
      rule: 'hold_5m',
      ticketUsd: 200,
      count: 0,
      meanE9: 0n,
      medianE9: 0n,
      winShare: null,
      lift: null,
    });
  });
});

test('cells distinguish ages, market caps and liquidities, including at their bounds', () => {
  const cell = (hours: number | null, cap: number, liquidity: number) =>
    marketCellOf({
      ageMs: hours === null ? null : hours * 3_600_000,
      marketCapUsd: nano(cap),
      liquidityUsd: nano(liquidity),
    });
  expect(cell(0.9, 29_999, 10_000)).toBe(0);
  const cells = [0, 1, 6, 24, 168].flatMap((hours) =>
    [0, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000].flatMap((cap) =>
      [0, 20_000, 50_000, 100_000, 300_000].map((liquidity) => cell(hours, cap, liquidity)),
    ),
  );
  expect(new Set(cells).size).toBe(5 * 7 * 5);
  expect(cell(null, 0, 0)).toBe(cell(9_000, 0, 0));
});
