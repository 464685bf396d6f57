import { describe, expect, test } from 'vitest';
import type { Reserves } from '../../model/reserves.ts';
import { setAside, shifted, withHoldings } from './pool-reserves.ts';

const reserves = (
  base: bigint,
  quote: bigint,
  virtualBase: bigint | null = null,
  virtualQuote: bigint | null = null,
) => ({ base, quote, virtualBase, virtualQuote }) as Reserves;

describe('a trade that leaves fees in the vault', () => {
  test('adds them to what is held and not to what prices', () => {
    // 1,000 of quote are traded in; 30 more stay until they are swept.
    const change = {
      poolBaseDelta: -500n,
      poolQuoteDelta: 1_000n,
      keptFees: { base: 0n, quote: 30n },
    } as never;
    expect(shifted(reserves(10_000n, 20_000n), change)).toEqual(
      reserves(9_500n, 21_030n, 9_500n, 21_000n),
    );
  });

  test('and a sweep of them afterwards leave the holdings equal to what prices', () => {
    expect(setAside(reserves(9_500n, 21_030n, 9_500n, 21_000n), 0n, -30n)).toEqual(
      reserves(9_500n, 21_000n, 9_500n, 21_000n),
    );
  });
});

describe('a deposit', () => {
  test('into a pool with waiting fees leaves them out of what prices', () => {
    // Held 1,050 of quote, 50 of them fees; 105 come in, of which the event tells the new holdings.
    const before = reserves(2_000n, 1_050n, 2_000n, 1_000n);
    expect(withHoldings(before, reserves(2_200n, 1_155n))).toEqual(
      reserves(2_200n, 1_155n, 2_200n, 1_105n),
    );
  });

  test('into a pool that prices with what it holds changes nothing else', () => {
    expect(withHoldings(reserves(1n, 1n), reserves(2n, 3n))).toEqual(reserves(2n, 3n));
    expect(withHoldings(null, reserves(2n, 3n))).toEqual(reserves(2n, 3n));
  });

  test('that tells what prices from then on is taken at its word', () => {
    const told = reserves(2n, 3n, 4n, 5n);
    expect(withHoldings(reserves(1n, 1n, 9n, 9n), told)).toEqual(told);
  });
});
