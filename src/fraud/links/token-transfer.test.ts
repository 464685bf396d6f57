import { describe, expect, it } from 'vitest';
import { linkBy, numbered, strengthBy } from '../../../tests/support/link-readings.ts';
import { aBuy, aCase, aTransfer } from '../../../tests/support/mint-case.ts';

/** Ann buys and sends tokens to this many wallets. */
function caseOf(count: number) {
  return aCase({
    trades: [aBuy('ann')],
    transfers: numbered('friend', count).map((to) => aTransfer('ann', to, { slot: 1_010 })),
  });
}

describe('transfers of the mint', () => {
  it('link sender and receiver', () => {
    expect(linkBy('token-transfer', caseOf(1), ['friend01', 'ann'])).toEqual({
      one: 'ann',
      other: 'friend01',
      family: 'token-transfer',
      strength: 0.75,
      relationship: 'same_entity',
      via: null,
    });
  });

  it('to more than fifty wallets are an airdrop', () => {
    expect(strengthBy('token-transfer', caseOf(50), ['ann', 'friend50'])).toBe(0.75);
    expect(strengthBy('token-transfer', caseOf(51), ['ann', 'friend01'])).toBe(0);
  });

  it('count each receiver once', () => {
    const { transfers } = caseOf(50);
    const again = transfers.map((transfer) => ({
      ...transfer,
      slot: 1_020 as typeof transfer.slot,
    }));
    const mintCase = aCase({ trades: [aBuy('ann')], transfers: [...transfers, ...again] });
    expect(strengthBy('token-transfer', mintCase, ['ann', 'friend01'])).toBe(0.75);
  });

  it('do not link two receivers of one sender', () => {
    expect(strengthBy('token-transfer', caseOf(2), ['friend01', 'friend02'])).toBe(0);
  });
});
