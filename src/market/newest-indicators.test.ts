import { expect, test } from 'vitest';
import { buildMinute } from '../../tests/support/build-records.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { AddressIds } from '../lib/address-ids.ts';
import { UndoLog } from '../lib/undo-log.ts';
import type { ListedIndicators } from '../model/market-listing.ts';
import { type Address, asUsdNano } from '../model/units.ts';
import { NewestIndicators } from './newest-indicators.ts';

const POOL = address('pool');

const FIGURES: ListedIndicators = {
  baseMint: address('mint'),
  totalWallets: 4_000_000_000,
  organicWallets: 3,
  // 18.4 billion dollars fit 64 bits: a broken price can be worth more.
  organicVolumeUsd: asUsdNano(2n ** 100n + 1n),
  organicToTotalWalletsRatio: 0.3333,
  smartMoneyScore: -12.34,
  smartHolders: 1,
  rawHolders: 7,
};

function opened() {
  const undo = new UndoLog(4);
  const indicators = new NewestIndicators(new AddressIds<Address>(), undo);
  const put = (given: Partial<ListedIndicators>) =>
    indicators.put(buildMinute(POOL, 60_000, { ...FIGURES, ...given }).record);
  return { undo, indicators, put };
}

test('listed figures are exact', () => {
  const { indicators, put } = opened();
  expect(indicators.get(POOL)).toBe(null);
  put({});
  expect(indicators.get(POOL)).toEqual(FIGURES);
  expect(indicators.get(address('mint'))).toBe(null);
});

test('an unknown volume is not that of the minute before, nor 0', () => {
  const { indicators, put } = opened();
  put({});
  put({ organicVolumeUsd: null });
  expect(indicators.get(POOL)?.organicVolumeUsd).toBe(null);
  put({ organicVolumeUsd: asUsdNano(5n) });
  expect(indicators.get(POOL)?.organicVolumeUsd).toBe(5n);
});

test('a reverted slot gives back the figures before, or none', () => {
  const { undo, indicators, put } = opened();
  undo.open();
  put({});
  undo.close();
  undo.open();
  put({ rawHolders: 8, organicVolumeUsd: null });
  undo.close();
  undo.undo();
  expect(indicators.get(POOL)).toEqual(FIGURES);
  undo.undo();
  expect(indicators.get(POOL)).toBe(null);
});
