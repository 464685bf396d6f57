import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { swapEvent } from '../../../tests/support/build-facts.ts';
import { pricedTrade, SOL } from '../../../tests/support/build-trades.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import type { Swap } from '../../model/swap.ts';
import { asRawAmount } from '../../model/units.ts';
import { obeysCurve } from './curve-physics.ts';

/** A new pump curve: 30 virtual SOL against 1,073,000,000 virtual tokens. */
const GENESIS = { base: 1_073_000_000_000_000n, quote: 30n * SOL };
/** 1 SOL buys 1,073,000,000 / 31 = 34,612,903.225806 tokens from it. */
const ONE_SOL_BUYS = 34_612_903_225_806n;

function curveBuy(quoteRaw: bigint, baseRaw: bigint, feeQuoteRaw: bigint | null = 0n): Swap {
  return swapEvent(
    { trader: address('a'), side: 'buy', baseRaw, quoteRaw },
    {
      venue: 'pump',
      feeQuoteRaw: feeQuoteRaw === null ? null : asRawAmount(feeQuoteRaw),
      reserves: {
        base: asRawAmount(0n),
        quote: asRawAmount(quoteRaw),
        virtualBase: asRawAmount(GENESIS.base - baseRaw),
        virtualQuote: asRawAmount(GENESIS.quote + quoteRaw),
      },
    },
  );
}

describe('a curve', () => {
  test('can make the first buy of one SOL, at 31 / 1.073e9 SOL per token', () => {
    const { reserves } = curveBuy(SOL, ONE_SOL_BUYS);
    const priced = pricedTrade({
      slot: 1,
      timeMs: 0,
      trader: 'a',
      side: 'buy',
      baseRaw: ONE_SOL_BUYS,
      quoteRaw: SOL,
      rest: { reserves, venue: 'pump' },
    });
    // 31 / 1,073,000,000 = 2.8890959925…e-8
    expect(priced.price).toBe(28_890_959_925n);
    expect(priced.exclusion).toBeNull();
  });

  test.each([
    // The spot price before is 2.7959e-8; a tenth fewer tokens cost more than the one after,
    // 2.985e-8.
    ['too high', (ONE_SOL_BUYS * 9n) / 10n, 0n, false],
    ['too low', (ONE_SOL_BUYS * 11n) / 10n, 0n, false],
    ['exact', ONE_SOL_BUYS, 0n, true],
    ['below the spot before by 1 %, fee known', (ONE_SOL_BUYS * 1_0437n) / 1_0000n, 0n, false],
    ['below the spot before by 1 %, fee unknown', (ONE_SOL_BUYS * 1_0437n) / 1_0000n, null, true],
    ['below the spot before by 2 %, fee unknown', (ONE_SOL_BUYS * 1_0540n) / 1_0000n, null, false],
  ])('and a price %s', (_, baseRaw, fee, obeys) => {
    // The reserves changed correctly for 1 SOL; the base leg claims a different amount.
    const honest = curveBuy(SOL, ONE_SOL_BUYS, fee);
    const before = { ...honest.reserves, virtualBase: asRawAmount(GENESIS.base - baseRaw) };
    const swap = {
      ...honest,
      poolBaseDelta: asRawAmount(-baseRaw),
      reserves: { ...honest.reserves, ...before } as Swap['reserves'],
    };
    expect(obeysCurve(swap)).toBe(obeys);
  });

  test('cannot have made a trade of a pool with other reserves', () => {
    const swap = curveBuy(SOL, ONE_SOL_BUYS);
    const reserves = {
      base: asRawAmount(0n),
      quote: asRawAmount(0n),
      virtualBase: asRawAmount(400_000_000_000_000n),
      virtualQuote: asRawAmount(80n * SOL),
    };
    expect(obeysCurve({ ...swap, reserves })).toBe(false);
    expect(obeysCurve({ ...swap, reserves: { ...reserves, virtualQuote: asRawAmount(0n) } })).toBe(
      false,
    );
  });

  test('can make every constant-product trade, both ways, rounded in its favour', () => {
    const amount = fc.bigInt(1n, 50n * SOL);
    fc.assert(
      fc.property(amount, amount, fc.boolean(), (start, traded, isBuy) => {
        const product = GENESIS.base * GENESIS.quote;
        const quote = GENESIS.quote + start + (isBuy ? 0n : traded);
        const base = product / quote + 1n;
        const quoteAfter = isBuy ? quote + traded : quote - traded;
        const baseAfter = product / quoteAfter + 1n;
        const swap = swapEvent(
          {
            trader: address('a'),
            side: isBuy ? 'buy' : 'sell',
            baseRaw: isBuy ? base - baseAfter : baseAfter - base,
            quoteRaw: traded,
          },
          {
            venue: 'pump',
            feeQuoteRaw: asRawAmount(0n),
            reserves: {
              base: asRawAmount(0n),
              quote: asRawAmount(0n),
              virtualBase: asRawAmount(baseAfter),
              virtualQuote: asRawAmount(quoteAfter),
            },
          },
        );
        expect(obeysCurve(swap)).toBe(true);
      }),
    );
  });
});

describe('a pool without virtual reserves', () => {
  test('is not checked against the curve', () => {
    const reserves = {
      base: asRawAmount(1n),
      quote: asRawAmount(1n),
      virtualBase: null,
      virtualQuote: null,
    };
    expect(obeysCurve({ ...curveBuy(SOL, ONE_SOL_BUYS), reserves })).toBe(true);
  });
});
