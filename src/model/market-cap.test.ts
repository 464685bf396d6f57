import { expect, test } from 'vitest';
import { marketCapUsd } from './market-cap.ts';
import { asPriceE18 } from './units.ts';

// A dollar is 10^18 of a price and 10^9 of a value.
test.each([
  [1_000_000n, 6, 1_000_000_000_000_000_000n, 1_000_000_000n],
  [1n, 0, 1_499_999_999n, 1n],
  [1n, 0, 1_500_000_000n, 2n],
  [3n, 6, 500_000_000_000_000n, 2n],
  [0n, 9, 1n, 0n],
])(
  '%d units with %d decimals at %d are worth %d, rounded half up',
  (supply, decimals, price, usd) => {
    expect(marketCapUsd(asPriceE18(price), supply, decimals)).toBe(usd);
  },
);
