import { describe, expect, it } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import {
  aBuy,
  aCase,
  aPayment,
  aSell,
  aTransfer,
  DAY_MS,
  sol,
  supplyShare,
  timeOf,
} from '../../../tests/support/mint-case.ts';
import { asSlot } from '../../model/units.ts';
import { findDestinations, involveWallets } from './roles.ts';

const group = new Set(['a', 'b'].map(named));

describe('involved wallets', () => {
  it('are ordered by role and address, attackers first, each with its most severe role', () => {
    const wallets = involveWallets(aCase(), [
      [named('z'), 'bundler'],
      [named('a'), 'destination'],
      [named('z'), 'attacker'],
      [named('b'), 'bundler'],
      [named('z'), 'unknown'],
    ]);
    expect(wallets.map(({ address, role }) => [address, role])).toEqual([
      ['z', 'attacker'],
      ['b', 'bundler'],
      ['a', 'destination'],
    ]);
  });

  it('have the amounts they acquired, spent and received, and their first slot', () => {
    const mintCase = aCase({
      trades: [
        aBuy('a', { slot: 1005, baseRaw: supplyShare(0.02), lamports: sol(2) }),
        aBuy('a', { slot: 1006, baseRaw: supplyShare(0.01), lamports: sol(1.5) }),
        aSell('a', { slot: 1007, baseRaw: supplyShare(0.03), lamports: sol(4) }),
      ],
      transfers: [aTransfer('x', 'a', { slot: 1003, amountRaw: supplyShare(0.01) })],
    });
    const labels = new Map([[named('a'), ['creator']]]);
    expect(involveWallets(mintCase, [[named('a'), 'attacker']], labels)).toEqual([
      {
        address: 'a',
        role: 'attacker',
        tokensAcquiredRaw: supplyShare(0.04),
        spentLamports: sol(3.5),
        receivedLamports: sol(4),
        firstSeenSlot: 1003,
        labels: ['creator'],
      },
    ]);
  });

  it('without activity in the mint have the first slot of a payment', () => {
    const mintCase = aCase({ wallets: { boss: { firstPaymentSlot: asSlot(950) } }, slot: 1100 });
    expect(involveWallets(mintCase, [[named('boss'), 'funding_source']])[0]?.firstSeenSlot).toBe(
      950,
    );
  });
});

describe('destinations', () => {
  it('received tokens of the group from a slot on', () => {
    const transfers = [
      aTransfer('a', 'vault', { slot: 1010 }),
      aTransfer('a', 'b', { slot: 1010 }),
      aTransfer('b', 'early', { slot: 1009 }),
      aTransfer('stranger', 'other', { slot: 1010 }),
    ];
    const found = findDestinations(aCase({ transfers }), group, asSlot(1010));
    expect(found).toEqual([['vault', 'destination']]);
  });

  it('exclude airdrops: more than 50 receivers of one sender', () => {
    const to = (count: number) =>
      Array.from({ length: count }, (_, at) => aTransfer('a', `r${at}`, { txIndex: at }));
    const count = (transfers: ReturnType<typeof to>) =>
      findDestinations(aCase({ transfers }), group, asSlot(1000)).length;
    expect(count(to(50))).toBe(50);
    expect(count(to(51))).toBe(0);
  });

  it('received 70 % of the sale proceeds of a wallet within a day, also through shells', () => {
    const sell = aSell('a', { slot: 1010, lamports: sol(10) });
    const pay = (rest: Parameters<typeof aPayment>[2]) =>
      findDestinations(
        aCase({
          trades: [sell],
          payments: [
            aPayment('a', 'shell', { slot: 1011, ...rest }),
            aPayment('shell', 'sink', { slot: 1012, ...rest }),
          ],
          wallets: { shell: { isShell: true } },
        }),
        group,
        asSlot(1000),
      );
    expect(pay({ lamports: sol(7) })).toEqual([
      ['shell', 'intermediary'],
      ['sink', 'destination'],
    ]);
    expect(pay({ lamports: sol(6.999) })).toEqual([]);
    expect(pay({ lamports: sol(7), timeMs: timeOf(1010) + DAY_MS + 1 })).toEqual([]);
  });

  it('exclude exchanges', () => {
    const mintCase = aCase({
      trades: [aSell('a', { slot: 1010 })],
      payments: [aPayment('a', 'exchange', { slot: 1011 })],
      wallets: { exchange: { class: 'cex' } },
    });
    expect(findDestinations(mintCase, group, asSlot(1000))).toEqual([]);
  });
});
