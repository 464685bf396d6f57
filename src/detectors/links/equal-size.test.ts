import { describe, expect, it } from 'vitest';
import { linkBy, strengthBy } from '../../../tests/support/link-readings.ts';
import { aBuy, aCase, aSell, sol } from '../../../tests/support/mint-case.ts';

const PAIR = ['ann', 'bob'] as const;
type BuyDraft = Parameters<typeof aBuy>[1];

function strengthOf(ann: BuyDraft, bob: BuyDraft): number {
  return strengthBy('equal-size', aCase({ trades: [aBuy('ann', ann), aBuy('bob', bob)] }), PAIR);
}

const size = (whole: number) => ({ lamports: sol(whole) });

describe('buys of one odd size', () => {
  it('are a weak reason', () => {
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

  it('are no multiple of a hundredth, before or after the pool’s fee', () => {
    expect(strengthOf(size(0.73), size(0.73))).toBe(0);
    // 0.73 SOL and one percent on top.
    expect(strengthOf(size(0.7373), size(0.7373))).toBe(0);
    expect(strengthOf(size(0.7301), size(0.7301))).toBe(0.3);
  });

  it('lie ten slots apart at most', () => {
    expect(strengthOf(size(0.7341), { slot: 1_010, ...size(0.7341) })).toBe(0.3);
    expect(strengthOf(size(0.7341), { slot: 1_011, ...size(0.7341) })).toBe(0);
  });

  it('are no preset of a terminal and no leg of an arbitrage', () => {
    expect(strengthOf(size(0.7341), { isTerminal: true, ...size(0.7341) })).toBe(0);
    expect(strengthOf(size(0.7341), { isArbitrage: true, ...size(0.7341) })).toBe(0);
  });

  it('are no sells', () => {
    const trades = [
      ...[aBuy('ann', size(1)), aBuy('bob', size(1))],
      ...[aSell('ann', size(0.7341)), aSell('bob', size(0.7341))],
    ];
    expect(strengthBy('equal-size', aCase({ trades }), PAIR)).toBe(0);
  });
});
