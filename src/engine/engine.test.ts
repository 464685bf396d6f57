import { beforeAll, describe, expect, test } from 'vitest';
import {
  balanceChange,
  mintCreated,
  poolCreated,
  supplyChange,
  swapEvent,
  transactionFacts,
} from '../../tests/support/build-facts.ts';
import { address } from '../../tests/support/build-transaction.ts';
import {
  createTrader,
  DOLLAR,
  f1,
  fallbackSolUsd,
  fold,
  launch,
  mint,
  pool,
  SOL,
  START_MS,
  SUPPLY,
  second,
  TOKEN,
} from '../../tests/support/master-fixture.ts';
import type { Candle, SlotChanges } from '../model/derived.ts';
import { WRAPPED_SOL } from '../model/program.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { Slot } from '../model/units.ts';
import { Engine } from './engine.ts';

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
