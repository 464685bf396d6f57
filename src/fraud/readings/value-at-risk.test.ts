import { describe, expect, it } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import { aBuy, aCase, sol, supplyShare } from '../../../tests/support/mint-case.ts';
import type { CaseMarket } from '../../model/mint-case.ts';
import { asRawAmount } from '../../model/units.ts';
import { extractableLamports, holdingsAtRiskUsd, lamportsToUsd } from './value-at-risk.ts';

/** The pool of METHODS §7.2: 100 SOL against 500M tokens of 6 decimals, fee 1 %. */
const market: CaseMarket = {
  pool: named('pool'),
  baseRaw: asRawAmount(500_000_000_000_000n),
  quoteLamports: sol(100),
  withdrawableLamports: sol(100),
  feeBps: 100,
  solUsd: 200,
};
const quarter = asRawAmount(250_000_000_000_000n);

describe('the extractable amount of a sale', () => {
  it('is 33.11 SOL for half as many tokens as the pool holds, as in METHODS §7.2', () => {
    // 100 · 247.5 / (500 + 247.5) = 33.11036789…
    expect(extractableLamports(market, quarter)).toBe(33_110_367_892n);
  });

  it('is worth $6,622 at 200 dollars a SOL', () => {
    expect(lamportsToUsd(extractableLamports(market, quarter), 200)).toBe(6_622_073_578_400n);
  });

  it('is limited to the real quote of a curve', () => {
    const curve = { ...market, withdrawableLamports: sol(30) };
    expect(extractableLamports(curve, quarter)).toBe(sol(30));
  });

  it('is 0 for no tokens and for an empty pool', () => {
    expect(extractableLamports(market, asRawAmount(0n))).toBe(0n);
    const empty = { ...market, baseRaw: asRawAmount(0n), quoteLamports: sol(0) };
    expect(extractableLamports(empty, quarter)).toBe(0n);
  });
});

describe('the value at risk of wallets', () => {
  const draft = {
    trades: [
      aBuy('one', { baseRaw: supplyShare(0.1) }),
      aBuy('other', { baseRaw: supplyShare(0.15) }),
      aBuy('third', { baseRaw: supplyShare(0.2) }),
    ],
    market,
  };

  it('is that of their combined holdings, each wallet once', () => {
    const wallets = ['one', 'other', 'one'].map(named);
    expect(holdingsAtRiskUsd(aCase(draft), wallets)).toBe(6_622_073_578_400n);
  });

  it('is unknown without a market or without a price of SOL', () => {
    expect(holdingsAtRiskUsd(aCase({ ...draft, market: null }), [named('one')])).toBeNull();
    const unpriced = { ...market, solUsd: null };
    expect(holdingsAtRiskUsd(aCase({ ...draft, market: unpriced }), [named('one')])).toBeNull();
  });
});
