import { describe, expect, test } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import { aBuy, aCase } from '../../../tests/support/mint-case.ts';
import type { Finding, FraudType } from '../../model/fraud.ts';
import { asSlot } from '../../model/units.ts';
import { CONTRACT_VERSION, type Detector } from '../contract/detector.ts';
import { createReading, inspectCase } from './inspect-case.ts';

function finding(fraudType: FraudType, confidence: number, root: string): Finding {
  return {
    fraudType,
    mint: named('mint'),
    pool: named('pool'),
    bias: 0,
    features: [],
    rawScore: confidence,
    confidence,
    evidence: [],
    wallets: [],
    valueAtRiskUsd: null,
    clusterRoot: named(root),
    patternStartSlot: asSlot(1),
  };
}

/** Detectors that find these, one for each. */
function finders(...findings: readonly Finding[]): readonly Detector<FraudType>[] {
  const card = { pattern: 'p', lookAlikes: ['l'], thresholds: {} };
  return findings.map(({ fraudType, mint: _, pool: __, ...judgement }) => ({
    ...{ contractVersion: CONTRACT_VERSION, version: 1, severity: 7, card },
    name: fraudType,
    inspect: () => [judgement],
  }));
}

describe('inspecting a case', () => {
  test('finds nothing in a mint without trades', () => {
    expect(inspectCase(aCase())).toEqual([]);
  });

  test('returns the most confident finding first, from any detector', () => {
    const weak = finding('traditional_bundle', 0.6, 'a');
    const strong = finding('wash_volume', 0.9, 'b');
    const alike = finding('late_bundle', 0.6, 'a');
    const twin = finding('late_bundle', 0.6, '0');
    const detectors = finders(alike, weak, twin, strong);
    expect(inspectCase(aCase(), detectors)).toEqual([strong, weak, twin, alike]);
    expect(inspectCase(aCase(), detectors.toReversed())).toEqual([strong, weak, twin, alike]);
  });

  test('computes clusters once per set of excluded families, in any order', () => {
    const { clusters } = createReading(aCase());
    expect(clusters(['sweep', 'co-trades'])).toBe(clusters(['co-trades', 'sweep']));
    expect(clusters()).toBe(clusters([]));
  });

  test('excludes a family only if it has links', () => {
    const mintCase = aCase({
      trades: [aBuy('ann'), aBuy('bob', { feePayer: named('ann') })],
    });
    const { clusters } = createReading(mintCase);
    expect(clusters().all).toMatchObject([{ members: ['ann', 'bob'] }]);
    expect(clusters(['sweep'])).toBe(clusters());
    expect(clusters(['fee-payer']).all).toEqual([]);
  });
});
