import { beforeAll, describe, expect, test } from 'vitest';
import {
  balanceChange,
  mintCreated,
  poolCreated,
  slotFacts,
  supplyChange,
  swapEvent,
  transactionFacts,
} from '../../tests/support/build-facts.ts';
import { address } from '../../tests/support/build-transaction.ts';
import type { Candle, SlotChanges } from '../model/derived.ts';
import { USDC, WRAPPED_SOL } from '../model/program.ts';
import type { SlotFacts, TokenBalanceChange, TransactionFacts } from '../model/slot-facts.ts';
import type { Address, PriceE18, RawAmount, Slot } from '../model/units.ts';
import { Engine } from './engine.ts';

const SOL = 1_000_000_000n;
const TOKEN = 1_000_000n;
const DOLLAR = 1_000_000_000n;
const SUPPLY = 1_000_000_000n * TOKEN;
/** 2025-01-01T00:00:00Z, the start of a candle of every interval. */
const START_MS = 1_735_689_600_000;
const mint = address('token-t');
const pool = address('pool-t');
const fallbackSolUsd = (200n * 10n ** 18n) as PriceE18;

/** The slot of second `t`; slot numbers leave room in front. */
function second(t: number, ...transactions: TransactionFacts[]): SlotFacts {
  return slotFacts(1_000 + t, START_MS + t * 1_000, transactions);
}

/** The creation of `token-t`: a billion of them, all in a pool with 500 SOL. */
function launch(): TransactionFacts {
  return transactionFacts({
    txIndex: 0,
    signers: [address('creator')],
    events: [
      mintCreated(mint),
      supplyChange('mintTo', mint, SUPPLY, 1),
      poolCreated(SUPPLY, 500n * SOL),
    ],
    tokenBalances: [balanceChange(pool, 0n, SUPPLY)],
  });
}

/** Balances of wallets and pool as trades of a test move them. */
function createTrader() {
  const held = new Map<Address, bigint>([[pool, SUPPLY]]);
  const move = (owner: Address, delta: bigint): TokenBalanceChange => {
    const before = held.get(owner) ?? 0n;
    held.set(owner, before + delta);
    return balanceChange(owner, before, before + delta);
  };
  return (who: string, side: 'buy' | 'sell', sol: bigint, tokens: bigint, txIndex = 0) => {
    const trader = address(who);
    const gained = side === 'buy' ? tokens * TOKEN : -tokens * TOKEN;
    return transactionFacts({
      txIndex,
      signers: [trader],
      events: [swapEvent({ trader, side, baseRaw: tokens * TOKEN, quoteRaw: sol })],
      tokenBalances: [move(trader, gained), move(pool, -gained)],
    });
  };
}

function roundTrip(who: string): TransactionFacts {
  const trader = address(who);
  const flag = { isAtomicRoundTrip: true };
  const tokens = { trader, baseRaw: 100_000n * TOKEN };
  return transactionFacts({
    txIndex: 0,
    signers: [trader],
    events: [
      swapEvent({ ...tokens, side: 'buy', quoteRaw: (2n * SOL) / 10n }, flag),
      swapEvent({ ...tokens, side: 'sell', quoteRaw: (19n * SOL) / 100n }, { ...flag, outerIx: 1 }),
    ],
  });
}

/** METHODS §0.10, fixture F1. */
function f1(): SlotFacts[] {
  const trade = createTrader();
  return [
    second(0, launch()),
    second(10, trade('A', 'buy', SOL, 1_000_000n)),
    second(20, trade('B', 'buy', (3n * SOL) / 2n, 1_000_000n)),
    second(30, trade('A', 'sell', SOL, 500_000n)),
    second(70, trade('C', 'buy', SOL, 500_000n)),
    ...[80, 90, 100].map((t) => second(t, roundTrip('X'))),
    second(110, trade('B', 'sell', SOL, 1_000_000n)),
    second(130),
  ];
}

function fold(slots: readonly SlotFacts[], engine = new Engine({ fallbackSolUsd })) {
  const changes: SlotChanges[] = [];
  for (const facts of slots) changes.push(engine.apply(facts));
  return { engine, changes };
}

describe('the master fixture', () => {
  let engine: Engine;
  let changes: SlotChanges[];
  beforeAll(() => {
    ({ engine, changes } = fold(f1()));
  });

  test('has four wallets and $1,334 of volume', () => {
    const record = engine.pool(pool);
    expect(record?.walletCount).toBe(4);
    // 200 + 300 + 200 and three times 40 bought; 200 + 200 and three times 38 sold.
    expect(record?.buyVolumeUsd).toBe(820n * DOLLAR);
    expect(record?.sellVolumeUsd).toBe(514n * DOLLAR);
    expect(record?.pricedQuoteVolumeRaw).toBe(record?.quoteVolumeRaw);
  });

  test('counts three buys and two sells: round trips are none', () => {
    expect(engine.pool(pool)).toMatchObject({ buyCount: 3, sellCount: 2, swapCount: 11 });
  });

  test('ends at $0.0002 after a high of $0.0004', () => {
    expect(engine.pool(pool)).toMatchObject({
      price: 10n ** 12n,
      priceUsd: 2n * 10n ** 14n,
      athPriceUsd: 4n * 10n ** 14n,
    });
    expect(engine.token(mint)?.priceUsd).toBe(2n * 10n ** 14n);
  });

  test('has the holders A and C, and the pool that is none', () => {
    expect(engine.holderCount(mint)).toBe(2);
    expect(
      engine
        .topHolders(mint, 100)
        .map(({ owner, balanceRaw, isPool }) => [owner, balanceRaw, isPool]),
    ).toEqual([
      [pool, SUPPLY - 1_000_000n * TOKEN, true],
      ...[address('A'), address('C')].sort().map((owner) => [owner, 500_000n * TOKEN, false]),
    ]);
  });

  test('has a first candle of three trades and $700', () => {
    const last = new Map<string, Candle>();
    for (const candle of changes.flatMap(({ candles }) => candles)) {
      last.set(`${candle.scope} ${candle.openTimeMs}`, candle);
    }
    const [first, second] = [0, 30_000].map((offset) => last.get(`${pool} ${START_MS + offset}`));
    expect([first?.trades, second?.trades]).toEqual([2, 1]);
    expect((first?.volumeUsd ?? 0n) + (second?.volumeUsd ?? 0n)).toBe(700n * DOLLAR);
    expect([first?.usd?.open, second?.usd?.close]).toEqual([2n * 10n ** 14n, 4n * 10n ** 14n]);
    const ofMint = last.get(`${mint} ${START_MS}`);
    expect([ofMint?.supplyRaw, ofMint?.volumeUsd]).toEqual([SUPPLY, 500n * DOLLAR]);
  });

  test('makes a token of what its creation said', () => {
    expect(engine.token(mint)).toMatchObject({
      supplyRaw: SUPPLY,
      burnedRaw: 0n,
      decimals: 6,
      creator: address('creator'),
      creationSlot: 1_000,
      createdAtMs: START_MS,
      primaryPool: pool,
      name: null,
      metadata: null,
      liquidityEvent: {
        pool,
        quoteMint: WRAPPED_SOL,
        lamports: 500n * SOL,
        baseRaw: SUPPLY,
        valueUsd: 100_000n * DOLLAR,
        slot: 1_000,
        timeMs: START_MS,
      },
    });
  });
});

describe('a slot', () => {
  test('names each changed record once, as it is at the end of the slot', () => {
    const trade = createTrader();
    const { changes } = fold([
      second(0, launch()),
      second(1, trade('A', 'buy', SOL, 1_000_000n, 3), trade('A', 'buy', SOL, 1_000_000n, 8)),
    ]);
    const last = changes[1];
    expect(last?.slot).toBe(1_001);
    expect(last?.timeMs).toBe(START_MS + 1_000);
    expect(last?.pools.map(({ buyCount }) => buyCount)).toEqual([2]);
    expect(last?.tokens.map(({ priceUsd }) => priceUsd)).toEqual([2n * 10n ** 14n]);
    expect(last?.balances.map(({ owner, balanceRaw }) => [owner, balanceRaw])).toEqual([
      [address('A'), 2_000_000n * TOKEN],
      [pool, SUPPLY - 2_000_000n * TOKEN],
    ]);
    expect(last?.swaps.map(({ txIndex }) => txIndex)).toEqual([3, 8]);
  });

  test('changes nothing but counters through its failed transactions', () => {
    const trade = createTrader();
    const { engine, changes } = fold([
      second(0, launch()),
      second(1, { ...trade('A', 'buy', SOL, 1_000_000n), error: '{"Custom":6}' }),
    ]);
    expect(changes[1]).toEqual({
      slot: 1_001,
      timeMs: START_MS + 1_000,
      swaps: [],
      tokens: [],
      pools: [],
      candles: [],
      balances: [],
      bundles: [],
      solPrices: [],
    });
    expect(engine.counters).toMatchObject({ transactions: 2, failedTransactions: 1 });
    expect(engine.holderCount(mint)).toBe(0);
  });

  test('passes quarantined swaps on, and counts neither volume nor wallet nor price', () => {
    const bad = swapEvent(
      { trader: address('A'), side: 'buy', baseRaw: TOKEN, quoteRaw: SOL },
      { quarantine: 'legs contradict the vaults' },
    );
    const { engine, changes } = fold([
      second(0, launch()),
      second(1, transactionFacts({ txIndex: 0, events: [bad] })),
    ]);
    expect(changes[1]?.swaps.map(({ exclusion }) => exclusion)).toEqual(['quarantined']);
    expect(changes[1]?.pools).toEqual([]);
    expect(engine.pool(pool)).toMatchObject({ swapCount: 0, walletCount: 0, priceUsd: null });
    expect(engine.counters.quarantinedSwaps).toBe(1);
  });

  test('without a time of its own keeps the time before it', () => {
    const { engine, changes } = fold([
      second(5),
      { ...second(9), blockTimeMs: null },
      { ...second(10), blockTimeMs: START_MS + 3_000 },
    ]);
    expect(changes.map(({ timeMs }) => timeMs)).toEqual([5, 5, 5].map((t) => START_MS + t * 1_000));
    expect(engine.counters.estimatedTimeSlots).toBe(1);
  });

  test.each([
    ['is not after the last one', () => second(5)],
    ['is before the last one', () => second(4)],
    [
      'has transactions out of order',
      () => second(6, transactionFacts({ txIndex: 3 }), transactionFacts({ txIndex: 2 })),
    ],
    [
      'has an index twice',
      () => second(6, transactionFacts({ txIndex: 3 }), transactionFacts({ txIndex: 3 })),
    ],
    [
      'has events out of order',
      () => {
        const events = [poolCreated(1n, 1n, { outerIx: 2 }), mintCreated(mint, { outerIx: 1 })];
        return second(6, transactionFacts({ txIndex: 0, events }));
      },
    ],
    [
      'has inner events out of order',
      () => {
        const events = [mintCreated(mint, { innerIx: 4 }), poolCreated(1n, 1n, { outerIx: 0 })];
        return second(6, transactionFacts({ txIndex: 0, events }));
      },
    ],
  ])('is refused, changing nothing, when it %s', (_, wrong) => {
    const { engine } = fold([second(0, launch()), second(5)]);
    const before = engine.digest();
    expect(() => engine.apply(wrong())).toThrow(RangeError);
    expect(engine.digest()).toBe(before);
    expect(engine.lastSlot).toBe(1_005);
  });
});

describe('the history', () => {
  const hash = (t: number, own: string | null, previous: string | null) => ({
    ...second(t),
    blockhash: own,
    previousBlockhash: previous,
  });

  test.each([
    ['has no gap when each slot names the one before it', [second(0), second(1), second(2)], 0],
    ['has a gap where a slot has another parent', [second(0), second(2)], 1],
    ['has none over skipped slots', [second(0), { ...second(3), parentSlot: 1_000 as Slot }], 0],
    ['follows hashes', [hash(0, 'a', null), hash(4, 'b', 'a'), hash(5, 'c', 'b')], 0],
    ['has a gap where hashes do not meet', [hash(0, 'a', null), hash(1, 'b', 'x')], 1],
    ['has a gap in each slot that is not whole', [{ ...second(0), isWhole: false }, second(1)], 1],
  ] as [string, SlotFacts[], number][])('%s', (_, slots, gaps) => {
    const { engine } = fold(slots);
    expect([engine.counters.unlinkedSlots, engine.isComplete]).toEqual([gaps, gaps === 0]);
  });

  test('adds up what became of instructions', () => {
    const pump = { event: 3, ignored: 2, unknown: 1, malformed: 0, quarantined: 1 };
    const system = { event: 0, ignored: 9, unknown: 0, malformed: 4, quarantined: 0 };
    const { engine } = fold([
      { ...second(0), outcomes: { pump, system } },
      { ...second(1), outcomes: { system, pump } },
    ]);
    expect(engine.counters.outcomes).toEqual({
      pump: { event: 6, ignored: 4, unknown: 2, malformed: 0, quarantined: 2 },
      system: { event: 0, ignored: 18, unknown: 0, malformed: 8, quarantined: 0 },
    });
  });
});

describe('a pool of an older token', () => {
  test('makes a token of which only the trade is known', () => {
    const trade = createTrader();
    const { engine } = fold([second(3, trade('A', 'buy', SOL, 1_000_000n))]);
    expect(engine.token(mint)).toMatchObject({
      supplyRaw: null,
      creator: null,
      creationSlot: null,
      liquidityEvent: null,
      decimals: 6,
      primaryPool: pool,
      priceUsd: 2n * 10n ** 14n,
      createdAtMs: START_MS + 3_000,
    });
    expect(engine.pool(pool)).toMatchObject({ createdSlot: null, creator: null });
    expect(engine.token(WRAPPED_SOL)).toBeNull();
  });

  test('does not let a later pool pass for its first liquidity', () => {
    const trade = createTrader();
    const { engine } = fold([
      second(3, trade('A', 'buy', SOL, 1_000_000n)),
      second(
        4,
        transactionFacts({
          txIndex: 0,
          events: [poolCreated(5n, 5n * SOL, { pool: address('new') })],
        }),
      ),
    ]);
    expect(engine.token(mint)?.liquidityEvent).toBeNull();
  });
});

describe('the pools of one token', () => {
  const other = address('pool-u');
  const create = (t: number, at: Address, quoteRaw: bigint, rest = {}) =>
    second(
      t,
      transactionFacts({
        txIndex: 0,
        events: [poolCreated(TOKEN, quoteRaw, { pool: at, ...rest })],
      }),
    );

  test('hand over the price when one holds more than a tenth more', () => {
    const { engine } = fold([create(0, pool, 100n * SOL), create(1, other, 110n * SOL)]);
    expect(engine.token(mint)?.primaryPool).toBe(pool);
    const { changes } = fold(
      [
        second(
          2,
          transactionFacts({
            txIndex: 0,
            events: [
              {
                kind: 'liquidity',
                outerIx: 0,
                innerIx: -1,
                venue: 'raydium_cpmm',
                pool: other,
                baseMint: mint,
                quoteMint: WRAPPED_SOL,
                provider: address('lp'),
                poolBaseDelta: 0n as RawAmount,
                poolQuoteDelta: 1n as RawAmount,
                lpDelta: null,
                reserves: null,
              },
            ],
          }),
        ),
      ],
      engine,
    );
    expect(engine.pool(other)?.reserves?.quote).toBe(110n * SOL + 1n);
    expect(changes[0]?.tokens.map(({ primaryPool }) => primaryPool)).toEqual([other]);
  });

  test('compare in USD, whatever their quote', () => {
    const { engine } = fold([
      create(0, pool, 100n * SOL),
      create(1, other, 22_001n * TOKEN, { quoteMint: USDC, quoteDecimals: 6 }),
    ]);
    expect(engine.token(mint)?.primaryPool).toBe(other);
  });

  test('leave it to the first one while nothing is known in USD', () => {
    const { engine } = fold(
      [create(0, pool, 1n * SOL), create(1, other, 900n * SOL)],
      new Engine({ fallbackSolUsd: null }),
    );
    expect(engine.token(mint)?.primaryPool).toBe(pool);
    expect(engine.token(mint)?.liquidityEvent).toMatchObject({ lamports: SOL, valueUsd: null });
  });

  test('give the first real liquidity also when it came after an empty creation', () => {
    const { engine } = fold([create(0, pool, 0n), create(1, other, 7n * SOL)]);
    expect(engine.token(mint)?.liquidityEvent).toMatchObject({ pool: other, lamports: 7n * SOL });
  });
});

describe('a curve', () => {
  const curve = address('curve');
  const amm = address('amm');
  const launched = (supply: bigint | null, ...rest: TransactionFacts['events']) =>
    transactionFacts({
      txIndex: 0,
      signers: [address('payer')],
      events: [
        {
          kind: 'launch',
          outerIx: 0,
          innerIx: -1,
          venue: 'pump',
          mint,
          quoteMint: WRAPPED_SOL,
          pool: curve,
          creator: address('creator'),
          tokenProgram: address('token-program'),
          supply: supply as RawAmount | null,
          reserves: {
            base: 793_100_000_000_000n as RawAmount,
            quote: 0n as RawAmount,
            virtualBase: 1_073_000_000_000_000n as RawAmount,
            virtualQuote: (30n * SOL) as RawAmount,
          },
        },
        ...rest,
      ],
    });
  const whole = () =>
    launched(SUPPLY, mintCreated(mint, { innerIx: 0 }), supplyChange('mintTo', mint, SUPPLY, 1));
  const migration = (...created: TransactionFacts['events']) =>
    transactionFacts({
      txIndex: 0,
      events: [
        {
          kind: 'migrate',
          outerIx: 0,
          innerIx: -1,
          venue: 'pump',
          mint,
          fromPool: curve,
          toPool: amm,
          baseRaw: 206_900_000_000_000n as RawAmount,
          quoteRaw: (84n * SOL) as RawAmount,
        },
        ...created,
      ],
    });
  const ammCreated = poolCreated(206_900_000_000_000n, 84n * SOL, { pool: amm, venue: 'pump_amm' });

  test('reports no SOL at all until it migrates, whatever pools appear beside it', () => {
    const { engine } = fold([
      second(0, whole()),
      second(1, transactionFacts({ txIndex: 0, events: [poolCreated(TOKEN, 9n * SOL)] })),
    ]);
    expect(engine.token(mint)?.liquidityEvent).toMatchObject({
      pool: curve,
      lamports: 0n,
      baseRaw: 793_100_000_000_000n,
      valueUsd: 0n,
    });
    expect(engine.pool(curve)).toMatchObject({
      venue: 'pump',
      creator: address('creator'),
      baseDecimals: 6,
      createdSlot: 1_000,
      liquidityUsd: 0n,
    });
  });

  test('hands liquidity and price to the pool it migrates to', () => {
    const { engine } = fold([second(0, whole()), second(50, migration(ammCreated))]);
    expect(engine.pool(curve)).toMatchObject({
      isCurveComplete: true,
      migratedTo: amm,
      liquidityUsd: 0n,
    });
    expect(engine.token(mint)).toMatchObject({
      creator: address('creator'),
      primaryPool: amm,
      liquidityEvent: {
        pool: amm,
        lamports: 84n * SOL,
        baseRaw: 206_900_000_000_000n,
        valueUsd: 16_800n * DOLLAR,
        slot: 1_050,
      },
    });
  });

  test('hands over even where USD is unknown and the pool shows up later', () => {
    const { engine } = fold(
      [
        second(0, whole()),
        second(50, migration()),
        second(51, transactionFacts({ txIndex: 0, events: [ammCreated] })),
      ],
      new Engine({ fallbackSolUsd: null }),
    );
    expect(engine.token(mint)).toMatchObject({
      primaryPool: amm,
      liquidityEvent: { pool: amm, valueUsd: null },
    });
  });

  test('gives the supply its mint was seen to get, or else what the launch says', () => {
    expect(fold([second(0, whole())]).engine.token(mint)?.supplyRaw).toBe(SUPPLY);
    const decimals = transactionFacts({
      ...launched(SUPPLY),
      tokenBalances: [balanceChange(curve, 0n, SUPPLY)],
    });
    expect(fold([second(0, decimals)]).engine.token(mint)?.supplyRaw).toBe(SUPPLY);
    expect(fold([second(0, launched(null))]).engine.token(mint)?.supplyRaw).toBeNull();
  });

  test('is the pool among its holders', () => {
    const facts = { ...whole(), tokenBalances: [balanceChange(curve, 0n, SUPPLY)] };
    const { engine } = fold([second(0, facts)]);
    expect(engine.holderCount(mint)).toBe(0);
    expect(engine.topHolders(mint, 5).map(({ isPool }) => isPool)).toEqual([true]);
  });
});

describe('the digest', () => {
  test('is the same for the same slots, and another after any of them', () => {
    const [one, other] = [new Engine({ fallbackSolUsd }), new Engine({ fallbackSolUsd })];
    const seen = new Set<string>();
    for (const facts of f1()) {
      one.apply(facts);
      other.apply(facts);
      expect(other.digest()).toBe(one.digest());
      seen.add(one.digest());
    }
    expect(seen.size).toBe(f1().length);
  });

  test('does not show in which order independent things were learnt', () => {
    const steps = ['one', 'two', 'three'].map((name) => ({
      events: [mintCreated(address(name)), supplyChange('mintTo', address(name), 5n, 1)],
      tokenBalances: [
        balanceChange(address(`${name} a`), 0n, 3n, { mint: address(name) }),
        balanceChange(address(`${name} b`), 0n, 2n, { mint: address(name) }),
      ],
    }));
    const inOrder = (order: readonly number[]) =>
      fold([
        second(
          0,
          ...order.map((step, txIndex) =>
            transactionFacts({ txIndex, ...steps[step], signers: [address('creator')] }),
          ),
        ),
      ]).engine.digest();
    expect(inOrder([2, 0, 1])).toBe(inOrder([0, 1, 2]));
  });

  test('tells states apart that differ in one unit', () => {
    const digests = [SOL, SOL + 1n].map((sol) =>
      fold([second(0, launch()), second(1, createTrader()('A', 'buy', sol, 1n))]).engine.digest(),
    );
    expect(digests[0]).not.toBe(digests[1]);
  });
});

describe('bounds', () => {
  test('are named when the state has outgrown them', () => {
    const engine = new Engine({ fallbackSolUsd, bounds: { pools: 0, poolTraders: 4 } });
    expect(engine.exceededBounds()).toEqual([]);
    fold(f1(), engine);
    expect(engine.exceededBounds()).toEqual(['pools']);
    expect(engine.stateSize).toMatchObject({
      tokens: 1,
      pools: 1,
      poolTraders: 4,
      holderMints: 1,
      holderAccounts: 3,
    });
    expect(engine.lastSlot).toBe(1_130 as Slot);
  });
});
