import { describe, expect, test } from 'vitest';
import { buildRule } from '../../tests/support/build-rule.ts';
import type { FeatureValue } from './features/feature.ts';
import { givenFeatures } from './features/read-features.ts';
import { judge } from './judge.ts';
import { advanceSequence, type SequenceState } from './sequence.ts';

const given = (values: Readonly<Record<string, FeatureValue | null>>) =>
  givenFeatures('pool_minute', values);

describe('a judgement', () => {
  const rule = buildRule({
    when: 'pool.buys > 3 && pool.sells > 1',
    confidence: 'pool.buys / 10',
    reasons: [
      { when: 'pool.sells > 5', add: 0.25, reason: 'Many sold.' },
      { when: 'token.is_freezable', add: -0.5, reason: 'It can be frozen.' },
    ],
    evidence: ['pool.sells', 'token.name'],
  });

  test('has the confidence of its reasons, which are those that apply', () => {
    // 4 / 10 + 0.25; a reason that is unknown does not apply.
    expect(judge(rule, given({ 'pool.buys': 4, 'pool.sells': 6 }))).toEqual({
      passed: true,
      unknown: [],
      confidence: 0.65,
      reasons: ['Many sold.'],
      evidence: [
        { name: 'pool.sells', value: 6 },
        { name: 'token.name', value: null },
      ],
    });
  });

  test('has a confidence between 0 and 1', () => {
    const sure = judge(rule, given({ 'pool.buys': 12, 'pool.sells': 6 }));
    expect(sure.confidence).toBe(1);
    const frozen = { 'pool.buys': 4, 'pool.sells': 2, 'token.is_freezable': true };
    expect(judge(rule, given(frozen)).confidence).toBe(0);
  });

  test('names what is unknown, unless what is known decides', () => {
    expect(judge(rule, given({ 'pool.buys': 4 }))).toMatchObject({
      passed: false,
      unknown: ['pool.sells'],
    });
    expect(judge(rule, given({ 'pool.buys': 3 }))).toMatchObject({ passed: false, unknown: [] });
    const divided = buildRule({ when: 'pool.buys / pool.sells > 1' });
    expect(judge(divided, given({ 'pool.buys': 1, 'pool.sells': 0 })).unknown).toEqual([
      'division by zero',
    ]);
  });
});

describe('a sequence', () => {
  const rule = buildRule({
    when: 'pool.buys == 1',
    sequence: [
      { when: 'pool.buys == 2', within_minutes: 5 },
      { when: 'pool.buys == 3', within_minutes: 2 },
    ],
  });

  /** Minutes with their number of purchases; the minutes in which the rule passed. */
  function passedIn(minutes: readonly (readonly [minute: number, buys: number])[]): number[] {
    let state: SequenceState | null = null;
    const passed: number[] = [];
    for (const [minute, buys] of minutes) {
      const progress = advanceSequence(rule, state, given({ 'pool.buys': buys }), minute * 60_000);
      state = progress.state;
      if (progress.passed) passed.push(minute);
    }
    return passed;
  }

  test('passes when all steps pass in order and in time', () => {
    expect(
      passedIn([
        [0, 1],
        [3, 2],
        [5, 3],
      ]),
    ).toEqual([5]);
    expect(
      passedIn([
        [0, 1],
        [5, 2],
        [7, 3],
      ]),
    ).toEqual([7]);
  });

  test('does not pass a minute late, out of order, or with a step missing', () => {
    expect(
      passedIn([
        [0, 1],
        [6, 2],
        [7, 3],
      ]),
    ).toEqual([]);
    expect(
      passedIn([
        [0, 1],
        [3, 2],
        [6, 3],
      ]),
    ).toEqual([]);
    expect(
      passedIn([
        [0, 2],
        [1, 1],
        [2, 3],
      ]),
    ).toEqual([]);
    expect(
      passedIn([
        [0, 1],
        [1, 3],
      ]),
    ).toEqual([]);
  });

  test('counts from the newest beginning, and begins anew after it passed or was late', () => {
    expect(
      passedIn([
        [0, 1],
        [4, 1],
        [8, 2],
        [9, 3],
      ]),
    ).toEqual([9]);
    expect(
      passedIn([
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 3],
        [4, 1],
        [5, 2],
        [6, 3],
      ]),
    ).toEqual([2, 6]);
    expect(
      passedIn([
        [0, 1],
        [1, 2],
        [9, 1],
        [10, 2],
        [11, 3],
      ]),
    ).toEqual([11]);
  });
});
