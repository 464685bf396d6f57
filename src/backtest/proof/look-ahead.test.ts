import { describe, expect, test } from 'vitest';
import { faultsOf, hitAt, INNOCENT, PEEKING } from '../../../tests/support/peeking-features.ts';
import { CHECKED_MAX, lookAheadFaults, spread } from './look-ahead.ts';

describe('the proof that a rule does not look ahead', () => {
  test.each(Object.entries(PEEKING))('catches freqtrade’s example: %s', (name, feature) => {
    const faults = faultsOf(name, feature);
    expect(faults.length).toBeGreaterThan(0);
    expect(new Set(faults.map((fault) => fault.feature))).toEqual(new Set([name]));
  });

  test.each(Object.entries(INNOCENT))('lets pass what is recommended: %s', (name, feature) => {
    expect(faultsOf(name, feature)).toEqual([]);
  });

  test('names the feature that differs, with both values, and no other', () => {
    const hit = hitAt(1);
    expect(lookAheadFaults(hit, { fair: 1, peek: 2 }, { fair: 1, peek: null })).toEqual([
      { feature: 'peek', hit, recorded: '2', cut: null },
    ]);
    // A hit whose minute the cut log does not have is a fault of each feature that has a value.
    expect(lookAheadFaults(hit, { fair: 1, unknown: null }, null)).toHaveLength(1);
  });

  test('checks the first and the last hit and 48 between, always the same', () => {
    const items = Array.from({ length: 1_000 }, (_, at) => at);
    const chosen = spread(items);
    expect(chosen).toHaveLength(CHECKED_MAX);
    expect([chosen[0], chosen.at(-1)]).toEqual([0, 999]);
    expect(new Set(chosen).size).toBe(CHECKED_MAX);
    expect(spread(items)).toEqual(chosen);
    expect(spread([1, 2])).toEqual([1, 2]);
  });
});
