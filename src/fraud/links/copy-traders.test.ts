import { describe, expect, it } from 'vitest';
import { membersOf, numbered } from '../../../tests/support/link-readings.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { aBuy, aCase, aFunding, aPayment, sol } from '../../../tests/support/mint-case.ts';
import { findClusters } from './find-clusters.ts';

/** Every pair of them bought six other mints in the same slots. */
function coTradesAmong(names: readonly string[]) {
  return names.flatMap((one, index) =>
    names.slice(index + 1).map((other) => ({ one: named(one), other: named(other), mints: 6 })),
  );
}

const CREW = numbered('crew', 4);
const PACK = numbered('pack', 8);
const crewWallets = Object.fromEntries(
  CREW.map((name) => [name, { fundings: [aFunding('boss')] }]),
);

/** The first buys at the launch, the others four slots later, in one slot. */
function buys(leaders: readonly string[], followers: readonly string[]) {
  return [
    ...leaders.map((name, txIndex) => aBuy(name, { txIndex })),
    ...followers.map((name, txIndex) => aBuy(name, { slot: 1_004, txIndex })),
  ];
}

describe('wallets that copy', () => {
  it('one leader are no cluster, however often they meet', () => {
    const coTrades = coTradesAmong(['leader', ...PACK]);
    expect(findClusters(aCase({ coTrades, trades: buys(['leader'], PACK) })).all).toEqual([]);
  });

  it('one leader are no cluster when one exchange paid all the same on the same day', () => {
    const coTrades = coTradesAmong(PACK);
    // Four with 0.45 each, below a batch of five.
    const wallets = Object.fromEntries(
      PACK.slice(0, 4).map((name) => {
        const paid = aFunding('exchange', { lamports: sol(3) });
        return [name, { fundings: [paid], firstSeenMs: paid.sinceMs }];
      }),
    );
    const mintCase = aCase({
      coTrades,
      wallets: { ...wallets, exchange: { class: 'cex' } },
      trades: buys(['leader'], PACK),
    });
    const clusters = findClusters(mintCase);
    expect(clusters.strength(named('pack01'), named('pack02'))).toBe(0.45);
    expect(clusters.all).toEqual([]);
  });

  it('a crew are no members of it', () => {
    const coTrades = coTradesAmong([...CREW, ...PACK]);
    const mintCase = aCase({ coTrades, wallets: crewWallets, trades: buys(CREW, PACK) });
    expect(membersOf(findClusters(mintCase))).toEqual([CREW]);
  });

  it('a whale and have one owner are a cluster, without the whale', () => {
    const coTrades = coTradesAmong(['whale', ...CREW]);
    const mintCase = aCase({ coTrades, wallets: crewWallets, trades: buys(['whale'], CREW) });
    expect(membersOf(findClusters(mintCase))).toEqual([CREW]);
  });
});

describe('wallets that meet often', () => {
  it('are linked more strongly when one also paid the other', () => {
    const coTrades = coTradesAmong(['ann', 'bob']);
    // Less than half of the purchase: 0.55, and 1 − 0.45 · 0.3 with the meetings.
    const wallets = { bob: { fundings: [aFunding('ann', { lamports: sol(0.01) })] } };
    const trades = [aBuy('ann', { lamports: sol(1) }), aBuy('bob', { lamports: sol(1) })];
    const payments = [aPayment('ann', 'bob', { slot: 900, lamports: sol(0.01) })];
    const linked = findClusters(aCase({ coTrades, wallets, trades, payments }));
    expect(linked.strength(named('ann'), named('bob'))).toBeCloseTo(0.865, 12);
  });
});
