import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import {
  aBuy,
  aCase,
  aLiquidityChange,
  aSell,
  aTransfer,
  sol,
} from '../../../tests/support/mint-case.ts';
import { asRawAmount } from '../../model/units.ts';
import { createHoldings } from './holdings.ts';

const raw = (amount: number) => asRawAmount(BigInt(amount));

describe('holdings before a slot', () => {
  const mintCase = aCase({
    trades: [
      aBuy('a', { slot: 10, baseRaw: raw(100) }),
      aSell('a', { slot: 30, baseRaw: raw(20) }),
    ],
    transfers: [aTransfer('a', 'b', { slot: 20, amountRaw: raw(30) })],
  });
  const holdings = createHoldings(mintCase);

  it('leave out changes in the slot and later', () => {
    const of = (wallet: string) =>
      [10, 11, 20, 21, 31].map((slot) => Number(holdings.heldBefore(named(wallet), slot)));
    expect(of('a')).toEqual([0, 100, 100, 70, 50]);
    expect(of('b')).toEqual([0, 0, 0, 30, 30]);
    expect(of('nobody')).toEqual([0, 0, 0, 0, 0]);
  });

  it('of a group do not change by transfers within it', () => {
    const together = holdings.together([named('a'), named('b'), named('a')]);
    expect([10, 20, 21, 31].map((slot) => Number(together(slot)))).toEqual([0, 100, 100, 80]);
  });

  it('of all wallets list those with a balance', () => {
    expect([...holdings.allBefore(20)]).toEqual([['a', 100n]]);
  });

  it('are reduced by deposits into a pool and increased by withdrawals', () => {
    const provided = aCase({
      trades: [aBuy('a', { slot: 10, baseRaw: raw(100) })],
      liquidity: [
        aLiquidityChange('a', { slot: 20, baseRaw: raw(60), lamports: sol(0) }),
        aLiquidityChange('a', { slot: 30, baseRaw: raw(-10), lamports: sol(0) }),
      ],
      wallets: { a: { balanceRaw: raw(50) } },
    });
    const held = createHoldings(provided);
    expect([11, 21, 31].map((slot) => Number(held.heldBefore(named('a'), slot)))).toEqual([
      100, 40, 50,
    ]);
  });

  it('are never negative, even if a list has a gap', () => {
    const gap = aCase({
      trades: [aBuy('a', { slot: 10, baseRaw: raw(100) })],
      wallets: { a: { balanceRaw: raw(40) } },
    });
    expect(createHoldings(gap).heldBefore(named('a'), 10)).toBe(0n);
  });

  it('equal a forward sum', () => {
    const step = fc.record({
      wallet: fc.constantFrom('a', 'b', 'c'),
      slot: fc.integer({ min: 1, max: 9 }),
      amount: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 12 }),
        fc.integer({ min: 0, max: 10 }),
        (steps, slot) => {
          const trades = steps.map(({ wallet, amount, ...ref }, txIndex) =>
            aBuy(wallet, { ...ref, txIndex, baseRaw: raw(amount) }),
          );
          const held = createHoldings(aCase({ trades }));
          for (const wallet of ['a', 'b', 'c']) {
            const forwards = steps
              .filter((one) => one.wallet === wallet && one.slot < slot)
              .reduce((sum, { amount }) => sum + amount, 0);
            expect(Number(held.heldBefore(named(wallet), slot))).toBe(forwards);
          }
        },
      ),
    );
  });
});
