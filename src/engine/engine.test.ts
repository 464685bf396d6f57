import { describe, expect, test } from 'vitest';
import {
  balanceChange,
  jitoTip,
  metadataSet,
  mintCreated,
  poolCreated,
  swapEvent,
  transactionFacts,
} from '../../tests/support/build-facts.ts';
import { address } from '../../tests/support/build-transaction.ts';
import {
  createTrader,
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
import { asAddress, asRawAmount, asSlot } from '../model/units.ts';
import { Engine } from './engine.ts';

describe('a slot', () => {
  test('returns each changed record once, as it is at the end of the slot', () => {
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

  test('changes only counters for failed transactions', () => {
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
      shownCandles: [],
      balances: [],
      bundles: [],
      solPrices: [],
      indicators: [],
      classifications: [],
      signals: [],
      ruleHits: [],
      outcomes: [],
    });
    expect(engine.counters).toMatchObject({ transactions: 2, failedTransactions: 1 });
    expect(engine.holderCount(mint)).toBe(0);
  });

  test('counts a trade that its curve cannot have made, without using its price', () => {
    const trader = address('A');
    // Ten times the tokens that 1 SOL buys at 30 virtual SOL for 1.073e9 virtual tokens.
    const impossible = swapEvent(
      { trader, side: 'buy', baseRaw: 346_129_032n * TOKEN, quoteRaw: SOL },
      {
        reserves: {
          base: asRawAmount(SUPPLY),
          quote: asRawAmount(SOL),
          virtualBase: asRawAmount(1_038_387_096n * TOKEN),
          virtualQuote: asRawAmount(31n * SOL),
        },
      },
    );
    const { engine, changes } = fold([
      second(0, launch()),
      second(1, transactionFacts({ txIndex: 0, events: [impossible] })),
    ]);
    expect(changes[1]?.swaps.map(({ exclusion }) => exclusion)).toEqual(['physics']);
    expect(engine.pool(pool)).toMatchObject({
      swapCount: 1,
      buyVolumeUsd: 200_000_000_000n,
      walletCount: 1,
      price: null,
    });
  });

  test('returns swaps of earlier slots again when they become sandwich legs', () => {
    const trade = createTrader();
    const { changes } = fold([
      second(0, launch()),
      second(1, trade('x', 'buy', 10n * SOL, 1_000_000n)),
      second(2, trade('v', 'buy', 2n * SOL, 100_000n)),
      second(3, trade('x', 'sell', 11n * SOL, 1_000_000n)),
    ]);
    expect(changes[1]?.swaps.map(({ exclusion }) => exclusion)).toEqual([null]);
    expect(changes[3]?.swaps.map(({ slot, exclusion }) => [slot, exclusion])).toEqual([
      [1_001, 'sandwich_leg'],
      [1_003, 'sandwich_leg'],
    ]);
  });

  test('returns a token whose supply went to a burn address', () => {
    const incinerator = asAddress('1nc1nerator11111111111111111111111111111111');
    const trade = createTrader();
    const burn = { tokenBalances: [balanceChange(incinerator, 0n, 5n * TOKEN)] };
    const { engine, changes } = fold([
      second(0, launch()),
      second(1, transactionFacts({ txIndex: 0, ...burn })),
      second(2, trade('A', 'buy', SOL, 1_000_000n)),
    ]);
    expect(changes[1]?.tokens.map(({ burnedRaw, slot }) => [burnedRaw, slot])).toEqual([
      [5n * TOKEN, 1_001],
    ]);
    expect(engine.holderCount(mint)).toBe(1);
    const candle = changes[2]?.candles.find(({ scope }) => scope === mint);
    expect(candle?.supplyRaw).toBe(SUPPLY - 5n * TOKEN);
  });

  test('takes the decimals of a token from a balance', () => {
    const { engine } = fold([
      second(0, transactionFacts({ txIndex: 0, events: [metadataSet({ mint, name: 'Moo' })] })),
    ]);
    expect(engine.token(mint)?.decimals).toBeNull();
    const seen = transactionFacts({ txIndex: 0, tokenBalances: [balanceChange(pool, 0n, 1n)] });
    const { changes } = fold([second(1, seen)], engine);
    expect(changes[0]?.tokens.map(({ decimals }) => decimals)).toEqual([6]);
  });

  test('returns the cost of bundled buys, from the pool if the wallet side is not recorded', () => {
    const bundle = ['a', 'b'].map((trader, at) =>
      transactionFacts({
        txIndex: 7 + at,
        tips: at === 0 ? jitoTip() : [],
        events: [
          swapEvent(
            { trader: address(trader), side: 'buy', baseRaw: TOKEN, quoteRaw: 3n * SOL },
            at === 0 ? {} : { traderQuoteDelta: null },
          ),
        ],
      }),
    );
    const { changes } = fold([second(0, launch()), second(1, ...bundle)]);
    expect(changes[1]?.bundles.map(({ lamports }) => lamports)).toEqual([3n * SOL, 3n * SOL]);
  });

  test('returns quarantined swaps, without counting volume, wallet or price', () => {
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

  test('without a block time keeps the previous time', () => {
    const { engine, changes } = fold([
      second(5),
      { ...second(9), blockTimeMs: null },
      { ...second(10), blockTimeMs: START_MS + 3_000 },
    ]);
    expect(changes.map(({ timeMs }) => timeMs)).toEqual([5, 5, 5].map((t) => START_MS + t * 1_000));
    expect(engine.counters).toMatchObject({ estimatedTimeSlots: 1, unknownTimeSlots: 0 });
  });

  test('of unknown time counts its trades, but in no time span', () => {
    const trade = createTrader();
    const untimed = (t: number, ...rest: Parameters<typeof trade>) => ({
      ...second(t, trade(...rest)),
      blockTimeMs: null,
    });
    const { engine, changes } = fold([
      second(0, launch()),
      untimed(151, 'A', 'buy', SOL, 1_000_000n),
      untimed(152, 'B', 'buy', SOL, 1_000_000n),
      second(400),
    ]);
    expect(changes.flatMap(({ candles, swaps }) => [...candles, ...swaps])).toEqual([]);
    expect(changes[2]?.pools[0]).toMatchObject({ updatedAtMs: null, lastSwapMs: null });
    expect(changes[1]?.balances.map(({ owner, firstSeenMs }) => [owner, firstSeenMs])).toEqual([
      [address('A'), null],
      [pool, START_MS],
    ]);
    expect(engine.pool(pool)).toMatchObject({
      swapCount: 2,
      walletCount: 2,
      buyVolumeUsd: 400_000_000_000n,
    });
    expect(engine.counters).toMatchObject({ estimatedTimeSlots: 0, unknownTimeSlots: 2 });
  });

  test('before any block time leaves every time null', () => {
    const { engine } = fold([{ ...second(0, launch()), blockTimeMs: null }]);
    expect(engine.token(mint)).toMatchObject({
      createdAtMs: null,
      updatedAtMs: null,
      liquidityEvent: { timeMs: null },
    });
    expect(engine.pool(pool)).toMatchObject({ firstSeenMs: null, updatedAtMs: null });
    expect(engine.topHolders(mint, 1)[0]?.firstSeenMs).toBeNull();
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
  ])('is rejected without any change when it %s', (_, wrong) => {
    const { engine } = fold([second(0, launch()), second(5)]);
    const before = engine.digest();
    expect(() => engine.apply(wrong())).toThrow(RangeError);
    expect(engine.digest()).toBe(before);
    expect(engine.lastSlot).toBe(1_005);
  });
});

describe('the size of a state', () => {
  test('counts what it contains', () => {
    const engine = new Engine({ fallbackSolUsd });
    expect(engine.stateSize).toMatchObject({ tokens: 0, poolTraders: 0 });
    fold(f1(), engine);
    expect(engine.stateSize).toMatchObject({
      tokens: 1,
      pools: 1,
      poolTraders: 4,
      holderMints: 1,
      holderAccounts: 3,
    });
    expect(engine.lastSlot).toBe(asSlot(1_130));
  });
});
