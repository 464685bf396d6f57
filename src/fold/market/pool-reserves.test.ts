import { describe, expect, test } from 'vitest';
import type { Reserves } from '../../model/reserves.ts';
import { setAside, shifted, withHoldings } from './pool-reserves.ts';

const reserves = (
  base: bigint,
  quote: bigint,
  virtualBase: bigint | null = null,
  virtualQuote: bigint | null = null,
) => ({ base, quote, virtualBase, virtualQuote }) as Reserves;

describe('a trade with fees left in the vault', () => {
  test('adds them to the holdings but not to the pricing reserves', () => {
    // 1,000 of quote are traded in; 30 more stay in the vault until they are swept.
    const change = {
      poolBaseDelta: -500n,
      poolQuoteDelta: 1_000n,
      keptFees: { base: 0n, quote: 30n },
    } as never;
    expect(shifted(reserves(10_000n, 20_000n), change)).toEqual(
      reserves(9_500n, 21_030n, 9_500n, 21_000n),
    );
  });

  test('followed by a sweep leaves holdings equal to pricing reserves', () => {
    expect(setAside(reserves(9_500n, 21_030n, 9_500n, 21_000n), 0n, -30n)).toEqual(
      reserves(9_500n, 21_000n, 9_500n, 21_000n),
    );
  });
});

describe('a deposit', () => {
  test('into a pool with kept fees excludes them from the pricing reserves', () => {
    // The pool held 1,050 of quote, 50 of them fees; 105 are added, and the event has the new
    // holdings.
    const before = reserves(2_000n, 1_050n, 2_000n, 1_000n);
    expect(withHoldings(before, reserves(2_200n, 1_155n))).toEqual(
      reserves(2_200n, 1_155n, 2_200n, 1_105n),
    );
  });

  test('into a pool that prices with its holdings changes nothing else', () => {
    expect(withHoldings(reserves(1n, 1n), reserves(2n, 3n))).toEqual(reserves(2n, 3n));
    expect(withHoldings(null, reserves(2n, 3n))).toEqual(reserves(2n, 3n));
  });

  test('that reports the new pricing reserves sets them', () => {
    const reported = reserves(2n, 3n, 4n, 5n);
    expect(withHoldings(reserves(1n, 1n, 9n, 9n), reported)).toEqual(reported);
  });
});
