import { describe, expect, test } from 'vitest';
import { isAsBefore, isSuddenlyHigher } from './drift-rule.ts';

const recent = (hits: number, total: number, hitSlots = hits) => ({ hits, total, hitSlots });
const past = (hits: number, total: number) => ({ hits, total });

describe('a share that rises', () => {
  // By chance: P[X ≥ 15] of 50 at 4.3 %, the upper bound of the past share, is 1.6e-9.
  test.each([
    ['from nothing to 30 % is sudden', recent(15, 50), past(0, 200), true],
    ['from nothing to 2 % of many is sudden', recent(200, 10_000), past(0, 1_000_000), true],
    ['from 5 % to 35 % is sudden', recent(35, 100), past(500, 10_000), true],
    ['from nothing to all is sudden', recent(50, 50), past(0, 200), true],
    ['to less than one point more is not', recent(90, 10_000), past(0, 1_000_000), false],
    // A small venue, called every ten slots: P[X ≥ 12] of 12 at 4.3 % is 4e-17.
    ['of 12 called in a minute, all unknown, is sudden', recent(12, 12), past(0, 200), true],
    ['of fewer than 12 is not', recent(11, 11), past(0, 10_000), false],
    ['of a past of fewer than 200 is not', recent(50, 50), past(0, 199), false],
    ['in two slots alone is not', recent(50, 100, 2), past(0, 10_000), false],
    ['of 5 % to 10 % of 50 is what chance gives', recent(5, 50), past(500, 10_000), false],
    ['from 2 % to 3 % of 10,000 is sudden', recent(310, 10_000), past(20_000, 1_000_000), true],
    ['that stays at 40 % is not', recent(2_010, 5_000), past(400_000, 1_000_000), false],
    ['that falls is not', recent(10, 5_000), past(400_000, 1_000_000), false],
  ])('%s', (_, now, before, isSudden) => {
    expect(isSuddenlyHigher(now, before)).toBe(isSudden);
  });
});

describe('an alarm', () => {
  test.each([
    ['ends at the share of before', past(20, 1_000), past(2_000, 100_000), true],
    ['ends half a point above it', past(25, 1_000), past(2_000, 100_000), true],
    ['goes on a point above it', past(300, 10_000), past(2_000, 100_000), false],
    ['goes on while little is called', past(0, 11), past(0, 100_000), false],
    ['ends when nothing is wrong', past(0, 12), past(0, 100_000), true],
  ])('%s', (_, now, before, isOver) => {
    expect(isAsBefore(now, before)).toBe(isOver);
  });
});
