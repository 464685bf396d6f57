import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aBuy, aSell, sol } from '../../../tests/support/mint-case.ts';
import type { CaseTrade } from '../../model/mint-case.ts';
import { asRawAmount } from '../../model/units.ts';
import { readRounds, resultOf } from './trade-rounds.ts';

type Draft = readonly (readonly [side: 'buy' | 'sell', amount: number, whole: number])[];
const tradesOf = (draft: Draft): CaseTrade[] =>
  draft.map(([side, amount, whole], at) =>
    (side === 'buy' ? aBuy : aSell)('w', {
      slot: 1_000 + at,
      baseRaw: asRawAmount(BigInt(amount)),
      lamports: sol(whole),
    }),
  );
const roundsOf = (draft: Draft) =>
  readRounds(tradesOf(draft)).map(({ paid, got }) => [Number(paid) / 1e9, Number(got) / 1e9]);

describe('rounds', () => {
  it('close the oldest purchases first, in parts', () => {
    const rounds = roundsOf([
      ['buy', 100, 1],
      ['buy', 100, 2],
      // All of the first purchase for 1 and half of the second for 1.
      ['sell', 150, 3],
      // The other half, bought for 1.
      ['sell', 50, 0.5],
    ]);
    expect(rounds).toEqual([
      [2, 3],
      [1, 0.5],
    ]);
  });

  it('begin with a sale as well, by an owner who sells from stock', () => {
    expect(
      roundsOf([
        ['sell', 100, 2],
        ['buy', 100, 1.5],
      ]),
    ).toEqual([[1.5, 2]]);
  });

  it('leave what a trade does not close open for the other side', () => {
    const rounds = roundsOf([
      ['buy', 100, 1],
      // Closes 100 for 2 and opens 100 for 2.
      ['sell', 200, 4],
      ['buy', 100, 1],
    ]);
    expect(rounds).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('result in a part of the volume of both sides', () => {
    expect(resultOf({ paid: 101n, got: 99n })).toBe(-0.01);
    expect(resultOf({ paid: 0n, got: 0n })).toBe(0);
  });

  it('of a balanced owner have the result of its trades as a whole', () => {
    const aTrade = fc.tuple(
      fc.constantFrom('buy' as const, 'sell' as const),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 50 }),
    );
    fc.assert(
      fc.property(fc.array(aTrade, { maxLength: 12 }), (draft) => {
        const net = draft.reduce(
          (sum, [side, amount]) => sum + (side === 'buy' ? amount : -amount),
          0,
        );
        const last = net === 0 ? [] : [[net > 0 ? 'sell' : 'buy', Math.abs(net), 3] as const];
        const trades = tradesOf([...draft, ...last]);
        const whole = trades.reduce(
          (sum, { side, lamports }) => sum + (side === 'buy' ? -lamports : lamports),
          0n,
        );
        const sum = readRounds(trades).reduce((total, { paid, got }) => total + got - paid, 0n);
        expect(sum).toBe(whole);
      }),
    );
  });
});
