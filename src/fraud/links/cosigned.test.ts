import { describe, expect, it } from 'vitest';
import { linkBy, strengthBy } from '../../../tests/support/link-readings.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { aBuy, aCase } from '../../../tests/support/mint-case.ts';

describe('transactions with several signers', () => {
  it('link all of them', () => {
    const cosigners = [named('bob'), named('eve')];
    const mintCase = aCase({ trades: [aBuy('ann', { cosigners }), aBuy('bob'), aBuy('eve')] });
    expect(linkBy('cosigned', mintCase, ['ann', 'bob'])).toEqual({
      one: 'ann',
      other: 'bob',
      family: 'cosigned',
      strength: 0.95,
      relationship: 'same_entity',
      via: null,
    });
    expect(strengthBy('cosigned', mintCase, ['bob', 'eve'])).toBe(0.95);
  });

  it('do not link a wallet that only paid the fee', () => {
    const relayed = { feePayer: named('relay'), cosigners: [named('relay')] };
    const mintCase = aCase({ trades: [aBuy('ann', relayed), aBuy('relay')] });
    expect(strengthBy('cosigned', mintCase, ['ann', 'relay'])).toBe(0);
  });

  it('link a fee payer that trades in the same transaction', () => {
    const together = { feePayer: named('bob'), signature: 'together' };
    const trades = [
      aBuy('ann', { ...together, cosigners: [named('bob')] }),
      aBuy('bob', { ...together, cosigners: [named('ann')] }),
    ];
    expect(strengthBy('cosigned', aCase({ trades }), ['ann', 'bob'])).toBe(0.95);
  });
});
