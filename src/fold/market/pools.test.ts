import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAsInMemory } from '../../../tests/support/book-outside-memory.ts';
import { type SwapDraft, swapEvent } from '../../../tests/support/build-facts.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { signatureNamed } from '../../../tests/support/made-up-units.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { PricedSwap } from '../../model/derived.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import type { QuoteChain } from '../../model/quote-chain.ts';
import type { Reserves } from '../../model/reserves.ts';
import type { Swap } from '../../model/swap.ts';
import {
  type Address,
  asAddress,
  asPriceE18,
  asRawAmount,
  asSlot,
  asUsdNano,
  type PriceE18,
} from '../../model/units.ts';
import type { Moment } from './logical-time.ts';
import type { PoolIdentity } from './pool-state.ts';
import { liquidityUsdOf, type PoolSurroundings, presentPool } from './pool-value.ts';
import { PoolBook } from './pools.ts';

const at: Moment = { slot: asSlot(9), timeMs: 5_000, isTimeKnown: true };
const [ann, bob] = [address('ann'), address('bob')];
const identity: PoolIdentity = {
  pool: address('pool-t'),
  venue: 'raydium_cpmm',
  baseMint: address('token-t'),
  quoteMint: WRAPPED_SOL,
  baseDecimals: 6,
  quoteDecimals: 9,
};

const SURROUNDINGS: PoolSurroundings = { walletCount: 0, usdPerQuote: null, locked: null };

function usd(dollars: number): PriceE18 {
  return asPriceE18(BigInt(dollars * 1_000_000) * 10n ** 12n);
}

function reserves(base: bigint, quote: bigint): Reserves {
  return {
    base: asRawAmount(base),
    quote: asRawAmount(quote),
    virtualBase: null,
    virtualQuote: null,
  };
}

function priced(swap: Swap, dollars: bigint | null): PricedSwap {
  return {
    swap,
    slot: at.slot,
    txIndex: 0,
    signature: signatureNamed('sig'),
    timeMs: at.timeMs,
    isTimeKnown: true,
    price: null,
    priceUsd: null,
    valueUsd: dollars === null ? null : asUsdNano(dollars * 10n ** 9n),
    quoteChain: null,
    exclusion: null,
    setsTokenPrice: false,
    isOrganic: false,
    walletClass: null,
    terminal: null,
  };
}

function swapOf(
  trader: SwapDraft['trader'],
  side: SwapDraft['side'],
  baseRaw: bigint,
  rest: Partial<Swap> = {},
): Swap {
  return swapEvent({ trader, side, baseRaw, quoteRaw: 1_000_000_000n }, rest);
}

function open(venue: PoolIdentity['venue'] = 'raydium_cpmm') {
  const book = new PoolBook();
  const pool = book.open({ ...identity, venue }, at);
  /** Applies the swaps of one transaction, $200 each. */
  const trade = (...swaps: Swap[]) => {
    for (const swap of swaps) book.applySwap(pool, priced(swap, 200n), at);
    book.countTrades(pool, swaps);
  };
  return { book, pool, trade };
}

describe('the counts of a pool', () => {
  test('have one trade per trader and transaction, on the side of the net change', () => {
    const { pool, trade } = open();
    trade(swapOf(ann, 'buy', 10n), swapOf(ann, 'buy', 5n), swapOf(bob, 'sell', 3n));
    expect([pool.buyCount, pool.sellCount, pool.swapCount]).toEqual([1, 1, 3]);
    trade(swapOf(ann, 'sell', 10n), swapOf(ann, 'buy', 4n));
    expect([pool.buyCount, pool.sellCount, pool.swapCount]).toEqual([1, 2, 5]);
    trade(swapOf(ann, 'buy', 10n), swapOf(ann, 'sell', 10n));
    expect([pool.buyCount, pool.sellCount, pool.swapCount]).toEqual([1, 2, 7]);
  });

  test('exclude hops, which count for volume but not as trades', () => {
    const { pool, trade } = open();
    trade(swapOf(ann, 'buy', 10n, { isIntermediateHop: true }));
    expect(presentPool(pool, SURROUNDINGS)).toMatchObject({
      buyCount: 0,
      swapCount: 1,
      buyVolumeUsd: 200_000_000_000n,
    });
  });

  test('include no trade for an atomic round trip', () => {
    const { pool, trade } = open();
    const flag = { isAtomicRoundTrip: true };
    trade(swapOf(ann, 'buy', 1_000n, flag), swapOf(ann, 'sell', 999n, flag));
    expect([pool.buyCount, pool.sellCount, pool.swapCount]).toEqual([0, 0, 2]);
  });
});

describe('the volumes of a pool', () => {
  test('separate volume without a USD value', () => {
    const { book, pool } = open();
    book.applySwap(pool, priced(swapOf(ann, 'buy', 10n), 200n), at);
    book.applySwap(pool, priced(swapOf(ann, 'sell', 10n), 150n), at);
    book.applySwap(pool, priced(swapOf(ann, 'sell', 10n), null), at);
    expect(presentPool(pool, SURROUNDINGS)).toMatchObject({
      buyVolumeUsd: 200_000_000_000n,
      sellVolumeUsd: 150_000_000_000n,
      quoteVolumeRaw: 3_000_000_000n,
      pricedQuoteVolumeRaw: 2_000_000_000n,
    });
  });
});

describe('the reserves of a pool', () => {
  test('are those of the latest event, adjusted by events without reserves', () => {
    const { book, pool } = open();
    book.applySwap(pool, priced(swapOf(ann, 'buy', 10n), 1n), at);
    expect(pool.reserves).toBeNull();
    const known = { reserves: reserves(500n, 7_000_000_000n) };
    book.applySwap(pool, priced(swapOf(ann, 'buy', 10n, known), 1n), at);
    expect(pool.reserves).toEqual(reserves(500n, 7_000_000_000n));
    book.applySwap(pool, priced(swapOf(ann, 'buy', 10n), 1n), at);
    expect(pool.reserves).toEqual(reserves(490n, 8_000_000_000n));
  });

  test('are worth both sides for an AMM and twice the quote for a curve', () => {
    const amm = open().pool;
    amm.reserves = reserves(1_000_000_000_000n, 50_000_000_000n);
    expect(liquidityUsdOf(amm, usd(200))).toBeNull();
    amm.priceUsd = usd(0.01);
    // 50 SOL at $200 and a million tokens at one cent.
    expect(liquidityUsdOf(amm, usd(200))).toBe(20_000_000_000_000n);
    expect(liquidityUsdOf(amm, null)).toBeNull();
    const curve = open('pump').pool;
    curve.reserves = reserves(700_000_000_000_000n, 10_000_000_000n);
    expect(liquidityUsdOf(curve, usd(200))).toBe(4_000_000_000_000n);
  });

  test('of a pool with quote set aside are worth its pricing reserves', () => {
    const { pool } = open('pump_amm');
    pool.priceUsd = usd(0.01);
    const held = reserves(1_000_000_000_000n, 35_000_000_000n);
    pool.reserves = { ...held, virtualBase: held.base, virtualQuote: asRawAmount(50_000_000_000n) };
    // 50 SOL at $200, of which 35 are in the vault, and a million tokens at one cent.
    expect(liquidityUsdOf(pool, usd(200))).toBe(20_000_000_000_000n);
    const curve = open('pump').pool;
    // The virtual 30 SOL of a curve do not count.
    curve.reserves = { ...pool.reserves, quote: asRawAmount(10_000_000_000n) };
    expect(liquidityUsdOf(curve, usd(200))).toBe(4_000_000_000_000n);
  });

  test('decrease by amounts swept or set aside, and price as before', () => {
    const { book, pool } = open('pump_amm');
    // 100 SOL in the vault, of which 2 are fees not yet swept.
    const before = { virtualBase: asRawAmount(900n), virtualQuote: asRawAmount(98_000_000_000n) };
    pool.reserves = { ...reserves(900n, 100_000_000_000n), ...before };
    const base = { outerIx: 0, innerIx: -1, venue: 'pump_amm', pool: pool.pool } as const;
    const mint = pool.quoteMint;
    const swept = asRawAmount(-2_000_000_000n);
    const amounts = { amountRaw: asRawAmount(2_000_000_000n), poolDelta: swept };
    book.applySetAside(
      pool,
      { kind: 'feeSweep', ...base, mint, bucket: 'creator', ...amounts },
      at,
    );
    expect(pool.reserves).toEqual({ ...reserves(900n, 98_000_000_000n), ...before });
    const poolDelta = asRawAmount(-17_000_000_000n);
    book.applySetAside(pool, { kind: 'poolBoost', ...base, mint, poolDelta }, at);
    expect(pool.reserves).toEqual({ ...reserves(900n, 81_000_000_000n), ...before });
    const next = { ...reserves(890n, 82_000_000_000n), ...before };
    book.applySwap(pool, priced(swapOf(ann, 'buy', 10n, { reserves: next }), 1n), at);
    expect(pool.reserves).toEqual(next);
  });

  test('get their previous values as virtual ones when something is set aside first', () => {
    const { book, pool } = open('pump_amm');
    pool.reserves = reserves(900n, 100n);
    const base = { outerIx: 0, innerIx: -1, venue: 'pump_amm', pool: pool.pool } as const;
    const poolDelta = asRawAmount(-17n);
    book.applySetAside(pool, { kind: 'poolBoost', ...base, mint: pool.quoteMint, poolDelta }, at);
    expect(pool.reserves).toEqual({
      base: 900n,
      quote: 83n,
      virtualBase: 900n,
      virtualQuote: 100n,
    });
    // 10 base sold for 1 quote, by an event without reserves.
    book.applySwap(pool, priced(swapOf(ann, 'sell', 10n), 1n), at);
    expect(pool.reserves).toEqual({
      base: 910n,
      quote: 83n - 1_000_000_000n,
      virtualBase: 910n,
      virtualQuote: 100n - 1_000_000_000n,
    });
  });

  test('include fees that a trade leaves in the vault, but do not price with them', () => {
    const { book, pool } = open('pump_amm');
    pool.reserves = reserves(900n, 100n);
    const keptFees = { base: asRawAmount(0n), quote: asRawAmount(7n) };
    book.applySwap(pool, priced(swapOf(ann, 'buy', 10n, { keptFees }), 1n), at);
    // The vault received the traded SOL and the fee.
    expect(pool.reserves).toEqual({
      base: 890n,
      quote: 100n + 1_000_000_000n + 7n,
      virtualBase: 890n,
      virtualQuote: 100n + 1_000_000_000n,
    });
  });

  test('are 0 after a migration, which also completes the curve', () => {
    const { book, pool } = open('pump');
    pool.reserves = reserves(206_900_000n, 85_000_000_000n);
    book.applyMigrate(
      pool,
      {
        kind: 'migrate',
        outerIx: 0,
        innerIx: -1,
        venue: 'pump',
        mint: identity.baseMint,
        fromPool: pool.pool,
        toPool: address('amm'),
        baseRaw: asRawAmount(206_900_000n),
        quoteRaw: asRawAmount(84_990_359_679n),
      },
      at,
    );
    expect(presentPool(pool, { ...SURROUNDINGS, usdPerQuote: usd(200) })).toMatchObject({
      reserves: reserves(0n, 0n),
      isCurveComplete: true,
      migratedTo: address('amm'),
      liquidityUsd: 0n,
    });
  });
});

describe('the price of a pool', () => {
  test('updates its highest USD value', () => {
    const { book, pool } = open();
    const prices = [usd(1), usd(3), usd(2), null] as const;
    const priceOf = (priceUsd: PriceE18 | null) => ({
      price: priceUsd ?? usd(9),
      priceUsd,
      quoteChain: null,
    });
    const changes = prices.map((price) => book.setPrice(pool, priceOf(price), at));
    expect(changes).toEqual([true, true, true, true]);
    expect(book.setPrice(pool, priceOf(null), at)).toBe(false);
    expect([pool.priceUsd, pool.athPriceUsd]).toEqual([null, usd(3)]);
  });
});

describe('the changes of a pool book', () => {
  test('contain each pool once, in order of first change', () => {
    const { book, pool } = open();
    const other = book.open({ ...identity, pool: address('pool-u') }, at);
    book.applySwap(pool, priced(swapOf(ann, 'buy', 1n), 1n), at);
    expect(book.takeChanges()).toEqual([pool, other]);
    expect(book.takeChanges()).toEqual([]);
    expect(book.ofMint(identity.baseMint)).toEqual([pool, other]);
  });
});

test('the number of an address is that of a pool from its first slot on, until that is undone', () => {
  const undo = new UndoLog(2);
  const ids = new AddressIds<Address>(undo);
  const book = new PoolBook(undo, ids);
  const id = ids.idOf(identity.pool);
  expect([book.hasById(id), book.hasById(-1)]).toEqual([false, false]);
  undo.open();
  book.open(identity, at);
  undo.close();
  expect([book.hasById(id), book.hasById(-1)]).toEqual([true, false]);
  undo.undo();
  expect([book.hasById(id), book.hasById(-1)]).toEqual([false, false]);
});

describe('a pool book outside of memory', () => {
  const addresses = ['one', 'two', 'three', 'four'].map((name) => address(name));
  const mints = ['token-t', 'token-u'].map((name) => address(name));
  const chain: QuoteChain = {
    usd: usd(1),
    links: [],
    reference: WRAPPED_SOL,
    setSlot: asSlot(3),
    ageMs: 400,
    thinnestUsd: asUsdNano(7n),
    hasLaunchpadCoin: null,
  };
  const step = fc.record({
    kind: fc.constantFrom('open', 'swap', 'count', 'price', 'complete'),
    pool: fc.nat(3),
    amount: fc.bigInt(1n, 10n ** 20n),
  });
  type Step = typeof step extends fc.Arbitrary<infer Drawn> ? Drawn : never;

  function applyStep(book: PoolBook, { kind, pool: index, amount }: Step): void {
    const pool = asAddress(addresses[index] ?? '');
    const state = book.get(pool);
    if (state === undefined) {
      const baseMint = asAddress(mints[index % 2] ?? '');
      if (kind === 'open') book.open({ ...identity, pool, baseMint }, at);
      return;
    }
    const swap = swapOf(ann, 'buy', amount, { reserves: reserves(amount, 2n * amount) });
    if (kind === 'swap') book.applySwap(state, priced(swap, amount), at);
    else if (kind === 'count') book.countTrades(state, [swap]);
    else if (kind === 'complete') book.applyComplete(state, at);
    else if (kind === 'price') {
      const price = asPriceE18(amount);
      const link = { mint: identity.baseMint, pool };
      const quoteChain = { ...chain, usd: price, links: [link] };
      book.setPrice(state, { price, priceUsd: price, quoteChain }, at);
      book.setQuoteUsd(state, price);
    }
  }

  test('answers as in memory, is restored from a checkpoint, and goes on', () => {
    const slot = fc.array(step, { maxLength: 5 });
    const plans = fc.array(fc.record({ slot, reverted: fc.nat(2) }), { maxLength: 12 });
    fc.assert(
      fc.property(plans, fc.nat(8), (drawn, storedAt) => {
        expectAsInMemory<PoolBook, readonly Step[]>(
          {
            create: (ids, undo) => new PoolBook(undo, ids),
            apply(book, steps) {
              for (const each of steps) applyStep(book, each);
              return book.takeChanges();
            },
            answers: (book) => [
              book.size,
              addresses.map((pool) => [book.has(pool), book.get(pool)]),
              mints.map((mint) => [book.hasPool(mint), book.ofMint(mint)]),
            ],
          },
          drawn,
          storedAt,
        );
      }),
    );
  });
});
