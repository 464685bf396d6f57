import { describe, expect, it } from 'vitest';
import { inspectLinked } from '../../../tests/support/fraud-tests.ts';
import { aBuy, aCase, aFunding, supplyShare } from '../../../tests/support/mint-case.ts';
import { FRAUD_TYPES, type FraudType } from '../../model/fraud.ts';
import type { Detector } from '../contract/detector.ts';
import { DETECTORS } from './registry.ts';

/** Types without a detector so far. */
const PENDING: readonly FraudType[] = [];

describe('the registry of detectors', () => {
  it('has one detector for every type of fraud that is not pending', () => {
    const found = DETECTORS.map(({ name }) => name);
    expect(found).toEqual(FRAUD_TYPES.filter((type) => found.includes(type)));
    for (const type of FRAUD_TYPES) {
      expect(found.filter((one) => one === type).length).toBe(PENDING.includes(type) ? 0 : 1);
    }
  });

  it.each(DETECTORS)('has the specified severity for $name', (detector) => {
    const severities: Record<FraudType, number> = {
      traditional_bundle: 9,
      late_bundle: 8,
      bundle_and_launder: 10,
      fake_dump: 8,
      coordinated_exit: 9,
      wash_volume: 7,
    };
    expect(detector.severity).toBe(severities[detector.name]);
  });

  it.each(DETECTORS)('has a complete card for $name', (detector) => {
    expect(missingOf(detector)).toEqual([]);
  });

  it('detects empty fields of a card', () => {
    const card = {
      pattern: ' ',
      lookAlikes: ['real', ''],
      thresholds: { share: { value: 1, reason: '' } },
    };
    const bare = { ...(DETECTORS[0] as Detector), card };
    expect(missingOf(bare)).toEqual(['pattern', 'look-alike', 'reason of share']);
    const empty = { ...bare, card: { pattern: 'real', lookAlikes: [], thresholds: {} } };
    expect(missingOf(empty)).toEqual(['look-alikes', 'thresholds']);
  });

  it.each(DETECTORS)('uses only existing link families for $name', (detector) => {
    const wallets = ['a', 'b', 'c', 'd'];
    const mintCase = aCase({
      trades: wallets.map((wallet, txIndex) =>
        aBuy(wallet, { txIndex, baseRaw: supplyShare(0.05) }),
      ),
      wallets: Object.fromEntries(
        wallets.map((wallet) => [wallet, { fundings: [aFunding('creator')] }]),
      ),
    });
    expect(() => inspectLinked(detector, mintCase)).not.toThrow();
  });
});

/** The empty fields of a card. */
function missingOf({ card }: Detector): string[] {
  const isEmpty = (text: string) => text.trim() === '';
  const thresholds = Object.entries(card.thresholds);
  return [
    ...(isEmpty(card.pattern) ? ['pattern'] : []),
    ...(card.lookAlikes.length === 0 ? ['look-alikes'] : []),
    ...card.lookAlikes.filter(isEmpty).map(() => 'look-alike'),
    ...(thresholds.length === 0 ? ['thresholds'] : []),
    ...thresholds.filter(([, { reason }]) => isEmpty(reason)).map(([name]) => `reason of ${name}`),
  ];
}
