import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loggedEventsOf } from '../../tests/support/pump-records.ts';
import { hasTestData } from '../../tests/support/test-data.ts';
import {
  buyTokens,
  buyWithBudget,
  CURVE_FEES,
  type CurveReserves,
  curveMarketCap,
  paidToSeller,
  reservesAfter,
  START_OF_CURVE,
  sellTokens,
} from './pump-curve-math.ts';
import { PUMP } from './pump-program.ts';

const SOL = 1_000_000_000n;
const NO_FEES = { protocolBps: 0n, creatorBps: 0n };

describe('a pump curve', () => {
  it('sells 34,612,903 tokens for the first net SOL and is worth 27.96 SOL before', () => {
    const { baseRaw } = buyWithBudget(START_OF_CURVE, SOL + 1n, NO_FEES);
    expect(baseRaw / 1_000_000n).toBe(34_612_903n);
    expect(curveMarketCap(START_OF_CURVE)).toBe(27_958_993_476n);
  });

  it('is complete after 85.005 SOL, worth 410.9 SOL', () => {
    const last = buyWithBudget(START_OF_CURVE, 1_000n * SOL, CURVE_FEES);
    expect(last.baseRaw).toBe(793_100_000_000_000n);
    expect(last.quoteRaw).toBe(85_005_359_057n);
    const after = reservesAfter(START_OF_CURVE, last, true);
    expect(after.realBaseRaw).toBe(0n);
    expect(curveMarketCap(after) / 100_000_000n).toBe(4_108n);
  });

  it('splits a recorded budget of 3 SOL as in transaction 2RoRJxat…', () => {
    expect(buyWithBudget(START_OF_CURVE, 3n * SOL, CURVE_FEES)).toEqual({
      baseRaw: 96_449_438_144_093n,
      quoteRaw: 2_962_962_962n,
      protocolFeeRaw: 14_074_074n + 14_074_075n,
      creatorFeeRaw: 8_888_889n,
    });
  });

  it('never charges more than the budget and gives the full value, by rational arithmetic', () => {
    fc.assert(
      fc.property(reserves(), fc.bigInt(1n, 500n * SOL), (curve, budget) => {
        const trade = buyWithBudget(curve, budget, CURVE_FEES);
        const paid = trade.quoteRaw + trade.protocolFeeRaw + trade.creatorFeeRaw;
        expect(paid).toBeLessThanOrEqual(budget);
        // One more token would cost more than was paid: x y <= (x - b - 1) (y + q) fails.
        const { virtualBaseRaw: x, virtualQuoteRaw: y } = curve;
        const isCapped = trade.baseRaw === curve.realBaseRaw;
        if (trade.baseRaw > 0n && !isCapped) {
          expect(budget - paid).toBeLessThanOrEqual(2n);
          expect((x - trade.baseRaw - 1n) * (y + trade.quoteRaw - 1n)).toBeLessThan(x * y);
        }
      }),
    );
  });

  it('never lowers the product of its reserves', () => {
    fc.assert(
      fc.property(reserves(), fc.bigInt(1n, 10n ** 15n), fc.boolean(), (curve, amount, isBuy) => {
        const sold = 793_100_000_000_000n - curve.realBaseRaw;
        const trade = isBuy
          ? buyTokens(curve, amount, CURVE_FEES)
          : sellTokens(curve, amount < sold ? amount : sold, CURVE_FEES);
        const after = reservesAfter(curve, trade, isBuy);
        const product = ({ virtualBaseRaw, virtualQuoteRaw }: CurveReserves) =>
          virtualBaseRaw * virtualQuoteRaw;
        expect(product(after)).toBeGreaterThanOrEqual(product(curve));
        expect(after.realQuoteRaw).toBeGreaterThanOrEqual(0n);
        expect(after.realBaseRaw).toBeGreaterThanOrEqual(0n);
      }),
    );
  });

  it('sells nothing for a budget that its fees use up', () => {
    expect(buyWithBudget(START_OF_CURVE, 1n, CURVE_FEES).baseRaw).toBe(0n);
    expect(paidToSeller(sellTokens(START_OF_CURVE, 36_000n, CURVE_FEES))).toBe(-1n);
  });
});

/** A curve after buys of some total. */
function reserves(): fc.Arbitrary<CurveReserves> {
  return fc
    .bigInt(0n, 792_000_000_000_000n)
    .map((sold) => reservesAfter(START_OF_CURVE, buyTokens(START_OF_CURVE, sold, NO_FEES), true));
}

/** Field offsets of TradeEvent; layouts since 2024 only append fields. */
function readTrade(bytes: Buffer) {
  const u64 = (offset: number) =>
    bytes.length >= offset + 8 ? bytes.readBigUInt64LE(offset) : null;
  const nameLength = bytes.length > 262 ? bytes.readUInt32LE(258) : 0;
  const cashback = 262 + nameLength + 1;
  return {
    quoteRaw: u64(40) ?? 0n,
    baseRaw: u64(48) ?? 0n,
    isBuy: bytes[56] === 1,
    virtualQuoteRaw: u64(97) ?? 0n,
    virtualBaseRaw: u64(105) ?? 0n,
    realQuoteRaw: u64(113),
    realBaseRaw: u64(121),
    feeBps: u64(161),
    feeRaw: u64(169),
    creatorBps: u64(209),
    creatorRaw: u64(217),
    instruction: bytes.toString('utf8', 262, 262 + nameLength),
    cashbackBps: nameLength > 0 ? (u64(cashback) ?? 0n) : 0n,
    cashbackRaw: nameLength > 0 ? (u64(cashback + 8) ?? 0n) : 0n,
  };
}

describe.skipIf(!hasTestData)('recorded trades of pump curves', () => {
  const trades = (hasTestData ? loggedEventsOf(PUMP.program, 'bddb7fd34ee661ee') : [])
    .map(readTrade)
    // Curves quoted in other tokens report no lamports.
    .filter(({ quoteRaw }) => quoteRaw > 0n)
    .map((trade) => {
      const sign = trade.isBuy ? 1n : -1n;
      const before: CurveReserves = {
        virtualBaseRaw: trade.virtualBaseRaw + sign * trade.baseRaw,
        virtualQuoteRaw: trade.virtualQuoteRaw - sign * trade.quoteRaw,
        realBaseRaw: 793_100_000_000_000n,
        realQuoteRaw: 0n,
      };
      // Cashback replaces the creator's fee.
      const creatorBps = (trade.creatorBps ?? 0n) + trade.cashbackBps;
      const fees = { protocolBps: trade.feeBps ?? 0n, creatorBps };
      return { trade, before, fees };
    });

  it('cost what the curve charges for that number of tokens', () => {
    const bought = trades.filter(
      ({ trade }) => trade.isBuy && trade.instruction !== 'buy_exact_sol_in',
    );
    expect(bought.length).toBeGreaterThan(30);
    for (const { trade, before, fees } of bought) {
      expect(buyTokens(before, trade.baseRaw, fees).quoteRaw).toBe(trade.quoteRaw);
    }
  });

  it('paid sellers what the curve pays', () => {
    const sold = trades.filter(({ trade }) => !trade.isBuy);
    expect(sold.length).toBeGreaterThan(10);
    for (const { trade, before, fees } of sold) {
      expect(sellTokens(before, trade.baseRaw, fees).quoteRaw).toBe(trade.quoteRaw);
    }
  });

  it('by budget gave what the budget buys', () => {
    const byBudget = trades.filter(({ trade }) => trade.instruction === 'buy_exact_sol_in');
    expect(byBudget.length).toBeGreaterThan(0);
    for (const { trade, before, fees } of byBudget) {
      const spent =
        trade.quoteRaw + (trade.feeRaw ?? 0n) + (trade.creatorRaw ?? 0n) + trade.cashbackRaw;
      expect(buyWithBudget(before, spent, fees)).toMatchObject({
        baseRaw: trade.baseRaw,
        quoteRaw: trade.quoteRaw,
      });
    }
  });

  it('were charged fees rounded up', () => {
    const charged = trades.filter(({ trade }) => trade.feeRaw !== null);
    expect(charged.length).toBeGreaterThan(5);
    for (const { trade, before, fees } of charged) {
      const sold = sellTokens(before, trade.baseRaw, fees);
      const bought = buyTokens(before, trade.baseRaw, fees);
      const { protocolFeeRaw, creatorFeeRaw } = trade.isBuy ? bought : sold;
      expect({ protocolFeeRaw, creatorFeeRaw }).toEqual({
        protocolFeeRaw: trade.feeRaw,
        creatorFeeRaw: (trade.creatorRaw ?? 0n) + trade.cashbackRaw,
      });
    }
  });
});
