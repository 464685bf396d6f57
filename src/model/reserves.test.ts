import { describe, expect, test } from 'vitest';
import { effectiveReserves, liquidReserves, type Reserves, withdrawableQuote } from './reserves.ts';

function reserves(quote: bigint, virtualQuote: bigint | null): Reserves {
  const virtualBase = virtualQuote === null ? null : 3n;
  return { base: 2n, quote, virtualBase, virtualQuote } as Reserves;
}

const cases = [
  ['a pool without virtual reserves', reserves(100n, null), { base: 2n, quote: 100n }, 100n],
  ['one with part of its quote set aside', reserves(83n, 100n), { base: 3n, quote: 100n }, 83n],
  ['one with unclaimed fees in its vault', reserves(107n, 100n), { base: 3n, quote: 100n }, 100n],
  ['a curve, which starts with virtual SOL', reserves(5n, 35n), { base: 3n, quote: 35n }, 5n],
] as const;

describe.each(cases)('of %s', (_, given, effective, takeable) => {
  test('effective reserves are the virtual ones where there are any', () => {
    expect(effectiveReserves(given)).toEqual(effective);
    expect(liquidReserves(given, false)).toEqual(effective);
  });

  test('liquidity on a curve is its holdings', () => {
    expect(liquidReserves(given, true)).toMatchObject({ base: 2n, quote: given.quote });
  });

  test('sales cannot take out reserves set aside or fees', () => {
    expect(withdrawableQuote(given)).toBe(takeable);
  });
});
