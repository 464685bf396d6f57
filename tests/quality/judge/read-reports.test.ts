import { describe, expect, test } from 'vitest';
import type { FraudGoal, FraudQuality } from '../fraud-quality.ts';
import { intervalOfShare } from './judged-figure.ts';
import { readFraud, readLaunches, readSentiment } from './read-reports.ts';

const goal = (what: string, rest: Partial<FraudGoal> = {}): FraudGoal => ({
  ...{ what, bound: 'least', wanted: 0.85, value: 0.9, trials: null, isMet: true },
  ...rest,
});
const quality = (...goals: readonly FraudGoal[]) =>
  ({ seeds: ['held-back-1', 'held-back-2', 'held-back-3'], goals }) as unknown as FraudQuality;

describe('the table of all reports', () => {
  test('has hard attacks in a part of their own, unless rules were chosen on their seeds', () => {
    const report = quality(goal('wash_volume, hard: found'), goal('wash_volume, easy: found'));
    expect(readFraud(report, 'held back').map(({ part }) => part)).toEqual([
      'adversarial',
      'held back',
    ]);
    expect(readFraud(report, 'training').map(({ part }) => part)).toEqual(['training', 'training']);
  });

  test('shows the bound, the value, its interval and the seeds', () => {
    const [figure] = readFraud(quality(goal('all: found', { trials: 100 })), 'held back');
    expect(figure).toEqual({
      part: 'held back',
      report: 'fraud',
      what: 'all: found',
      wanted: '≥ 0.850',
      measured: '0.900',
      interval: ['0.826', '0.945'],
      seeds: 'held-back-1 … held-back-3',
      isMet: true,
    });
  });

  test('says so where nothing could be measured, and counts it as missed', () => {
    const [figure] = readFraud(quality(goal('x', { value: null, isMet: false })), 'held back');
    expect(figure).toMatchObject({ measured: 'nothing', interval: null, isMet: false });
  });

  test('judges nothing that is not asked for', () => {
    const [free, asked] = readSentiment([
      { name: 'a', wanted: null, measured: 0.5, interval: null },
      { name: 'b', wanted: 0.6, measured: 0.5, interval: [0.4, 0.6] },
    ]);
    expect([free?.isMet, asked?.isMet]).toEqual([null, false]);
    expect(asked?.interval).toEqual(['0.400', '0.600']);
  });

  test('shows recorded launches by their number, with an interval where there are some', () => {
    const [some, none] = readLaunches([
      { what: 'a', hits: 9, of: 10, wanted: 'all', isMet: false },
      { what: 'b', hits: 0, of: 0, wanted: 'none', isMet: false },
    ]);
    expect(some).toMatchObject({ part: 'recorded', wanted: 'all', measured: '9 of 10' });
    expect(some?.interval).toEqual(['0.596', '0.982']);
    expect(none?.interval).toBeNull();
  });

  test("gives Wilson's interval: 9 of 10 is .596 to .982 (Newcombe 1998, method 3)", () => {
    const [low, high] = intervalOfShare(0.9, 10);
    expect(low).toBeCloseTo(0.596, 3);
    expect(high).toBeCloseTo(0.982, 3);
  });
});
