import { describe, expect, it } from 'vitest';
import { strengthBy } from '../../../tests/support/link-readings.ts';
import { aBuy, aCase, aPayment, aSell, sol, timeOf } from '../../../tests/support/mint-case.ts';
import type { CaseTrade, CaseWallet } from '../../model/mint-case.ts';
import type { Lamports } from '../../model/units.ts';

const PAIR = ['ann', 'bob'] as const;
const BUYS = [aBuy('ann'), aBuy('bob')];

/**
 * The link of two wallets that were paid 1.5 SOL by a service, bought for 0.5, and sent 0.9-odd to
 * one wallet. What is given is of bob.
 */
function leftOver(draft: {
  readonly bob?: { readonly lamports?: Lamports; readonly to?: string; readonly slot?: number };
  readonly paid?: Lamports;
  readonly wallet?: Partial<CaseWallet>;
  readonly sale?: CaseTrade;
}): number {
  const { bob = {}, paid = sol(1.5), wallet, sale } = draft;
  const { lamports = sol(0.912_345_678), to = 'sink', slot = 1_010 } = bob;
  const known = { firstSeenMs: timeOf(900) };
  return strengthBy(
    'sweep',
    aCase({
      trades: [...BUYS, ...(sale === undefined ? [] : [sale])],
      payments: [
        aPayment('exchange', 'ann', { slot: 900, lamports: sol(1.5) }),
        aPayment('exchange', 'bob', { slot: 901, lamports: paid }),
        aPayment('ann', 'sink', { slot: 1_009, lamports: sol(0.923_456_789) }),
        aPayment('bob', to, { slot, lamports }),
      ],
      wallets: { exchange: { class: 'cex' }, ann: known, bob: { ...known, ...wallet } },
    }),
    PAIR,
  );
}

describe('what was not spent', () => {
  it('links two that sent seven tenths of it to one wallet', () => {
    // Each was paid 1.5 SOL and spent 0.5.
    const left = (lamports: number) => leftOver({ bob: { lamports: sol(lamports) } });
    expect(left(0.700_000_001)).toBe(0.85);
    expect(left(0.699_999_999)).toBe(0);
  });

  it('needs two that send to the same wallet', () => {
    expect(leftOver({ bob: { to: 'other' } })).toBe(0);
  });

  it('is sent after the purchase', () => {
    expect(leftOver({ bob: { slot: 999 } })).toBe(0);
  });

  it('is no round amount: that is a price', () => {
    expect(leftOver({ bob: { lamports: sol(0.95) } })).toBe(0);
    expect(leftOver({ bob: { lamports: sol(0.950_000_001) } })).toBe(0.85);
  });

  it('is known only of a wallet whose payments are all known', () => {
    expect(leftOver({ wallet: { firstSeenMs: null } })).toBe(0);
  });

  it('needs something left', () => {
    expect(leftOver({ paid: sol(0.5) })).toBe(0);
  });

  it('counts sale proceeds', () => {
    const bob = { lamports: sol(0.750_000_001) };
    expect(leftOver({ bob })).toBe(0.85);
    expect(leftOver({ bob, sale: aSell('bob', { slot: 1_005, lamports: sol(2) }) })).toBe(0);
  });

  it('is not below nothing where money of unknown origin was spent', () => {
    // Paid 0.2, spent 0.5, sold for 1: what is left is the 1.
    const sale = aSell('bob', { slot: 1_005, lamports: sol(1) });
    const sent = (lamports: number) =>
      leftOver({ bob: { lamports: sol(lamports) }, paid: sol(0.2), sale });
    expect(sent(0.700_000_001)).toBe(0.85);
    expect(sent(0.699_999_999)).toBe(0);
  });

  it('may go through deposit accounts to one wallet, which is no exchange', () => {
    const through = (sink: Partial<CaseWallet>) => {
      const left = { slot: 1_010, lamports: sol(0.912_345_678) };
      const passed = { slot: 1_011, lamports: sol(0.912_34) };
      return strengthBy(
        'sweep',
        aCase({
          trades: BUYS,
          payments: PAIR.flatMap((name, txIndex) => [
            aPayment('exchange', name, { slot: 900, txIndex, lamports: sol(1.5) }),
            aPayment(name, `${name} deposit`, { ...left, txIndex }),
            aPayment(`${name} deposit`, 'sink', { ...passed, txIndex }),
          ]),
          wallets: {
            ...{ exchange: { class: 'cex' }, sink },
            ...{ 'ann deposit': { isShell: true }, 'bob deposit': { isShell: true } },
            ...{ ann: { firstSeenMs: timeOf(900) }, bob: { firstSeenMs: timeOf(900) } },
          },
        }),
        PAIR,
      );
    };
    expect(through({})).toBe(0.85);
    expect(through({ class: 'cex' })).toBe(0);
    expect(through({ fanOut: 201 })).toBe(0);
  });
});
