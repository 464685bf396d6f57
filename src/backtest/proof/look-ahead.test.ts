import { describe, expect, test } from 'vitest';
import { Random } from '../../../simulator/random/random.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import {
  type ColumnFeature,
  type ColumnMinute,
  INNOCENT,
  PEEKING,
} from '../../../tests/support/peeking-features.ts';
import type { BacktestHit } from '../../model/backtest.ts';
import { asSlot } from '../../model/units.ts';
import { CHECKED_MAX, lookAheadFaults, spread } from './look-ahead.ts';

const START_MS = Date.UTC(2026, 0, 5);
const random = new Random('peeking');
const MINUTES: readonly ColumnMinute[] = Array.from({ length: 600 }, (_, at) => ({
  minuteMs: START_MS + at * 60_000,
  close: 1 + random.unit(),
  volume: 1 + random.unit(),
}));

function hitAt(at: number): BacktestHit {
  const minuteMs = START_MS + at * 60_000;
  return {
    ...{ mint: address('mint'), pool: address('pool'), minuteMs },
    ...{ slot: asSlot(1_000 + at), timeMs: minuteMs + 60_000 },
  };
}

/** Faults of a feature at 50 hits, each compared with a log that ends with the hit's minute. */
function faultsOf(name: string, feature: ColumnFeature) {
  const told = feature(MINUTES);
  const places = spread(Array.from({ length: 300 }, (_, at) => 100 + at));
  return places.flatMap((at) => {
    const cut = feature(MINUTES.slice(0, at + 1));
    return lookAheadFaults(hitAt(at), { [name]: told[at] ?? null }, { [name]: cut[at] ?? null });
  });
}

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
      { feature: 'peek', hit, told: '2', cut: null },
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
