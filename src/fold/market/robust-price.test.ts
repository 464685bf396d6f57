import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  e18,
  pricedTrade,
  SOL,
  TOKEN,
  type TradeDraft,
} from '../../../tests/support/build-trades.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { asRawAmount, asSlot } from '../../model/units.ts';
import { RobustPriceBook } from './robust-price.ts';
import type { SettlingTrade } from './settling-trade.ts';

const POOL = address('pool-t');
let names = 0;

/** A buy of one token for `price` SOL by a new trader. */
function buy(price: number, rest: Partial<TradeDraft> = {}) {
  const quoteRaw = BigInt(Math.round(price * 1e9));
  const draft = {
    slot: 10,
    timeMs: 0,
    trader: `t${names++}`,
    side: 'buy',
    baseRaw: TOKEN,
  } as const;
  return pricedTrade({ ...draft, quoteRaw, ...rest });
}

/**
 * Reserves with `sol` SOL on the quote side: 200 USD each, so that liquidity is 400 USD per SOL.
 */
function reserves(sol: bigint) {
  const quote = asRawAmount(sol * SOL);
  return { reserves: { base: asRawAmount(TOKEN), quote, virtualBase: null, virtualQuote: null } };
}

function priceOf(book: RobustPriceBook) {
  return book.priceOf(POOL)?.price ?? null;
}

function close(book: RobustPriceBook, slot: number, timeMs: number) {
  return book.closeSlot(asSlot(slot), timeMs);
}

function labels(trades: readonly SettlingTrade[]) {
  return trades.map(({ priced }) => priced.exclusion);
}

describe('the robust price', () => {
  test('is the last executed price that may set one, as of the last closed slot', () => {
    const book = new RobustPriceBook();
    book.applySwap(buy(1));
    book.applySwap(buy(1.1));
    book.applySwap(buy(5, { baseRaw: 10n }));
    expect(priceOf(book)).toBeNull();
    expect(close(book, 10, 0).repriced).toEqual([POOL]);
    expect(book.priceOf(POOL)).toEqual({
      price: e18(1.1),
      priceUsd: e18(220),
      quoteChain: null,
      slot: 10,
      timeMs: 0,
    });
    expect(close(book, 11, 400).repriced).toEqual([]);
  });

  test('of fixture F1 ends at 0.0002 USD', () => {
    const book = new RobustPriceBook();
    const trades = [
      [10, 'A', 'buy', 1_000_000n, 1_000n],
      [20, 'B', 'buy', 1_000_000n, 1_500n],
      [30, 'A', 'sell', 500_000n, 1_000n],
      [70, 'C', 'buy', 500_000n, 1_000n],
      [110, 'B', 'sell', 1_000_000n, 1_000n],
    ] as const;
    for (const [second, trader, side, tokens, milliSol] of trades) {
      const slot = second * 2;
      const timeMs = second * 1_000;
      const quoteRaw = (milliSol * SOL) / 1_000n;
      book.applySwap(
        pricedTrade({ slot, timeMs, trader, side, baseRaw: tokens * TOKEN, quoteRaw }),
      );
      close(book, slot, timeMs);
    }
    close(book, 260, 130_000);
    expect(book.priceOf(POOL)?.priceUsd).toBe(e18(0.0002));
  });

  test('never shows a spike, which is detected when the price returns', () => {
    const book = new RobustPriceBook();
    book.applySwap(buy(1));
    close(book, 10, 0);
    const spike = book.applySwap(buy(2, { slot: 11, timeMs: 1_000 }));
    close(book, 11, 1_000);
    expect(priceOf(book)).toBe(e18(1));
    const after = book.applySwap(buy(1.02, { slot: 12, timeMs: 2_000 }));
    expect(close(book, 12, 2_000).relabelled).toEqual([spike]);
    expect(labels([spike, after])).toEqual(['spike', null]);
    expect(priceOf(book)).toBe(e18(1.02));
  });

  test('accepts a large move when the next traded slot confirms it', () => {
    const book = new RobustPriceBook();
    book.applySwap(buy(1));
    close(book, 10, 0);
    book.applySwap(buy(2, { slot: 11, timeMs: 1_000 }));
    close(book, 11, 1_000);
    book.applySwap(buy(2.1, { slot: 12, timeMs: 2_000 }));
    close(book, 12, 2_000);
    expect(priceOf(book)).toBe(e18(2.1));
  });

  test('accepts a large move after ten seconds without another trade', () => {
    const book = new RobustPriceBook();
    book.applySwap(buy(1));
    close(book, 10, 0);
    book.applySwap(buy(2, { slot: 11, timeMs: 1_000 }));
    close(book, 11, 1_000);
    close(book, 30, 9_999);
    expect(priceOf(book)).toBe(e18(1));
    // The trade before it is settled, so no third slot can be within ten seconds of it.
    expect(close(book, 31, 10_000).repriced).toEqual([POOL]);
    expect(priceOf(book)).toBe(e18(2));
  });

  test('of a thin pool moves by more than half only with a second trade in another slot', () => {
    const book = new RobustPriceBook();
    const thin = reserves(2n);
    book.applySwap(buy(1, { rest: thin }));
    close(book, 10, 0);
    const first = book.applySwap(buy(1.6, { slot: 40, timeMs: 30_000, rest: thin }));
    const same = book.applySwap(buy(1.6, { slot: 40, timeMs: 30_000, rest: thin }));
    close(book, 40, 30_000);
    expect(labels([first, same])).toEqual(['thin_jump', 'thin_jump']);
    expect(priceOf(book)).toBe(e18(1));
    const second = book.applySwap(buy(1.7, { slot: 41, timeMs: 30_400, rest: thin }));
    expect(close(book, 41, 30_400).relabelled).toEqual([same, first]);
    expect(labels([first, same, second])).toEqual([null, null, null]);
    expect(priceOf(book)).toBe(e18(1.7));
  });

  test.each([
    [2n, 1.5, null],
    [2n, 1.501, 'thin_jump'],
    [2n, 0.5, null],
    [2n, 0.499, 'thin_jump'],
    // 2.5 SOL per side are 1,000 USD of liquidity.
    [3n, 1.6, null],
  ])('with %s SOL in the pool and a move to %s is excluded as %s', (sol, price, label) => {
    const book = new RobustPriceBook();
    const rest = reserves(sol);
    book.applySwap(buy(1, { rest }));
    close(book, 10, 0);
    const trade = book.applySwap(buy(price, { slot: 40, timeMs: 30_000, rest }));
    expect(trade.priced.exclusion).toBe(label);
  });

  test('of a thin pool is not moved by two trades that disagree', () => {
    const book = new RobustPriceBook();
    const rest = reserves(1n);
    book.applySwap(buy(1, { rest }));
    close(book, 10, 0);
    const trades = [1.6, 5, 1].map((price, index) => {
      const slot = 40 + 40 * index;
      const trade = book.applySwap(buy(price, { slot, timeMs: slot * 1_000, rest }));
      close(book, slot, slot * 1_000);
      return trade;
    });
    expect(labels(trades)).toEqual(['thin_jump', 'thin_jump', null]);
    expect(priceOf(book)).toBe(e18(1));
  });

  test('is reverted when its trade turns out to be the front of a sandwich', () => {
    const book = new RobustPriceBook();
    book.applySwap(buy(1));
    const front = book.applySwap(buy(1.2, { trader: 'x' }));
    const victim = book.applySwap(buy(0.1251, { trader: 'v', baseRaw: TOKEN / 10n }));
    close(book, 10, 0);
    expect(priceOf(book)).toBe(e18(1.251));
    const back = book.applySwap(buy(1.21, { slot: 11, trader: 'x', side: 'sell' }));
    expect(close(book, 11, 400).relabelled).toEqual([front]);
    expect(labels([front, victim, back])).toEqual(['sandwich_leg', null, 'sandwich_leg']);
    expect(priceOf(book)).toBe(e18(1.251));
  });
});

describe('a label', () => {
  test('is settled four slots and ten seconds after its trade', () => {
    const book = new RobustPriceBook();
    const trade = book.applySwap(buy(1));
    expect(close(book, 10, 0).settled).toEqual([]);
    expect(close(book, 13, 20_000).settled).toEqual([]);
    expect(close(book, 14, 20_000).settled).toEqual([trade]);
    const later = book.applySwap(buy(1, { slot: 15, timeMs: 20_000 }));
    expect(close(book, 15, 20_000).settled).toEqual([]);
    expect(close(book, 60, 29_999).settled).toEqual([]);
    expect(close(book, 61, 30_000).settled).toEqual([later]);
    expect(trade.isSettled && later.isSettled).toBe(true);
  });

  test('is settled early by 64 newer trades of its pool, not counting dust', () => {
    const book = new RobustPriceBook();
    const first = book.applySwap(buy(1));
    for (let index = 0; index < 63; index++) {
      book.applySwap(buy(1));
      book.applySwap(buy(1, { baseRaw: 1n }));
    }
    expect(first.isSettled).toBe(false);
    book.applySwap(buy(1));
    expect(first.isSettled).toBe(true);
    expect(close(book, 10, 0).settled).toEqual([first]);
  });

  test('settled early does not settle a newer one of its pool', () => {
    const book = new RobustPriceBook();
    book.applySwap(buy(1));
    close(book, 10, 0);
    const rest = { slot: 40, timeMs: 9_000 };
    for (let index = 0; index < 64; index++) book.applySwap(buy(1, rest));
    expect(close(book, 40, 9_000).settled).toHaveLength(1);
    expect(close(book, 44, 11_000).settled).toEqual([]);
    expect(close(book, 45, 19_000).settled).toHaveLength(64);
  });

  test('settled early can no longer be the front of a sandwich', () => {
    const book = new RobustPriceBook();
    const front = book.applySwap(buy(1, { trader: 'x' }));
    for (let index = 0; index < 64; index++) book.applySwap(buy(1.1));
    const back = book.applySwap(buy(1.2, { trader: 'x', side: 'sell' }));
    expect(labels([front, back])).toEqual([null, null]);
  });

  test('given by the swap alone is settled immediately', () => {
    const trade = new RobustPriceBook().applySwap(buy(1, { baseRaw: 1n }));
    expect(labels([trade])).toEqual(['dust']);
    expect(trade.isSettled).toBe(true);
  });
});

describe('the book', () => {
  test('shows only executed and allowed prices, for any trades', () => {
    const step = fc.record({
      price: fc.constantFrom(1, 1.02, 1.3, 1.6, 3),
      gapSlots: fc.constantFrom(0, 1, 1, 4, 40),
      isDust: fc.boolean(),
      sol: fc.constantFrom(1n, 100n),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const book = new RobustPriceBook();
        const trades: SettlingTrade[] = [];
        let slot = 10;
        for (const { price, gapSlots, isDust, sol } of steps) {
          if (gapSlots > 0) close(book, slot, slot * 400);
          slot += gapSlots;
          const rest = reserves(sol);
          const size = isDust ? { baseRaw: 100n } : {};
          trades.push(book.applySwap(buy(price, { slot, timeMs: slot * 400, rest, ...size })));
        }
        close(book, slot, slot * 400);
        close(book, slot + 100, slot * 400 + 40_000);
        const allowed = trades.filter(({ priced }) => priced.exclusion === null);
        expect(priceOf(book)).toBe(allowed.at(-1)?.priced.price ?? null);
        expect(allowed.every(({ isSettled }) => isSettled)).toBe(true);
      }),
    );
  });
});
