import { describe, expect, it } from 'vitest';
import { aBuy, LAUNCH_SLOT } from '../../../tests/support/mint-case.ts';
import { toGroup } from './bundle-group.ts';
import { freshEvidence } from './crew.ts';

const buys = ['a', 'b', 'c'].map((wallet, txIndex) => aBuy(wallet, { slot: LAUNCH_SLOT, txIndex }));
const group = toGroup(
  buys.map((buy) => ({ buy, level: 'L2' as const })),
  [],
  buys,
);
const [a, b, c] = buys.map(({ wallet }) => wallet);

describe('the evidence of fresh wallets', () => {
  const evidenceOf = (count: number) =>
    freshEvidence(group.members.slice(0, count), group, 'wallet').payload;

  it('names the fresh wallets', () => {
    expect(evidenceOf(2)).toMatchObject({ sourceWallet: a, relatedWallets: [b], strength: 2 / 3 });
  });

  it('names the group if only one is fresh, so that it is never without wallets', () => {
    expect(evidenceOf(1)).toMatchObject({
      sourceWallet: a,
      relatedWallets: [b, c],
      strength: 1 / 3,
    });
  });
});
