import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkBy, strengthBy } from '../../../tests/support/link-readings.ts';
import { aBuy, aCase, aSell, sol } from '../../../tests/support/mint-case.ts';

const PAIR = ['ann', 'bob'] as const;
type BuyDraft = Parameters<typeof aBuy>[1];

function strengthOf(ann: BuyDraft, bob: BuyDraft): number {
  return strengthBy('equal-size', aCase({ trades: [aBuy('ann', ann), aBuy('bob', bob)] }), PAIR);
}

const size = (whole: number) => ({ lamports: sol(whole) });

describe('buys of one non-round size', () => {
  it('are a weak link', () => {
    const trades = [aBuy('ann', size(0.7341)), aBuy('bob', size(0.7341))];
    expect(linkBy('equal-size', aCase({ trades }), PAIR)).toEqual({
      one: 'ann',
      other: 'bob',
      family: 'equal-size',
      strength: 0.3,
      relationship: 'coordinated_trading',
      via: null,
    });
  });

  it('are equal to four decimals of SOL', () => {
    expect(strengthOf(size(0.734_05), size(0.734_149_999))).toBe(0.3);
    expect(strengthOf(size(0.7341), size(0.734_15))).toBe(0);
  });

  it('must not be a multiple of 0.01 SOL, before or after the pool’s fee', () => {
    expect(strengthOf(size(0.73), size(0.73))).toBe(0);
    // 0.73 SOL plus one percent.
    expect(strengthOf(size(0.7373), size(0.7373))).toBe(0);
    expect(strengthOf(size(0.7301), size(0.7301))).toBe(0.3);
  });

  it('are at most ten slots apart', () => {
    expect(strengthOf(size(0.7341), { slot: 1_010, ...size(0.7341) })).toBe(0.3);
    expect(strengthOf(size(0.7341), { slot: 1_011, ...size(0.7341) })).toBe(0);
  });

  it('must not come from a terminal or an arbitrage', () => {
    expect(strengthOf(size(0.7341), { isTerminal: true, ...size(0.7341) })).toBe(0);
    expect(strengthOf(size(0.7341), { isArbitrage: true, ...size(0.7341) })).toBe(0);
  });

  it('do not include sells', () => {
    const trades = [
      ...[aBuy('ann', size(1)), aBuy('bob', size(1))],
      ...[aSell('ann', size(0.7341)), aSell('bob', size(0.7341))],
    ];
    expect(strengthBy('equal-size', aCase({ trades }), PAIR)).toBe(0);
  });
});

describe('sizes of any amount', () => {
  /** To the nearest, halves upwards. */
  const nearest = (amount: bigint, by: bigint) => (2n * amount + by) / (2n * by);
  const isOdd = (lamports: bigint, feeBps: bigint) =>
    nearest(lamports, 100_000n) % 100n !== 0n &&
    nearest(nearest(lamports * 10_000n, 10_000n + feeBps), 100_000n) % 100n !== 0n;

  it('are rounded exactly, even if doubles would not be', () => {
    const lamports = fc
      .oneof(
        fc.bigInt({ min: 0n, max: 10n ** 10n }),
        fc.bigInt({ min: 2n ** 39n - 10n ** 6n, max: 2n ** 39n + 10n ** 6n }),
        fc.bigInt({ min: 0n, max: 2n ** 63n }),
        // Around halves of a step, with and without a fee.
        fc
          .tuple(fc.bigInt({ min: 0n, max: 10n ** 6n }), fc.bigInt({ min: -2n, max: 2n }))
          .map(([steps, off]) => steps * 100_000n + 50_000n + off),
      )
      .map((amount) => (amount < 0n ? 0n : amount));
    const apart = fc.constantFrom(0n, 0n, 1n, 49_999n, 50_000n, 100_000n);
    fc.assert(
      fc.property(lamports, apart, fc.constantFrom(0, 25, 100, 125, 9_999), (one, more, feeBps) => {
        const other = one + more;
        const { market } = aCase();
        const trades = [one, other].map((amount, index) =>
          aBuy(PAIR[index] ?? '', { lamports: amount as ReturnType<typeof sol> }),
        );
        const mintCase = aCase({ trades, market: market === null ? null : { ...market, feeBps } });
        const isLinked =
          isOdd(one, BigInt(feeBps)) &&
          isOdd(other, BigInt(feeBps)) &&
          nearest(one, 100_000n) === nearest(other, 100_000n);
        expect(strengthBy('equal-size', mintCase, PAIR)).toBe(isLinked ? 0.3 : 0);
      }),
      { numRuns: 1_500 },
    );
  });
});
