import { describe, expect, it } from 'vitest';
import { linkBy, strengthBy } from '../../../tests/support/link-readings.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { aBuy, aCase } from '../../../tests/support/mint-case.ts';

const PAIR = ['ann', 'bob'] as const;

function caseOf(mints: number) {
  return aCase({
    trades: [aBuy('ann'), aBuy('bob')],
    coTrades: [{ one: named('bob'), other: named('ann'), mints }],
  });
}

describe('trades of the same mints in the same slots', () => {
  it('link wallets with three or more mints', () => {
    expect(linkBy('co-trades', caseOf(3), PAIR)).toEqual({
      one: 'ann',
      other: 'bob',
      family: 'co-trades',
      strength: 0.7,
      relationship: 'coordinated_trading',
      via: null,
    });
    expect(strengthBy('co-trades', caseOf(2), PAIR)).toBe(0);
  });
});
