import { describe, expect, it } from 'vitest';
import { costShare, isMakerByRounds, winShare } from './ring-rounds.ts';

/** Rounds of 1 SOL with these results, as parts of their volume. */
const rounds = (...results: readonly number[]) =>
  results.map((result) => ({
    paid: BigInt(Math.round(1e9 * (1 - result))),
    got: BigInt(Math.round(1e9 * (1 + result))),
  }));
const some = (won: number, lost: number) => [
  ...rounds(...Array.from({ length: won }, () => 0.01)),
  ...rounds(...Array.from({ length: lost }, () => -0.01)),
];

describe('rounds', () => {
  it('are won by more than a thousandth of their volume', () => {
    expect(winShare(rounds(0.0011, 0.001, -0.02))).toBeCloseTo(1 / 3, 12);
    expect(winShare([])).toBeNull();
  });

  it('are those of a maker when eight of ten were won, whatever they sum up to', () => {
    expect(isMakerByRounds(some(8, 2))).toBe(true);
    expect(isMakerByRounds(some(7, 3))).toBe(false);
    // Two losses of a fifth take all that eight gains of a hundredth brought.
    expect(isMakerByRounds([...some(8, 0), ...rounds(-0.2, -0.2)])).toBe(true);
    // One gain of a half pays for nine losses: the sum is a profit, the rounds are no maker's.
    expect(isMakerByRounds([...some(0, 9), ...rounds(0.5)])).toBe(false);
  });

  it('are too few to show a maker below five', () => {
    expect(isMakerByRounds(some(4, 0))).toBe(false);
    expect(isMakerByRounds(some(4, 1))).toBe(true);
  });

  it('cost their fees between the largest loss and no gain', () => {
    expect(costShare(rounds(-0.041, -0.04, 0, 0.001, 0.0011), 0.04)).toBe(0.6);
    expect(costShare([], 0.04)).toBeNull();
  });
});
