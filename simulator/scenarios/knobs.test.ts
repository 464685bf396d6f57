import { describe, expect, it } from 'vitest';
import { Random } from '../random/random.ts';
import { FRAUD_TYPES } from '../truth/labels.ts';
import { type AttackKnobs, drawKnobs } from './knobs.ts';

const DRAWS = 300;

function draws(difficulty: AttackKnobs['difficulty']): AttackKnobs[] {
  return FRAUD_TYPES.flatMap((type) =>
    Array.from({ length: DRAWS }, (_, index) =>
      drawKnobs(new Random(`${type}/${index}`), type, difficulty),
    ),
  );
}

describe('knobs', () => {
  it('stay within the ranges of METHODS §7.10 at every difficulty', () => {
    for (const knobs of [...draws('easy'), ...draws('medium'), ...draws('hard')]) {
      expect(knobs.wallets).toBeGreaterThanOrEqual(3);
      expect(knobs.wallets).toBeLessThanOrEqual(60);
      expect(knobs.supplyShare).toBeGreaterThanOrEqual(0.03);
      expect(knobs.supplyShare).toBeLessThanOrEqual(0.6);
      expect([0, 1, 2, 3]).toContain(knobs.fundingHops);
      expect(knobs.sizeJitter).toBeLessThanOrEqual(0.3);
      expect(knobs.slotSpread).toBeLessThanOrEqual(30);
    }
  });

  it('hide nothing when easy', () => {
    for (const { fundingHops, hubShare, agedShare, slotSpread, tipStyle } of draws('easy')) {
      expect([fundingHops, hubShare, agedShare, slotSpread, tipStyle]).toEqual([
        0,
        0,
        0,
        0,
        'shared',
      ]);
    }
  });

  it('use all five evasions of METHODS §7.8b when hard', () => {
    const hard = draws('hard');
    for (const { tipStyle, fundingHops, agedShare, slotSpread } of hard) {
      expect(['each', 'none']).toContain(tipStyle);
      expect(fundingHops).toBe(3);
      expect(agedShare).toBeGreaterThanOrEqual(0.3);
      expect(slotSpread).toBeGreaterThanOrEqual(2);
    }
    expect(new Set(hard.map(({ hubShare }) => hubShare))).toEqual(new Set([0, 0.5, 1]));
  });
});
