import { describe, expect, it } from 'vitest';
import { linksFrom, readingOf } from '../../../tests/support/linked-wallets.ts';
import { aBuy, aCase, aFunding, LAUNCH_SLOT } from '../../../tests/support/mint-case.ts';
import { asSlot } from '../../model/units.ts';
import { toGroup } from '../groups/bundle-group.ts';
import { burstMates, linkedMates } from './bundle-mates.ts';

const START = LAUNCH_SLOT + 1_500;
const OWN = ['w1', 'w2', 'w3'];

/** Three wallets that buy in one slot, and others some slots later, all paid shortly before. */
function stageOf(others: Readonly<Record<string, number>>) {
  const slots = { ...Object.fromEntries(OWN.map((wallet) => [wallet, 0])), ...others };
  const mintCase = aCase({
    trades: Object.entries(slots).map(([wallet, behind]) => aBuy(wallet, { slot: START + behind })),
    wallets: Object.fromEntries(
      Object.keys(slots).map((wallet) => [
        wallet,
        { fundings: [aFunding('exchange', { slot: asSlot(START - 50) })] },
      ]),
    ),
  });
  const own = mintCase.trades.filter(({ wallet }) => OWN.includes(wallet));
  const placed = own.map((buy) => ({ buy, level: 'L2' as const }));
  return { mintCase, group: toGroup(placed, [], own) };
}

describe('mates of a bundle', () => {
  it('are linked to a member and buy within thirty slots after it', () => {
    const { mintCase, group } = stageOf({ near: 30, far: 31, stranger: 2 });
    const { clusters } = readingOf(mintCase, linksFrom('w1', ['near', 'far']));
    const mates = linkedMates(mintCase, group, clusters());
    expect(mates.map(({ wallet }) => wallet)).toEqual(['near']);
  });

  const burstOf = (others: Readonly<Record<string, number>>) => {
    const { mintCase, group } = stageOf(others);
    return burstMates(mintCase, group).map(({ wallet }) => wallet);
  };

  it('are wallets with fresh money in one burst with a member', () => {
    // Four of them in four slots, where 0.05 buyers a slot are usual: 6 in 100,000.
    expect(burstOf({ a: 1, b: 2, c: 2, d: 3 })).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are too many beside the members, whose number makes nobody else improbable', () => {
    // Three in four slots: 1 in 1,000.
    expect(burstOf({ a: 1, b: 2, c: 3 })).toEqual([]);
    // Four in the eleven slots from the first member on: 2 in 1,000.
    expect(burstOf({ a: 4, b: 7, c: 8, d: 10 })).toEqual([]);
  });

  it('are none if a gap is wide', () => {
    expect(burstOf({ a: 6, b: 7, c: 7, d: 8 })).toEqual([]);
  });
});
