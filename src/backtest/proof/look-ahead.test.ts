import { describe, expect, test } from 'vitest';
import { faultsOf, hitAt, INNOCENT, PEEKING } from '../../../tests/support/peeking-features.ts';
import { asUsdNano } from '../../model/units.ts';
import { FAULTS_MAX, lookAheadFaults, lookAheadReport } from './look-ahead.ts';

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

  test('checks every hit, and names a bounded number of faults', () => {
    const hits = Array.from({ length: 2_000 }, (_, at) => ({
      ...{ hit: hitAt(at), ageMs: 0, marketCapUsd: asUsdNano(0n), liquidityUsd: asUsdNano(0n) },
      ...{ path: null, values: { peek: at }, cutValues: { peek: at < 500 ? at : null } },
    }));
    const report = lookAheadReport(hits);
    expect(report?.checked).toBe(2_000);
    expect(report?.faults).toHaveLength(FAULTS_MAX);
    expect(report?.faults[0]).toMatchObject({ feature: 'peek', recorded: '500', cut: null });
    expect(lookAheadReport(hits.slice(0, 500))?.faults).toEqual([]);
    expect(lookAheadReport([])).toBeNull();
  });
});
