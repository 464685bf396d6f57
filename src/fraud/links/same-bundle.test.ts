import { describe, expect, it } from 'vitest';
import { linkBy, strengthBy } from '../../../tests/support/link-readings.ts';
import { aBuy, aCase, aSell } from '../../../tests/support/mint-case.ts';
import type { BundleLevel } from '../../model/derived.ts';

const PAIR = ['ann', 'bob'] as const;
const inGroup = (level: BundleLevel, id = 'a') => ({ group: { id, level } });

describe('one bundle', () => {
  it('links wallets that trade in one direction', () => {
    const mintCase = aCase({ trades: [aBuy('ann', inGroup('L2')), aBuy('bob', inGroup('L2'))] });
    expect(linkBy('same-bundle', mintCase, PAIR)).toEqual({
      one: 'ann',
      other: 'bob',
      family: 'same-bundle',
      strength: 0.75,
      relationship: 'coordinated_trading',
      via: null,
    });
  });

  it.each([
    ['L1', 0.75],
    ['L2', 0.75],
    ['L2o', 0],
    ['L3', 0],
  ] as const)('of level %s has a strength of %f', (level, strength) => {
    const trades = [aBuy('ann', inGroup(level)), aBuy('bob', inGroup(level))];
    expect(strengthBy('same-bundle', aCase({ trades }), PAIR)).toBe(strength);
  });

  it('has one slot and one id', () => {
    const other = [aBuy('ann', inGroup('L2')), aBuy('bob', inGroup('L2', 'b'))];
    const later = [aBuy('ann', inGroup('L2')), aBuy('bob', { slot: 1_001, ...inGroup('L2') })];
    expect(strengthBy('same-bundle', aCase({ trades: other }), PAIR)).toBe(0);
    expect(strengthBy('same-bundle', aCase({ trades: later }), PAIR)).toBe(0);
  });

  it('does not link buyers with sellers', () => {
    const trades = [aBuy('ann', inGroup('L2')), aBuy('bob'), aSell('bob', inGroup('L2'))];
    expect(strengthBy('same-bundle', aCase({ trades }), PAIR)).toBe(0);
  });

  it('does not link the victim of a sandwich with the attacker', () => {
    const trades = [
      aBuy('ann', { txIndex: 1, ...inGroup('L2') }),
      aBuy('bob', { txIndex: 2, ...inGroup('L2') }),
      aSell('ann', { txIndex: 3, ...inGroup('L2') }),
    ];
    expect(strengthBy('same-bundle', aCase({ trades }), PAIR)).toBe(0);
  });
});
