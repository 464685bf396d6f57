import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HashDraws } from '../../lib/hash-draws.ts';
import { DayDraws } from './day-draws.ts';
import { MatchedLift } from './matched-lift.ts';
import { atOnce } from './turns.ts';

interface Row {
  readonly day: number;
  readonly cell: number;
  /** Percent with nine decimals by rule; null if the position is open. */
  readonly returns: readonly (number | null)[];
}

const RULES = 3;

/** Few random minutes in many cells: some draws have none to compare with. */
const aRow = fc.record({
  day: fc.integer({ min: 20_000, max: 20_009 }),
  cell: fc.integer({ min: 3, max: 8 }),
  returns: fc.array(fc.option(fc.integer({ min: -100_000_000_000, max: 900_000_000_000 })), {
    minLength: RULES,
    maxLength: RULES,
  }),
});

test('a comparison of fewer than 20 signals, or of fewer than 5 days of them, has no interval', () => {
  const rowOf = (day: number): Row => ({ day, cell: 3, returns: [0, 0, 0] });
  const controls = Array.from({ length: 30 }, (_, day) => rowOf(20_000 + day));
  const intervalOf = (signals: readonly Row[]) => {
    const matching = new MatchedLift(placesOf(signals), placesOf(controls), new DayDraws());
    const buffer = new Float64Array(100);
    const own = matching.signals.sumsOf(returnsOf(signals, 0), buffer);
    const base = matching.controls.sumsOf(returnsOf(controls, 0), buffer);
    return atOnce(matching.of(own, base))?.interval;
  };
  const over = (count: number, days: number) =>
    Array.from({ length: count }, (_, at) => rowOf(20_000 + (at % days)));
  expect(intervalOf(over(20, 5))).toEqual([0, 0]);
  expect(intervalOf(over(19, 5))).toBeNull();
  expect(intervalOf(over(90, 4))).toBeNull();
});

test('a comparison resamples whole days, with all their rows', () => {
  const signalRows = fc.array(aRow, { maxLength: 80 });
  const controlRows = fc.array(aRow, { maxLength: 25 });
  const draws = new DayDraws();
  fc.assert(
    fc.property(signalRows, controlRows, (signals, controls) => {
      const buffer = new Float64Array(signals.length + controls.length);
      const matching = new MatchedLift(placesOf(signals), placesOf(controls), draws);
      // In sequence, because the counts of a rule are computed from the differences to the previous
      // one.
      for (let rule = 0; rule < RULES; rule++) {
        const own = matching.signals.sumsOf(returnsOf(signals, rule), buffer);
        const base = matching.controls.sumsOf(returnsOf(controls, rule), buffer);
        expect(atOnce(matching.of(own, base))).toEqual(naiveLift(signals, controls, rule));
      }
    }),
    { numRuns: 60 },
  );
});

function placesOf(rows: readonly Row[]) {
  return {
    days: Int32Array.from(rows, ({ day }) => day),
    cells: Int32Array.from(rows, ({ cell }) => cell),
  };
}

/** From the last row to the first. */
function returnsOf(rows: readonly Row[], rule: number) {
  const last = rows.length - 1;
  return {
    column: Float64Array.from(rows.toReversed(), ({ returns }) => returns[rule] ?? Number.NaN),
    rows: Int32Array.from(rows, (_, at) => last - at),
  };
}

function naiveLift(signals: readonly Row[], controls: readonly Row[], rule: number) {
  const days = [...new Set([...signals, ...controls].map(({ day }) => day))].sort(
    (one, other) => one - other,
  );
  const whole = compare(signals, controls, rule);
  if (whole === null) return null;
  const about = {
    matched: whole.matched,
    mean: expect.closeTo(whole.mean, 8),
    baseRate: expect.closeTo(whole.baseRate, 8),
    lift: expect.closeTo(whole.lift, 8),
  };
  const isFew = whole.matched < 20 || whole.days < 5;
  if (isFew) return { ...about, interval: null };
  const draws = new HashDraws(`signals against random minutes ${days.length}`);
  const lifts: number[] = [];
  for (let replicate = 0; replicate < 250; replicate++) {
    const drawn = days.map(() => days[draws.below(days.length)]);
    const of = (rows: readonly Row[]) =>
      drawn.flatMap((day) => rows.filter((row) => row.day === day));
    const found = compare(of(signals), of(controls), rule);
    if (found !== null) lifts.push(found.lift);
  }
  lifts.sort((one, other) => one - other);
  const at = (share: number) => lifts[Math.round(share * (lifts.length - 1))] ?? Number.NaN;
  return { ...about, interval: [expect.closeTo(at(0.025), 8), expect.closeTo(at(0.975), 8)] };
}

/**
 * METHODS §6.3 literally: each signal is compared with the mean of the random minutes of its cell.
 */
function compare(signals: readonly Row[], controls: readonly Row[], rule: number) {
  const closed = (rows: readonly Row[]) =>
    rows.flatMap(({ cell, day, returns }) => {
      const percentE9 = returns[rule] ?? null;
      return percentE9 === null ? [] : [{ cell, day, percent: percentE9 / 1e9 }];
    });
  const bases = closed(controls);
  const pairs = closed(signals).flatMap(({ cell, day, percent }) => {
    const alike = bases.filter((base) => base.cell === cell).map((base) => base.percent);
    return alike.length === 0 ? [] : [{ day, percent, base: mean(alike) }];
  });
  if (pairs.length === 0) return null;
  const [own, base] = [mean(pairs.map(({ percent }) => percent)), mean(pairs.map((p) => p.base))];
  const days = new Set(pairs.map(({ day }) => day)).size;
  return { matched: pairs.length, days, mean: own, baseRate: base, lift: own - base };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
