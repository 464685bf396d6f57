import { expect, test } from 'vitest';
import { meanGapNs, meanTradeFrequencyNs } from './trade-frequency.ts';

test.each([
  [2, 10_000, 30_000, 20_000_000_000n],
  [4, 0, 10_000, 3_333_333_333n],
  [1_000, 5_000, 5_000, 0n],
  [1, 10_000, 10_000, null],
  [0, 0, 0, null],
])('%d trades from %d to %d ms are apart %d ns in the mean', (trades, firstMs, lastMs, gapNs) => {
  expect(meanGapNs(trades, firstMs, lastMs)).toBe(gapNs);
});

test('the mean weights all wallets equally, and is null without wallets', () => {
  expect(meanTradeFrequencyNs({ gapWallets: 2, gapNs: 110_000_000_000n })).toBe(55e9);
  expect(meanTradeFrequencyNs({ gapWallets: 0, gapNs: 0n })).toBeNull();
});
