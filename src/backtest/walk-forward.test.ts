import { describe, expect, test } from 'vitest';
import {
  ruleOf,
  syntheticTape,
  TAPE_START_MS,
  tapeOptions,
} from '../../tests/support/synthetic-tape.ts';
import { judgeTape } from './recording/judge-tape.ts';
import { EMBARGO_MS, testedWeeks, walkForward } from './walk-forward.ts';

const DAY_MS = 86_400_000;
const DAYS = 28;
const options = tapeOptions(DAYS, { failedShare: 0 });
const tape = syntheticTape({
  ...{ seed: 'walk', days: DAYS, tokens: 12, everyMinutes: 20, omenShare: 0.02 },
});
const blind = ruleOf(
  'blind',
  ['omen.seen'],
  (values) => values['omen.seen'] === false,
  6 * 3_600_000,
);
const omen = ruleOf('omen', ['omen.seen'], (values) => values['omen.seen'] === true);

describe('a walk forward', () => {
  const { hits, controls } = judgeTape(tape, [blind, omen], options);

  test('chooses what was better before, never what will be', () => {
    const walked = walkForward(hits, controls, options, 2);
    expect(walked?.weeks.map(({ chosen }) => chosen)).toEqual([1, 1, 1]);
    expect(walked?.result.lift?.interval?.[0]).toBeGreaterThan(0);
    // The second variant has hits only in the last week: nothing of it is known in time.
    const late = (hits[1] ?? []).filter(({ hit }) => hit.timeMs >= TAPE_START_MS + 21 * DAY_MS);
    const weeks = walkForward([hits[0] ?? [], late], controls, options, 2)?.weeks ?? [];
    expect(weeks.map(({ chosen }) => chosen)).toEqual([0, 0, 0]);
  });

  test('knows no outcome of the day before a week', () => {
    const weekMs = TAPE_START_MS + 7 * DAY_MS;
    const lastDay = (hits[1] ?? []).filter(
      ({ hit }) => hit.timeMs >= weekMs - EMBARGO_MS && hit.timeMs < weekMs,
    );
    expect(lastDay.length).toBeGreaterThan(10);
    const weeks = walkForward([[], lastDay], controls, options, 2)?.weeks ?? [];
    expect(weeks[0]?.chosen).toBeNull();
    expect(weeks[1]?.chosen).toBe(1);
  });

  test('needs two variants and three weeks', () => {
    expect(walkForward([hits[0] ?? []], controls, options, 1)).toBeNull();
    const short = tapeOptions(20);
    expect(testedWeeks(short)).toHaveLength(1);
    expect(walkForward(hits, controls, short, 2)).toBeNull();
  });
});
