import { describe, expect, test } from 'vitest';
import {
  mintCreated,
  poolCreated,
  slotFacts,
  swapEvent,
  transactionFacts,
} from '../../../tests/support/build-facts.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { fallbackSolUsd, SOL, START_MS, TOKEN } from '../../../tests/support/master-fixture.ts';
import { firstDifference, stateImage } from '../../../tests/support/state-image.ts';
import { storedEngine } from '../../../tests/support/stored-engine.ts';
import type { ChainEvent, Launch, PoolCreated } from '../../model/chain-event.ts';
import type { SlotChanges } from '../../model/derived.ts';
import { SPL_TOKEN_PROGRAM, USDC, type Venue, WRAPPED_SOL } from '../../model/program.ts';
import type { Reserves } from '../../model/reserves.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import type { Swap } from '../../model/swap.ts';
import { type Address, asAddress, asRawAmount } from '../../model/units.ts';
import { Engine } from '../engine.ts';

/** SOL is worth $200 throughout. */
const DOLLAR_E18 = 10n ** 18n;
const DOLLAR_NANO = 10n ** 9n;

interface Pair {
  readonly pool: Address;
  readonly baseMint: Address;
  readonly quoteMint: Address;
  readonly baseDecimals?: number;
  readonly quoteDecimals: number;
  readonly venue?: Venue;
}

function pair(base: string, quote: Address | string): Pair {
  const isReference = quote === WRAPPED_SOL || quote === USDC;
  const quoteMint = isReference ? named(quote) : address(quote);
  return {
    pool: address(`${base}/${quote}`),
    baseMint: address(base),
    quoteMint,
    quoteDecimals: quoteMint === WRAPPED_SOL ? 9 : 6,
  };
}

const bSol = pair('B', WRAPPED_SOL);
const aB = pair('A', 'B');
let traders = 0;

function reserves(base: bigint, quote: bigint, virtualQuote: bigint | null = null): Reserves {
  return {
    base: asRawAmount(base),
    quote: asRawAmount(quote),
    virtualBase: virtualQuote === null ? null : asRawAmount(base),
    virtualQuote: virtualQuote === null ? null : asRawAmount(virtualQuote),
  };
}

/** A purchase that leaves the pool with the given quote. */
function buy(at: Pair, baseRaw: bigint, quoteRaw: bigint, after: Reserves | null): Swap {
  const trader = address(`trader ${traders++}`);
  const draft = { trader, side: 'buy', baseRaw, quoteRaw } as const;
  return swapEvent(draft, { ...at, reserves: after });
}

/** One B for 0.05 SOL, $10, with 100 SOL in the pool: liquidity of $40,000. */
const buyB = () => buy(bSol, TOKEN, SOL / 20n, reserves(2_000n * TOKEN, 100n * SOL));
/** Four A for one B, with 3,000 B in the pool. */
const buyA = () => buy(aB, 4n * TOKEN, TOKEN, reserves(12_000n * TOKEN, 3_000n * TOKEN));

function slot(number: number, timeMs: number | null, ...events: ChainEvent[]): SlotFacts {
  const signers = events.flatMap((event) =>
    event.kind === 'swap' && event.trader !== null ? [event.trader] : [],
  );
  const placed = events.map((event, outerIx) => ({ ...event, outerIx }));
  const transactions = [transactionFacts({ txIndex: 0, signers, events: placed })];
  return slotFacts(number, timeMs === null ? null : START_MS + timeMs, transactions);
}

function fold(...slots: readonly SlotFacts[]) {
  const engine = new Engine({ fallbackSolUsd });
  const changes = slots.map((facts) => engine.apply(facts));
  return { engine, changes, last: changes.at(-1) as SlotChanges };
}

/** Value of the last swap of a slot, in dollars. */
const worthOf = ({ swaps }: SlotChanges) => swaps.at(-1)?.valueUsd ?? null;

describe('a coin quoted in another coin', () => {
  // One B is worth 0.05 SOL of $200, so $10; four A cost one B, so that one costs $2.50.
  const { engine, last } = fold(slot(10, 0, buyB()), slot(12, 30_000, buyA()));

  test('is priced through its quote and SOL', () => {
    const [priced] = last.swaps;
    expect(priced).toMatchObject({
      price: DOLLAR_E18 / 4n,
      priceUsd: (5n * DOLLAR_E18) / 2n,
      valueUsd: 10n * DOLLAR_NANO,
    });
    expect(engine.token(aB.baseMint)?.priceUsd).toBe((5n * DOLLAR_E18) / 2n);
  });

  test('publishes the chain of its price', () => {
    const priceChain = {
      usd: 10n * DOLLAR_E18,
      links: [{ mint: bSol.baseMint, pool: bSol.pool }],
      reference: WRAPPED_SOL,
      setSlot: 10,
      ageMs: 30_000,
      // Twice 100 SOL.
      thinnestUsd: 40_000n * DOLLAR_NANO,
      // The creation of B was not seen.
      hasLaunchpadCoin: null,
    };
    expect(engine.pool(aB.pool)).toMatchObject({ priceChain });
    expect(engine.token(aB.baseMint)).toMatchObject({ priceChain });
    expect(engine.pool(bSol.pool)?.priceChain).toBeNull();
    expect(last.pools.find(({ pool }) => pool === aB.pool)).toEqual(engine.pool(aB.pool));
    expect(last.tokens.find(({ mint }) => mint === aB.baseMint)).toEqual(engine.token(aB.baseMint));
  });

  test('has volume, liquidity and an all-time high in dollars', () => {
    expect(engine.pool(aB.pool)).toMatchObject({
      buyVolumeUsd: 10n * DOLLAR_NANO,
      pricedQuoteVolumeRaw: TOKEN,
      quoteVolumeRaw: TOKEN,
      athPriceUsd: (5n * DOLLAR_E18) / 2n,
      // 3,000 B at $10 and 12,000 A at $2.50.
      liquidityUsd: 60_000n * DOLLAR_NANO,
    });
    const candle = last.candles.find(({ scope }) => scope === aB.baseMint);
    expect(candle).toMatchObject({ volumeUsd: 10n * DOLLAR_NANO });
    expect(candle?.usd?.close).toBe((5n * DOLLAR_E18) / 2n);
  });

  test('is bought at the value of the coins paid', () => {
    const trader = last.swaps[0]?.swap.trader ?? '';
    const positions = engine.wallet(asAddress(trader))?.positions ?? [];
    const position = positions.find(({ mint }) => mint === aB.baseMint);
    expect(position?.costUsd).toBe(10n * DOLLAR_NANO);
  });

  test('realises the value of the coins received', () => {
    // B is bought for $10 and spent when it is worth $12, as 0.06 SOL.
    const trader = address('spender');
    const first = { ...buyB(), trader };
    const dearer = buy(bSol, TOKEN, (SOL * 3n) / 50n, reserves(2_000n * TOKEN, 100n * SOL));
    const spent = fold(
      slot(10, 0, first),
      slot(20, 20_000, dearer),
      slot(30, 40_000, { ...buyA(), trader }),
    );
    const positions = spent.engine.wallet(trader)?.positions ?? [];
    expect(positions.find(({ mint }) => mint === aB.baseMint)?.costUsd).toBe(12n * DOLLAR_NANO);
    expect(positions.find(({ mint }) => mint === bSol.baseMint)?.realisedUsd).toBe(
      2n * DOLLAR_NANO,
    );
  });
});

describe('the price of a quote', () => {
  test('is that of the previous slot, for any trades in the slot', () => {
    const dearer = () => buy(bSol, TOKEN, SOL / 18n, reserves(2_000n * TOKEN, 100n * SOL));
    const { engine, changes } = fold(
      slot(10, 0, buyB()),
      slot(11, 400, dearer(), buyA()),
      slot(12, 800, buyA()),
    );
    expect(changes.map(worthOf).slice(1)).toEqual([10n * DOLLAR_NANO, (SOL / 18n) * 200n]);
    expect(engine.pool(aB.pool)?.priceChain?.setSlot).toBe(11);
  });

  test('is unknown in the slot in which its pool is first seen', () => {
    const { last } = fold(slot(10, 0, buyB(), buyA()));
    expect(worthOf(last)).toBeNull();
  });

  test.each([
    ['15 minutes', 900_000, 10n * DOLLAR_NANO],
    ['longer', 900_001, null],
  ])('without a trade for %s is %s', (_, ageMs, expected) => {
    const { last } = fold(slot(10, 0, buyB()), slot(2_000, ageMs, buyA()));
    expect(worthOf(last)).toBe(expected);
  });

  test.each([
    // Twice 25 SOL at $200 is $10,000.
    ['$10,000', 25n * SOL, null, 10n * DOLLAR_NANO],
    ['less than $10,000', 25n * SOL - 1n, null, null],
    // PumpSwap: 10 SOL in the vault, 15 set aside for the pool.
    ['$10,000 including the set-aside part', 10n * SOL, 25n * SOL, 10n * DOLLAR_NANO],
    ['less than its vault, because of fees in it', 25n * SOL, 24n * SOL, null],
    ['unknown', null, null, null],
  ])('with liquidity of %s is known or not', (_, quote, virtual, expected) => {
    const after = quote === null ? null : reserves(500n * TOKEN, quote, virtual);
    // Amounts that the constant product of the virtual reserves allows.
    const at = { ...bSol, venue: 'pump_amm' as const };
    const trade = buy(at, TOKEN, SOL / 20n, after);
    const { last } = fold(slot(10, 0, trade), slot(11, 400, buyA()));
    expect(worthOf(last)).toBe(expected);
  });

  test('of unknown time is unknown', () => {
    const { engine } = fold(slot(10, 0, buyB()), slot(400, null, buyA()));
    expect(engine.pool(aB.pool)).toMatchObject({ pricedQuoteVolumeRaw: 0n, quoteVolumeRaw: TOKEN });
  });

  test('never depends on an inferred pool', () => {
    const inferred = { ...buyB(), venue: 'inferred' as const };
    const { engine, last } = fold(slot(10, 0, inferred), slot(11, 400, buyA()));
    expect(worthOf(last)).toBeNull();
    // It counts as a trade, and prices its own token while no known pool does.
    expect(engine.pool(bSol.pool)?.swapCount).toBe(1);
    expect(engine.token(bSol.baseMint)?.primaryPool).toBe(bSol.pool);
  });

  test('is not changed by such a pool next to a known one, of any depth', () => {
    const other = { ...bSol, pool: address('inferred'), venue: 'inferred' as const };
    const deep = buy(other, TOKEN, SOL, reserves(TOKEN, 90_000n * SOL));
    const { engine, last } = fold(slot(9, 0, deep), slot(10, 100, buyB()), slot(11, 400, buyA()));
    expect(engine.token(bSol.baseMint)?.primaryPool).toBe(bSol.pool);
    expect(worthOf(last)).toBe(10n * DOLLAR_NANO);
  });
});

describe('a chain of quotes', () => {
  /** Each has the price of the next, with a million of it in the pool; Z1 is worth one SOL. */
  const link = (index: number) =>
    buy(
      index === 1 ? pair('Z1', WRAPPED_SOL) : pair(`Z${index}`, `Z${index - 1}`),
      TOKEN,
      index === 1 ? SOL : TOKEN,
      reserves(TOKEN, index === 1 ? 1_000n * SOL : 1_000n * TOKEN),
    );
  const chainOf = (length: number) =>
    fold(...Array.from({ length }, (_, index) => slot(10 + index, index * 400, link(index + 1))));

  test('has four links at most', () => {
    const { changes, last } = chainOf(6);
    // Z5 depends on four pools, Z6 would depend on five.
    expect(changes.map(worthOf)).toEqual([...Array(5).fill(200n * DOLLAR_NANO), null]);
    expect(changes[4]?.swaps[0]?.quoteChain?.links.map(({ mint }) => mint)).toEqual(
      ['Z4', 'Z3', 'Z2', 'Z1'].map(address),
    );
    expect(last.pools[0]?.priceUsd).toBeNull();
  });

  test('has the age and the depth of its weakest links', () => {
    const thin = buy(pair('Z2', 'Z1'), TOKEN, TOKEN, reserves(TOKEN, 30n * TOKEN));
    const { last } = fold(slot(10, 0, link(1)), slot(30, 60_000, thin), slot(40, 90_000, link(3)));
    // 30 Z1 at $200, twice.
    expect(last.swaps[0]?.quoteChain).toMatchObject({
      ageMs: 90_000,
      setSlot: 10,
      thinnestUsd: 12_000n * DOLLAR_NANO,
    });
  });

  test('may also end in a stablecoin', () => {
    const stock = buy(pair('S', USDC), TOKEN, 300n * TOKEN, reserves(TOKEN, 90_000n * TOKEN));
    const { last } = fold(
      slot(10, 0, stock),
      slot(11, 400, buy(pair('A', 'S'), TOKEN, TOKEN, null)),
    );
    expect(worthOf(last)).toBe(300n * DOLLAR_NANO);
    expect(last.swaps[0]?.quoteChain?.reference).toBe(USDC);
  });

  test('that is cyclic gives no price', () => {
    const there = buy(pair('A', 'B'), TOKEN, TOKEN, reserves(TOKEN, 10n ** 15n));
    const back = buy(pair('B', 'A'), TOKEN, TOKEN, reserves(TOKEN, 10n ** 15n));
    const { changes } = fold(slot(10, 0, there, back), slot(11, 400, there, back));
    expect(changes[1]?.swaps.map(({ valueUsd }) => valueUsd)).toEqual([null, null]);
  });

  test('gives no price by which the sums of a trader would be too large for their 128 bits', () => {
    const most = 2n ** 64n - 1n;
    const made = { baseDecimals: 0, quoteDecimals: 0 };
    const [oneSol, twoOne, threeTwo] = [
      { ...pair('one', WRAPPED_SOL), baseDecimals: 0 },
      { ...pair('two', 'one'), ...made },
      { ...pair('three', 'two'), ...made },
    ];
    // A unit of `one` is worth 1 SOL, one of `two` 9 * 10^15 of them, and a trade 9 * 10^18 of `two`.
    const { last } = fold(
      slot(10, 0, buy(oneSol, 1_000n, 1_000n * SOL, reserves(10_000n, 10_000n * SOL))),
      slot(12, 1_000, buy(twoOne, 1_000n, 9n * 10n ** 18n, reserves(10_000n, most))),
      slot(14, 2_000, buy(threeTwo, 1_000n, 9n * 10n ** 18n, reserves(10_000n, most))),
    );
    expect(last.swaps.map(({ valueUsd, quoteChain }) => [valueUsd, quoteChain])).toEqual([
      [null, null],
    ]);
  });

  test('does not use a pool whose quote depends on the priced token', () => {
    // A is quoted in B, and B's pool in A claims to be the deepest of B's.
    const rich = buy(pair('B', 'A'), 4n * TOKEN, TOKEN, reserves(TOKEN, 10n ** 15n));
    const { engine, last } = fold(
      slot(10, 0, buyB()),
      slot(11, 400, buyA()),
      slot(12, 800, rich),
      slot(13, 1_200, buyA()),
    );
    expect(engine.token(bSol.baseMint)?.primaryPool).toBe(bSol.pool);
    expect(worthOf(last)).toBe(10n * DOLLAR_NANO);
  });
});

describe('a price that depends on a launchpad coin', () => {
  const launch: Launch = {
    kind: 'launch',
    outerIx: 0,
    innerIx: -1,
    venue: 'pump',
    mint: bSol.baseMint,
    quoteMint: WRAPPED_SOL,
    pool: address('curve'),
    creator: address('creator'),
    tokenProgram: SPL_TOKEN_PROGRAM,
    supply: null,
    reserves: null,
  };
  const created: PoolCreated = poolCreated(TOKEN, 100n * SOL, bSol);
  const flagOf = (...begin: ChainEvent[]) => {
    const first = slot(10, 0, mintCreated(bSol.baseMint), ...begin);
    const { engine } = fold(first, slot(11, 400, buyB()), slot(12, 800, buyA()));
    return engine.pool(aB.pool)?.priceChain?.hasLaunchpadCoin;
  };

  test('is marked', () => {
    expect(flagOf(launch)).toBe(true);
  });

  test('is distinguished from one through a token without a curve', () => {
    expect(flagOf(created)).toBe(false);
  });
});

describe('undoing slots', () => {
  test('restores the price of the quote', () => {
    const dearer = () => buy(bSol, TOKEN, SOL / 18n, reserves(2_000n * TOKEN, 100n * SOL));
    const { engine } = fold(slot(10, 0, buyB()), slot(11, 400, buyA()));
    const before = stateImage(engine);
    const digest = engine.digest();
    engine.apply(slot(12, 800, dearer(), buyA()), { isFinal: false });
    engine.apply(slot(13, 1_200, buyA()), { isFinal: false });
    engine.undo();
    engine.undo();
    expect(firstDifference(before, stateImage(engine))).toBeNull();
    expect(engine.digest()).toBe(digest);
    expect(worthOf(engine.apply(slot(13, 1_200, buyA())))).toBe(10n * DOLLAR_NANO);
  });

  test('and a restart keep the same chain', () => {
    const { engine, restored } = storedEngine({ fallbackSolUsd });
    for (const facts of [slot(10, 0, buyB()), slot(11, 400, buyA())]) engine.apply(facts);
    const restarted = restored();
    const next = slot(12, 800, buyA());
    expect(restarted.apply(next)).toEqual(engine.apply(next));
    expect(restarted.digest()).toBe(engine.digest());
  });
});
