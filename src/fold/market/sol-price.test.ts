import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { swapEvent } from '../../../tests/support/build-facts.ts';
import { e18, SOL } from '../../../tests/support/build-trades.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { USDC, USDT, WRAPPED_SOL } from '../../model/program.ts';
import type { Swap } from '../../model/swap.ts';
import { type Address, asRawAmount, asSlot, type PriceE18 } from '../../model/units.ts';
import { SolPriceBook } from './sol-price.ts';
import { MinuteTrades } from './sol-price-minute.ts';
import type { PoolMinute } from './sol-price-state.ts';

const MINUTE = 60_000;

interface Draft {
  readonly pool?: string;
  /** Thousandths of a SOL. */
  readonly milliSol: bigint;
  readonly usd: number;
  /** USD in the pool after the trade, null if unknown. */
  readonly depth?: number | null;
  readonly rest?: Partial<Swap>;
}

/** SOL bought for USDC. */
function solTrade({ pool = 'p1', milliSol, usd, depth = 1_000_000, rest = {} }: Draft): Swap {
  const reserves =
    depth === null
      ? null
      : {
          base: asRawAmount(SOL),
          quote: asRawAmount(BigInt(depth) * 1_000_000n),
          virtualBase: null,
          virtualQuote: null,
        };
  return swapEvent(
    {
      trader: address('trader'),
      side: 'buy',
      baseRaw: (milliSol * SOL) / 1_000n,
      quoteRaw: BigInt(Math.round(usd * 1e6)),
    },
    {
      pool: address(pool),
      baseMint: WRAPPED_SOL,
      quoteMint: USDC,
      baseDecimals: 9,
      quoteDecimals: 6,
      reserves,
      ...rest,
    },
  );
}

function createBook(fallbackUsd: PriceE18 | null = null): SolPriceBook {
  return new SolPriceBook({ fallbackUsd });
}

let slots = 0;

/** Applies a slot and returns SOL/USD in it. */
function usdAfter(book: SolPriceBook, timeMs: number, swaps: readonly Swap[] = []): bigint | null {
  book.applySlot({ slot: asSlot(slots++), timeMs, isTimeKnown: true }, swaps);
  return book.usdPerQuote(WRAPPED_SOL);
}

describe('the SOL price', () => {
  test('is the vwap of the last minute from trades above 100 USD', () => {
    const book = createBook();
    // 2 SOL at 210 and 1 SOL at 180: 600 USD for 3 SOL.
    const trades = [
      solTrade({ milliSol: 2_000n, usd: 420 }),
      solTrade({ milliSol: 1_000n, usd: 180 }),
    ];
    usdAfter(book, 0, trades);
    const later = solTrade({ milliSol: 1_000n, usd: 500 });
    expect(usdAfter(book, MINUTE, [later])).toBe(e18(200));
    expect(usdAfter(book, 2 * MINUTE)).toBe(e18(500));
  });

  test('also uses swaps of routes through SOL', () => {
    const book = createBook();
    const rest = { isIntermediateHop: true };
    usdAfter(book, 0, [solTrade({ milliSol: 2_000n, usd: 420, rest })]);
    expect(usdAfter(book, MINUTE)).toBe(e18(210));
  });

  test('is the median of the three deepest pools that traded', () => {
    const book = createBook();
    const pools = [
      ['shallow', 999, 500],
      ['a', 190, 1_000],
      ['b', 205, 3_000],
      ['c', 200, 2_000],
    ] as const;
    const trades = pools.map(([pool, usd, depth]) =>
      solTrade({ pool, usd, depth, milliSol: 1_000n }),
    );
    usdAfter(book, 0, trades);
    expect(usdAfter(book, MINUTE)).toBe(e18(200));
  });

  test('is the mean of two pools, rounded half up', () => {
    const book = createBook();
    // 1.5 SOL for 200 USD are 133.333… each; the mean of that and 200 is 166.666….
    usdAfter(book, 0, [
      solTrade({ pool: 'a', milliSol: 1_000n, usd: 200 }),
      solTrade({ pool: 'b', milliSol: 1_500n, usd: 200 }),
    ]);
    expect(usdAfter(book, MINUTE)).toBe(166_666_666_666_666_666_667n);
  });

  test('ranks a pool of unknown depth last', () => {
    const book = createBook();
    const trades = [1, 2, 3].map((depth) =>
      solTrade({ pool: `p${depth}`, depth, milliSol: 1_000n, usd: 200 }),
    );
    usdAfter(book, 0, [
      solTrade({ pool: 'a', depth: null, milliSol: 1_000n, usd: 900 }),
      ...trades,
    ]);
    expect(usdAfter(book, MINUTE)).toBe(e18(200));
  });

  test('takes the depth from the last trade with reserves', () => {
    const book = createBook();
    usdAfter(book, 0, [
      solTrade({ pool: 'drained', depth: 9_000, milliSol: 1_000n, usd: 900 }),
      ...[1, 2, 3].map((depth) =>
        solTrade({ pool: `p${depth}`, depth: depth * 100, milliSol: 1_000n, usd: 200 }),
      ),
      solTrade({ pool: 'drained', depth: 1, milliSol: 1_000n, usd: 900 }),
      solTrade({ pool: 'drained', depth: null, milliSol: 1_000n, usd: 900 }),
    ]);
    expect(usdAfter(book, MINUTE)).toBe(e18(200));
  });

  test('is used for five minutes, then unknown', () => {
    const book = createBook();
    usdAfter(book, 0, [solTrade({ milliSol: 1_000n, usd: 200 })]);
    expect(usdAfter(book, 6 * MINUTE - 1)).toBe(e18(200));
    expect(usdAfter(book, 6 * MINUTE)).toBeNull();
  });

  test('falls back to the configured constant without a price from the chain', () => {
    const book = createBook(e18(150));
    expect(usdAfter(book, 0)).toBe(e18(150));
    expect(book.current()).toBeNull();
    usdAfter(book, 1, [solTrade({ milliSol: 1_000n, usd: 200 })]);
    expect(usdAfter(book, 5 * MINUTE)).toBe(e18(200));
    expect(usdAfter(book, 6 * MINUTE)).toBe(e18(150));
  });

  test('starts with the current minute so far, including the slot itself', () => {
    const book = createBook();
    expect(usdAfter(book, 0)).toBeNull();
    expect(usdAfter(book, 400, [solTrade({ milliSol: 1_000n, usd: 200 })])).toBe(e18(200));
    expect(usdAfter(book, 800, [solTrade({ milliSol: 1_000n, usd: 220 })])).toBe(e18(210));
  });

  test('uses trades from 1 USD while there is none above 100', () => {
    const book = createBook();
    expect(usdAfter(book, 0, [solTrade({ milliSol: 4n, usd: 0.999999 })])).toBeNull();
    expect(usdAfter(book, 0, [solTrade({ milliSol: 5n, usd: 1 })])).toBe(e18(200));
    expect(usdAfter(book, 0, [solTrade({ milliSol: 500n, usd: 100 })])).toBe(e18(200));
    // A trade above 100 USD replaces all of them, and is not mixed with them.
    expect(usdAfter(book, 0, [solTrade({ milliSol: 1_000n, usd: 210 })])).toBe(e18(210));
    // So does one in an earlier minute.
    expect(usdAfter(book, MINUTE, [solTrade({ milliSol: 5n, usd: 1.5 })])).toBe(e18(210));
  });

  test('prefers an earlier minute of small trades to the current one', () => {
    const book = createBook();
    usdAfter(book, 0, [solTrade({ milliSol: 10n, usd: 2 })]);
    expect(usdAfter(book, MINUTE, [solTrade({ milliSol: 10n, usd: 3 })])).toBe(e18(200));
    expect(usdAfter(book, 2 * MINUTE)).toBe(e18(300));
  });

  test('prefers a large trade of the current minute to an earlier minute of small ones', () => {
    const book = createBook();
    usdAfter(book, 0, [solTrade({ milliSol: 10n, usd: 1.9 })]);
    expect(usdAfter(book, MINUTE)).toBe(e18(190));
    expect(usdAfter(book, MINUTE, [solTrade({ milliSol: 1_000n, usd: 210 })])).toBe(e18(210));
  });

  test('comes from verified trades of SOL against USDC and USDT', () => {
    const book = createBook();
    const draft = { milliSol: 1_000n, usd: 999 };
    usdAfter(book, 0, [
      solTrade({ ...draft, rest: { quarantine: 'contradicted' } }),
      solTrade({ ...draft, rest: { venue: 'inferred' } }),
      solTrade({ ...draft, rest: { quoteMint: address('other') } }),
      solTrade({ ...draft, rest: { baseMint: address('other') } }),
      solTrade({ milliSol: 1_000n, usd: 200, rest: { quoteMint: USDT } }),
    ]);
    expect(usdAfter(book, MINUTE)).toBe(e18(200));
  });
});

describe('rows of SOL prices', () => {
  test('are returned for the current minute when a slot changes it', () => {
    const book = createBook();
    const rows = (slot: number, timeMs: number, swaps: Swap[]) =>
      book.applySlot({ slot: asSlot(slot), timeMs, isTimeKnown: true }, swaps);
    const trade = solTrade({ milliSol: 1_000n, usd: 200 });
    expect(rows(5, 90_000, [trade])).toEqual([{ minuteMs: MINUTE, usd: e18(200), slot: 5 }]);
    expect(rows(6, 90_400, [trade])).toEqual([]);
    expect(rows(7, 91_000, [solTrade({ milliSol: 2_000n, usd: 440 })])).toEqual([
      { minuteMs: MINUTE, usd: e18(210), slot: 7 },
    ]);
    expect(rows(8, 120_000, [trade])).toEqual([{ minuteMs: 2 * MINUTE, usd: e18(200), slot: 8 }]);
    expect(book.current()).toEqual({ minuteMs: MINUTE, usd: e18(210), slot: 7 });
  });
});

describe('the USD price of a quote', () => {
  test('is one for stablecoins and unknown for other tokens', () => {
    const book = createBook(e18(200));
    const mints: Address[] = [USDC, USDT, WRAPPED_SOL, address('other')];
    expect(mints.map((mint) => book.usdPerQuote(mint))).toEqual([e18(1), e18(1), e18(200), null]);
  });
});

const history = fc.array(
  fc.record({
    gapMs: fc.constantFrom(400, 20_000, 60_000, 400_000),
    trades: fc.array(
      fc.record({
        pool: fc.constantFrom('a', 'b', 'c', 'd'),
        milliSol: fc.constantFrom(1n, 10n, 1_000n),
        usd: fc.integer({ min: 1, max: 300 }),
        depth: fc.constantFrom(null, 10, 20, 30),
      }),
      { maxLength: 4 },
    ),
  }),
  { maxLength: 25 },
);

describe('any history of slots', () => {
  test('gives each slot a price that does not depend on later slots', () => {
    fc.assert(
      fc.property(history, fc.nat(25), (steps, length) => {
        const prices = (part: typeof steps) => {
          const book = createBook();
          let timeMs = 0;
          return part.map(({ gapMs, trades }) => {
            timeMs += gapMs;
            return usdAfter(book, timeMs, trades.map(solTrade));
          });
        };
        expect(prices(steps.slice(0, length))).toEqual(prices(steps).slice(0, length));
      }),
    );
  });

  test('uses only the fallback in a slot of unknown time, whose trades are ignored', () => {
    const book = createBook(e18(150));
    usdAfter(book, 0, [solTrade({ milliSol: 1_000n, usd: 200 })]);
    expect(usdAfter(book, MINUTE)).toBe(e18(200));
    const untimed = { slot: asSlot(slots++), timeMs: MINUTE, isTimeKnown: false };
    const trade = solTrade({ milliSol: 1_000n, usd: 900 });
    expect(book.applySlot(untimed, [trade])).toEqual([]);
    expect(book.usdPerQuote(WRAPPED_SOL)).toBe(e18(150));
    expect(usdAfter(book, 2 * MINUTE)).toBe(e18(200));
  });

  test('keeps the deepest pools when there are more than the limit', () => {
    const swarm = Array.from({ length: 400 }, (_, index) =>
      solTrade({ pool: `swarm ${index}`, depth: 1, milliSol: 1_000n, usd: 900 }),
    );
    const deep = [1, 2, 3].map((index) =>
      solTrade({ pool: `deep ${index}`, depth: 1_000, milliSol: 1_000n, usd: 200 }),
    );
    const book = createBook();
    usdAfter(book, 0, [...swarm, ...deep]);
    expect(usdAfter(book, MINUTE)).toBe(e18(200));
    const pools = new Map<Address, PoolMinute>();
    const trades = new MinuteTrades({ pools });
    for (const swap of [...swarm, ...deep]) trades.apply(swap);
    expect(pools.size).toBe(256);
  });
});
