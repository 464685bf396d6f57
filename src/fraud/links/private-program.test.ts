import { describe, expect, it } from 'vitest';
import { linkBy, numbered, strengthBy } from '../../../tests/support/link-readings.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { aBuy, aCase } from '../../../tests/support/mint-case.ts';

const PAIR = ['wallet01', 'wallet02'] as const;

function caseOf(count: number) {
  return aCase({
    trades: numbered('wallet', count).map((wallet) =>
      aBuy(wallet, { privateProgram: named('program') }),
    ),
  });
}

describe('a private program', () => {
  it('is a weak link between its users', () => {
    expect(linkBy('private-program', caseOf(2), PAIR)).toEqual({
      one: 'wallet01',
      other: 'wallet02',
      family: 'private-program',
      strength: 0.5,
      relationship: 'common_program',
      via: 'program',
    });
  });

  it('with more than twenty users is not private', () => {
    expect(strengthBy('private-program', caseOf(20), PAIR)).toBe(0.5);
    expect(strengthBy('private-program', caseOf(21), PAIR)).toBe(0);
  });

  it('is not a public program', () => {
    const mintCase = aCase({ trades: [aBuy('wallet01'), aBuy('wallet02')] });
    expect(strengthBy('private-program', mintCase, PAIR)).toBe(0);
  });
});
