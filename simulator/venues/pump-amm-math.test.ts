import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loggedEventsOf } from '../../tests/support/pump-records.ts';
import { hasTestData } from '../../tests/support/test-data.ts';
import {
  buyTokens,
  buyWithBudget,
  depositFor,
  firstLiquidity,
  liquidityFor,
  type PoolFees,
  sellTokens,
  withdrawalFor,
} from './pump-amm-math.ts';
import { PUMP_AMM } from './pump-program.ts';

const FEES: PoolFees = { lpBps: 20n, protocolBps: 5n, creatorBps: 95n };

describe('a PumpSwap pool', () => {
  const pool = fc.record({
    baseRaw: fc.bigInt(1_000_000n, 10n ** 15n),
    quoteRaw: fc.bigInt(1_000_000n, 10n ** 13n),
  });

  it('matches manual results: a thousandth of 1e12 against 8e10 with 120 basis points', () => {
    const reserves = { baseRaw: 1_000_000_000_000n, quoteRaw: 80_000_000_000n };
    // 8e10 * 1e9 / 1.001e12 = 79,920,079.9; fees 159,841 + 39,961 + 759,241, each rounded up.
    expect(sellTokens(reserves, 1_000_000_000n, FEES)).toEqual({
      baseRaw: 1_000_000_000n,
      curveQuoteRaw: 79_920_079n,
      lpFeeRaw: 159_841n,
      protocolFeeRaw: 39_961n,
      creatorFeeRaw: 759_241n,
      traderQuoteRaw: 78_961_036n,
      vaultQuoteRaw: 79_760_238n,
    });
    // 8e10 * 1e9 / 9.99e11 = 80,080,080.08, rounded up.
    expect(buyTokens(reserves, 1_000_000_000n, FEES)?.curveQuoteRaw).toBe(80_080_081n);
  });

  it('never lowers the product of its vaults', () => {
    fc.assert(
      fc.property(pool, fc.bigInt(1n, 10n ** 13n), (reserves, amount) => {
        const { baseRaw, quoteRaw } = reserves;
        const bought = buyWithBudget(reserves, amount, FEES);
        const sold = sellTokens(reserves, amount, FEES);
        const product = baseRaw * quoteRaw;
        expect(
          (baseRaw - bought.baseRaw) * (quoteRaw + bought.vaultQuoteRaw),
        ).toBeGreaterThanOrEqual(product);
        expect((baseRaw + sold.baseRaw) * (quoteRaw - sold.vaultQuoteRaw)).toBeGreaterThanOrEqual(
          product,
        );
        expect(bought.traderQuoteRaw).toBeLessThanOrEqual(amount);
      }),
    );
  });

  it('costs no less than the budget that bought the same tokens', () => {
    fc.assert(
      fc.property(pool, fc.bigInt(1_000n, 10n ** 13n), (reserves, budget) => {
        const bought = buyWithBudget(reserves, budget, FEES);
        if (bought.baseRaw === 0n) return;
        const cost = buyTokens(reserves, bought.baseRaw, FEES);
        const more = buyTokens(reserves, bought.baseRaw + 1n, FEES);
        expect(cost?.curveQuoteRaw).toBeLessThanOrEqual(bought.curveQuoteRaw);
        if (more !== null) expect(more.curveQuoteRaw).toBeGreaterThan(bought.curveQuoteRaw);
      }),
    );
  });

  it('returns to providers no more than they deposited', () => {
    fc.assert(
      fc.property(pool, pool, fc.bigInt(1_000n, 10n ** 14n), (reserves, brought, supply) => {
        const lp = liquidityFor(reserves, supply, brought);
        const cost = depositFor(reserves, supply, lp);
        expect(cost.baseRaw).toBeLessThanOrEqual(brought.baseRaw);
        expect(cost.quoteRaw).toBeLessThanOrEqual(brought.quoteRaw);
        const full = {
          baseRaw: reserves.baseRaw + cost.baseRaw,
          quoteRaw: reserves.quoteRaw + cost.quoteRaw,
        };
        const back = withdrawalFor(full, supply + lp, lp);
        expect(back.baseRaw).toBeLessThanOrEqual(cost.baseRaw);
        expect(back.quoteRaw).toBeLessThanOrEqual(cost.quoteRaw);
      }),
    );
  });
});

/** BuyEvent and SellEvent have these fields at the same offsets. */
function readSwap(bytes: Buffer) {
  const u64 = (offset: number) => (bytes.length >= offset + 8 ? bytes.readBigUInt64LE(offset) : 0n);
  const isBuy = bytes.toString('hex', 0, 8) === '67f4521f2cf57777';
  // A sale's cashback, which replaces the creator's fee, follows immediately.
  const cashbackBps = isBuy ? 0n : u64(360);
  const fees = { lpBps: u64(72), protocolBps: u64(88), creatorBps: u64(344) + cashbackBps };
  return {
    reserves: { baseRaw: u64(48), quoteRaw: u64(56) },
    fees,
    trade: {
      baseRaw: u64(16),
      curveQuoteRaw: u64(64),
      lpFeeRaw: u64(80),
      protocolFeeRaw: u64(96),
      creatorFeeRaw: u64(352) + (isBuy ? 0n : u64(368)),
      vaultQuoteRaw: u64(104),
      traderQuoteRaw: u64(112),
    },
  };
}

describe.skipIf(!hasTestData)('recorded events of PumpSwap', () => {
  const read = (discriminator: string) =>
    hasTestData ? loggedEventsOf(PUMP_AMM.program, discriminator) : [];

  it('show buys at the cost of that number of tokens, fee by fee', () => {
    const buys = read('67f4521f2cf57777').map(readSwap);
    expect(buys.length).toBeGreaterThan(15);
    for (const { reserves, fees, trade } of buys) {
      expect(buyTokens(reserves, trade.baseRaw, fees)).toEqual(trade);
    }
  });

  it('show sales at the proceeds of the tokens, fee by fee', () => {
    const sales = read('3e2f370aa503dc2a').map(readSwap);
    expect(sales.length).toBeGreaterThan(4);
    for (const { reserves, fees, trade } of sales) {
      expect(sellTokens(reserves, trade.baseRaw, fees)).toEqual(trade);
    }
  });

  it('show deposits and withdrawals at the share of the LP tokens before', () => {
    const field = (bytes: Buffer, offset: number) => bytes.readBigUInt64LE(offset);
    const shares = (discriminator: string, share: typeof depositFor) => {
      const recorded = read(discriminator);
      expect(recorded.length).toBeGreaterThan(0);
      for (const bytes of recorded) {
        const reserves = { baseRaw: field(bytes, 56), quoteRaw: field(bytes, 64) };
        expect(share(reserves, field(bytes, 88), field(bytes, 16))).toEqual({
          baseRaw: field(bytes, 72),
          quoteRaw: field(bytes, 80),
        });
      }
    };
    shares('78f83d531f8e6b90', depositFor);
    shares('1609851aa02c47c0', withdrawalFor);
  });

  it('show the first liquidity of a pool as the root of both sides', () => {
    const pools = read('b1310cd2a076a774');
    expect(pools.length).toBeGreaterThan(0);
    for (const bytes of pools) {
      const amounts = { baseRaw: bytes.readBigUInt64LE(116), quoteRaw: bytes.readBigUInt64LE(124) };
      expect(firstLiquidity(amounts)).toBe(bytes.readBigUInt64LE(156));
    }
  });
});
