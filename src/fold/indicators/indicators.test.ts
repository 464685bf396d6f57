import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAsInMemory } from '../../../tests/support/book-outside-memory.ts';
import { buildPosition } from '../../../tests/support/build-position.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import {
  type IndicatorStep,
  type NaiveMoment,
  naiveIndicators,
} from '../../../tests/support/naive-indicators.ts';
import { sumsOf } from '../../../tests/support/page-sums.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { IndicatorRecord } from '../../model/indicators.ts';
import { asPriceE18, asRawAmount, asSlot, asUsdNano, type UsdNano } from '../../model/units.ts';
import { type IndicatorBooks, type IndicatorPool, readIndicators } from './indicators.ts';
import { PoolWalletBook } from './pool-wallet-book.ts';
import type { PositionView } from './position-view.ts';
import { SmartFlowBook } from './smart-flow.ts';
import { SmartHolderBook } from './smart-holders.ts';

const POOL = address('pool');
const MINT = address('mint');
const DECIMALS = 6;
const TOKEN = 1_000_000n;
const [A, B, C, X] = ['A', 'B', 'C', 'X'].map((name) => address(name)) as [
  ReturnType<typeof address>,
  ReturnType<typeof address>,
  ReturnType<typeof address>,
  ReturnType<typeof address>,
];

function createBooks(undo = new UndoLog(), listedMax = 512): IndicatorBooks {
  return {
    poolWallets: new PoolWalletBook(new AddressIds(undo), undo, { listedMax }),
    smartFlows: new SmartFlowBook(new AddressIds(undo), undo),
    smartHolders: new SmartHolderBook(new AddressIds(undo), undo),
  };
}

function apply({ poolWallets, smartFlows, smartHolders }: IndicatorBooks, step: IndicatorStep) {
  const pool = { pool: POOL, baseDecimals: DECIMALS };
  if (step.kind === 'trade') poolWallets.applyTrade(pool, step.wallet, step.trade);
  else if (step.kind === 'position') poolWallets.positionChanged(POOL, step.wallet, step.position);
  else if (step.kind === 'class') poolWallets.setWalletClass(step.wallet, step.isBot);
  else if (step.kind === 'sandwich') poolWallets.markSandwich(POOL, step.wallet);
  else if (step.kind === 'smartTrade') smartFlows.add(POOL, step.trade);
  else smartHolders.set(MINT, step.wallet, step.holding);
}

function usd(dollars: number): UsdNano {
  return asUsdNano(BigInt(Math.round(dollars * 1e9)));
}

function poolState(volumeUsd: UsdNano, priceUsd: bigint | null): IndicatorPool {
  return {
    pool: POOL,
    baseMint: MINT,
    priceUsd: priceUsd === null ? null : asPriceE18(priceUsd),
    buyVolumeUsd: volumeUsd,
    sellVolumeUsd: usd(0),
    quoteVolumeRaw: asRawAmount(volumeUsd),
    pricedQuoteVolumeRaw: asRawAmount(volumeUsd),
  };
}

function moment(nowMs: number | null, rawHolders = 0) {
  const isSmartHolder = () => true;
  return { slot: asSlot(1), nowMs, mintOriginMs: 0, rawHolders, isSmartHolder };
}

/** F1 of METHODS §0.10, from its table: seconds, wallet, side, dollars. */
const F1_TRADES = [
  [10, A, 'buy', 200],
  [20, B, 'buy', 300],
  [30, A, 'sell', 200],
  [70, C, 'buy', 200],
  [110, B, 'sell', 200],
] as const;

/** Positions at the end of F1, computed by hand from its table. */
const F1_POSITIONS: readonly [typeof A, Partial<PositionView>][] = [
  [
    A,
    {
      isOpen: true,
      heldRaw: asRawAmount(500_000n * TOKEN),
      costUsd: usd(100),
      realisedUsd: usd(100),
      grossCostUsd: usd(200),
      acquiredS: 10,
      closedHold: 500_000e6 * 20,
      closedRaw: 500_000e6,
    },
  ],
  [
    B,
    {
      realisedUsd: usd(-100),
      grossCostUsd: usd(300),
      acquiredS: 20,
      closedHold: 1_000_000e6 * 90,
      closedRaw: 1_000_000e6,
    },
  ],
  [
    C,
    {
      isOpen: true,
      heldRaw: asRawAmount(500_000n * TOKEN),
      costUsd: usd(200),
      grossCostUsd: usd(200),
      acquiredS: 70,
    },
  ],
  [X, { realisedUsd: usd(-6), grossCostUsd: usd(120), closedRaw: 300_000e6 }],
];

function position(parts: Partial<PositionView>): PositionView {
  return buildPosition({ isOpen: false, ...parts });
}

function f1Steps(): IndicatorStep[] {
  const trade = { txIndex: 0, isHop: false, isVolumeAtomic: false, isBot: false };
  const steps: IndicatorStep[] = [];
  for (const [second, wallet, side, dollars] of F1_TRADES) {
    const timeMs = second * 1_000;
    const volumeUsd = usd(dollars);
    const slot = asSlot(second);
    steps.push({ kind: 'trade', wallet, trade: { ...trade, slot, timeMs, volumeUsd } });
    if (wallet === C) continue;
    const score = wallet === A ? 80 : 60;
    const smart = { wallet, cluster: null, score, side, valueUsd: volumeUsd, isEligible: true };
    steps.push({ kind: 'smartTrade', trade: { ...smart, timeMs } });
  }
  for (const second of [80, 90, 100]) {
    for (const dollars of [40, 38]) {
      const inSlot = { ...trade, slot: asSlot(second), timeMs: second * 1_000 };
      const roundTrip = { ...inSlot, volumeUsd: usd(dollars), isVolumeAtomic: true, isBot: true };
      steps.push({ kind: 'trade', wallet: X, trade: roundTrip });
    }
  }
  for (const [wallet, parts] of F1_POSITIONS) {
    steps.push({ kind: 'position', wallet, position: position(parts) });
  }
  // B is also smart, but holds nothing at the end.
  steps.push({ kind: 'smart', wallet: A, holding: { score: 80, costUsd: usd(100) } });
  return steps;
}

describe('F1 of METHODS §0.10', () => {
  const books = createBooks();
  for (const step of f1Steps()) apply(books, step);
  const record = readIndicators(
    books,
    poolState(usd(1_334), 200_000_000_000_000n),
    moment(130_000, 2),
  );

  test('gives every figure of its table, rounded as in the API', () => {
    // Volumes by the class at the trade are settled by the engine, not here.
    expect(record).toEqual({
      tradedOrganicUsd: 0n,
      tradedProfitableUsd: 0n,
      pool: POOL,
      baseMint: MINT,
      slot: 1,
      createdAtMs: 130_000,
      totalWallets: 4,
      organicWallets: 3,
      organicProfitableWallets: 1,
      organicToTotalWalletsRatio: 0.75,
      botToTotalWalletsRatio: 0.25,
      profitableOrganicToTotalOrganicRatio: 0.3333,
      totalVolumeUsd: usd(1_334),
      organicVolumeUsd: usd(1_100),
      botVolumeRatio: 0.1754,
      organicVolumeRatio: 0.8246,
      organicMeanHoldSeconds: 73.33,
      organicMeanTradeFrequencySeconds: 55,
      priceUsd: 200_000_000_000_000n,
      smartMoneyScore: 6.7,
      rawSmartMoneyScore: 0.55,
      smartMoneyInflux10min: usd(340),
      smartMoneyOutflux10min: usd(280),
      rawSmartMoneyInflux: usd(500),
      rawSmartMoneyOutflux: usd(400),
      smartHolders: 1,
      rawHolders: 2,
      smartToRawHoldersRatio: 0.5,
      profitableVolume: usd(400),
      profitableVolumeTotalVolumeRatio: 0.2999,
    });
  });

  test('counts the volume of X as bot volume: the total less the organic volume', () => {
    expect(books.poolWallets.find(POOL, X)).toMatchObject({
      isOrganic: false,
      volumeUsd: usd(234),
      timedTrades: 3,
    });
  });

  test('agrees with the naive oracle that the random runs below use', () => {
    const naive = naiveIndicators(f1Steps(), {
      nowMs: 130_000,
      originMs: 0,
      priceUsd: 200_000_000_000_000n,
      baseDecimals: DECIMALS,
    });
    expect(naive.profitable).toEqual({ organic: 1, volumeUsd: usd(400) });
    expect(naive.meanHoldS).toBeCloseTo(73.333333, 6);
    expect(naive.meanFrequencyS).toBe(55);
    expect(naive.flows.influx).toEqual({ raw: usd(500), weighted: 340e9 });
  });
});

describe('zero and unknown figures', () => {
  test('a pool without traders has counts and ratios of 0, and no means', () => {
    const record = readIndicators(createBooks(), poolState(usd(0), null), moment(1_000));
    expect(record).toMatchObject({
      totalWallets: 0,
      organicWallets: 0,
      organicProfitableWallets: 0,
      organicToTotalWalletsRatio: 0,
      botToTotalWalletsRatio: 0,
      profitableOrganicToTotalOrganicRatio: 0,
      totalVolumeUsd: 0n,
      botVolumeRatio: 0,
      organicVolumeRatio: 0,
      profitableVolume: 0n,
      profitableVolumeTotalVolumeRatio: 0,
      smartToRawHoldersRatio: 0,
      smartMoneyScore: 0,
      organicMeanHoldSeconds: null,
      organicMeanTradeFrequencySeconds: null,
      priceUsd: null,
    });
  });

  test('with less than 0.9 of the quote volume priced, dollars are null and counts remain', () => {
    const books = createBooks();
    for (const step of f1Steps()) apply(books, step);
    const state = {
      ...poolState(usd(1_334), 200_000_000_000_000n),
      quoteVolumeRaw: asRawAmount(1_000n),
    };
    const priced = (raw: bigint) =>
      readIndicators(books, { ...state, pricedQuoteVolumeRaw: asRawAmount(raw) }, moment(130_000));
    expect(priced(900n).totalVolumeUsd).toBe(usd(1_334));
    expect(priced(899n)).toMatchObject({
      totalVolumeUsd: null,
      organicVolumeUsd: null,
      organicVolumeRatio: null,
      botVolumeRatio: null,
      profitableVolume: null,
      profitableVolumeTotalVolumeRatio: null,
      smartMoneyInflux10min: null,
      rawSmartMoneyOutflux: null,
      totalWallets: 4,
      organicProfitableWallets: 1,
    });
  });

  test('without a price, profits are null while any result depends on it', () => {
    const books = createBooks();
    for (const step of f1Steps()) apply(books, step);
    const record = readIndicators(books, poolState(usd(1_334), null), moment(130_000));
    expect(record).toMatchObject({
      organicProfitableWallets: null,
      profitableOrganicToTotalOrganicRatio: null,
      profitableVolume: null,
      profitableVolumeTotalVolumeRatio: null,
    });
    // A sells all at a gain, C at a loss: at any price, one of three is profitable.
    books.poolWallets.positionChanged(POOL, A, position({ realisedUsd: usd(50) }));
    books.poolWallets.positionChanged(POOL, C, position({ realisedUsd: usd(-50) }));
    expect(readIndicators(books, poolState(usd(1_334), null), moment(130_000))).toMatchObject({
      organicProfitableWallets: 1,
      profitableVolume: usd(400),
    });
  });

  test('without a time, mean hold times and ten-minute flows are null', () => {
    const books = createBooks();
    for (const step of f1Steps()) apply(books, step);
    expect(readIndicators(books, poolState(usd(1_334), null), moment(null))).toMatchObject({
      createdAtMs: null,
      organicMeanHoldSeconds: null,
      organicMeanTradeFrequencySeconds: 55,
      smartMoneyInflux10min: null,
    });
  });
});

const WALLETS = Array.from({ length: 12 }, (_, index) => address(`wallet ${index}`));
const wallet = fc.constantFrom(...WALLETS);
const cents = fc.oneof(fc.integer({ min: 0, max: 150 }), fc.integer({ min: 0, max: 10_000_000 }));
const value = cents.map((amount) => asUsdNano(BigInt(amount) * 10_000_000n));
const signedValue = fc
  .tuple(fc.boolean(), value)
  .map(([isLoss, amount]) => asUsdNano(isLoss ? -amount : amount));

const arbitraryPosition: fc.Arbitrary<PositionView> = fc.record({
  hasKnownBuy: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.constant(false)),
  isOpen: fc.boolean(),
  heldRaw: fc
    .oneof(fc.constant(0n), fc.bigInt(1n, 2n ** 64n - 1n), fc.bigInt(1n, 10n ** 12n))
    .map(asRawAmount),
  costUsd: value,
  realisedUsd: signedValue,
  grossCostUsd: value,
  acquiredS: fc.integer({ min: 0, max: 1_000 }),
  closedHold: fc.integer({ min: 0, max: 1_000_000_000 }),
  closedRaw: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 10_000_000 })),
});

/** Steps without a time: the clock advances between them. */
type Draft = (clock: { slot: number; timeMs: number }) => IndicatorStep;

const draft: fc.Arbitrary<Draft> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({
        wallet,
        txIndex: fc.integer({ min: 0, max: 2 }),
        volumeUsd: fc.option(value, { freq: 8 }),
        isTimed: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.constant(false)),
        isHop: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.constant(true)),
        isVolumeAtomic: fc.oneof({ weight: 12, arbitrary: fc.constant(false) }, fc.constant(true)),
        isBot: fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, fc.constant(true)),
      })
      .map(
        ({ wallet: trader, isTimed, ...trade }): Draft =>
          ({ slot, timeMs }) => ({
            kind: 'trade',
            wallet: trader,
            trade: { ...trade, slot: asSlot(slot), timeMs: isTimed ? timeMs : null },
          }),
      ),
  },
  {
    weight: 4,
    arbitrary: fc.record({ wallet, position: arbitraryPosition }).map(
      (parts): Draft =>
        () => ({ kind: 'position', ...parts }),
    ),
  },
  fc.record({ wallet, isBot: fc.boolean() }).map(
    (parts): Draft =>
      () => ({ kind: 'class', ...parts }),
  ),
  wallet.map(
    (marked): Draft =>
      () => ({ kind: 'sandwich', wallet: marked }),
  ),
  {
    weight: 3,
    arbitrary: fc
      .record({
        wallet,
        cluster: fc.constantFrom(null, null, address('cluster 1'), address('cluster 2')),
        score: fc.constantFrom(0, 50, 62.5, 80, 100),
        side: fc.constantFrom('buy' as const, 'sell' as const),
        valueUsd: value,
        isEligible: fc.boolean(),
      })
      .map(
        (trade): Draft =>
          ({ timeMs }) => ({ kind: 'smartTrade', trade: { ...trade, timeMs } }),
      ),
  },
  fc
    .record({
      wallet,
      holding: fc.option(fc.record({ score: fc.integer({ min: 0, max: 100 }), costUsd: value })),
    })
    .map(
      (parts): Draft =>
        () => ({ kind: 'smart', ...parts }),
    ),
);

/** Slots with their steps, and the seconds before each slot. */
const story = fc
  .array(
    fc.record({
      seconds: fc.constantFrom(0, 0, 1, 30, 300),
      drafts: fc.array(draft, { minLength: 1, maxLength: 12 }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((slots) => {
    const clock = { slot: 0, timeMs: 0 };
    return slots.map(({ seconds, drafts }) => {
      clock.slot++;
      clock.timeMs += seconds * 1_000;
      const byTransaction = drafts.map((make) => make(clock)).sort(inBlockOrder);
      return { timeMs: clock.timeMs, steps: byTransaction };
    });
  });

/** Swaps of one transaction are consecutive; the other steps of a slot follow them. */
function inBlockOrder(one: IndicatorStep, other: IndicatorStep): number {
  const rank = (step: IndicatorStep) => (step.kind === 'trade' ? step.trade.txIndex : 3);
  return rank(one) - rank(other);
}

const price = fc.oneof(
  fc.bigInt(1n, 10n ** 6n),
  fc.bigInt(10n ** 9n, 10n ** 17n),
  fc.constant(10n ** 22n),
  fc.constant(null),
);

function expectSame(record: IndicatorRecord, steps: readonly IndicatorStep[], at: NaiveMoment) {
  const naive = naiveIndicators(steps, at);
  expect(record.totalWallets).toBe(naive.wallets);
  expect(record.organicWallets).toBe(naive.organic);
  expect(record.organicVolumeUsd).toBe(naive.organicUsd);
  expect(record.organicProfitableWallets).toBe(naive.profitable?.organic ?? null);
  expect(record.profitableVolume).toBe(naive.profitable?.volumeUsd ?? null);
  expectClose(record.organicMeanHoldSeconds, naive.meanHoldS, 0.0051);
  expectClose(record.organicMeanTradeFrequencySeconds, naive.meanFrequencyS, 0.0051);
  expect(record.smartHolders).toBe(naive.smartHolders);
  expectClose(record.rawSmartMoneyScore, naive.rawScore, 0.0051);
  expectClose(record.smartMoneyScore, 100 * (1 - Math.E ** (-naive.rawScore / 8)), 0.0051);
  expect(record.rawSmartMoneyInflux).toBe(naive.flows.influx.raw);
  expect(record.rawSmartMoneyOutflux).toBe(naive.flows.outflux.raw);
  expectClose(Number(record.smartMoneyInflux10min), naive.flows.influx.weighted, 2);
  expectClose(Number(record.smartMoneyOutflux10min), naive.flows.outflux.weighted, 2);
  expectShare(record.organicToTotalWalletsRatio, naive.organic, naive.wallets);
  expectShare(record.organicVolumeRatio, Number(naive.organicUsd), Number(naive.totalUsd));
}

function expectClose(found: number | null, expected: number | null, tolerance: number) {
  if (expected === null || found === null) expect(found).toBe(expected);
  else expect(Math.abs(found - expected)).toBeLessThanOrEqual(tolerance);
}

function expectShare(found: number | null, part: number, whole: number) {
  expectClose(found, whole === 0 ? 0 : part / whole, 0.000_050_1);
}

function expectIdentities(record: IndicatorRecord) {
  const text = (ratio: number | null) => Number((ratio ?? 0).toFixed(4)) * 10_000;
  const wallets = text(record.organicToTotalWalletsRatio) + text(record.botToTotalWalletsRatio);
  const volumes = text(record.organicVolumeRatio) + text(record.botVolumeRatio);
  expect(Math.round(wallets)).toBe(record.totalWallets === 0 ? 0 : 10_000);
  expect(Math.round(volumes)).toBe(record.totalVolumeUsd === 0n ? 0 : 10_000);
  expect(record.organicWallets).toBeLessThanOrEqual(record.totalWallets);
  expect(record.organicProfitableWallets ?? 0).toBeLessThanOrEqual(record.organicWallets);
  expect((record.profitableVolume ?? 0n) <= (record.totalVolumeUsd ?? 0n)).toBe(true);
  expect((record.smartMoneyInflux10min ?? 0n) <= (record.rawSmartMoneyInflux ?? 0n)).toBe(true);
  expect((record.smartMoneyOutflux10min ?? 0n) <= (record.rawSmartMoneyOutflux ?? 0n)).toBe(true);
}

function volumeOf(steps: readonly IndicatorStep[]): UsdNano {
  let volumeUsd = 0n;
  for (const step of steps) if (step.kind === 'trade') volumeUsd += step.trade.volumeUsd ?? 0n;
  return asUsdNano(volumeUsd);
}

describe('any history of a pool', () => {
  // With trees from the second wallet on, or with lists only; large pools use both in turn.
  test('gives after each slot what a recomputation from the raw list gives', () => {
    fc.assert(
      fc.property(story, price, fc.constantFrom(1, 512), (slots, priceUsd, listedMax) => {
        const books = createBooks(new UndoLog(), listedMax);
        const applied: IndicatorStep[] = [];
        for (const { timeMs, steps } of slots) {
          for (const step of steps) apply(books, step);
          applied.push(...steps);
          const state = poolState(volumeOf(applied), priceUsd);
          const record = readIndicators(books, state, moment(timeMs));
          const at = { nowMs: timeMs, originMs: 0, priceUsd, baseDecimals: DECIMALS };
          expectSame(record, applied, at);
          expectIdentities(record);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  // Readings build trees, so the result must not depend on when they happen.
  test('is restored by undo slot by slot, and gives the same when applied again', () => {
    const listed = fc.constantFrom(1, 2, 4, 512);
    const readings = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(
        story,
        price,
        fc.nat(),
        listed,
        readings,
        (slots, priceUsd, choice, max, reads) => {
          const undo = new UndoLog(slots.length);
          const books = createBooks(undo, max);
          const read = (timeMs: number) =>
            readIndicators(books, poolState(usd(1), priceUsd), moment(timeMs));
          const fold = ({ timeMs, steps }: (typeof slots)[number]) => {
            undo.open();
            books.smartFlows.dropExpired(timeMs);
            for (const step of steps) apply(books, step);
            undo.close();
          };
          const before = slots.map((slot, index) => {
            const rows = [...digest(books, undo)];
            const figures = ((reads >> index) & 1) === 1 ? read(slot.timeMs) : null;
            fold(slot);
            return { rows, figures };
          });
          const lastMs = slots.at(-1)?.timeMs ?? 0;
          const [whole, wholeRows] = [read(lastMs), [...digest(books, undo)]];
          const kept = choice % slots.length;
          for (let index = slots.length - 1; index >= kept; index--) {
            undo.undo();
            expect([...digest(books, undo)]).toEqual(before[index]?.rows);
            const figures = before[index]?.figures ?? null;
            if (figures !== null) expect(read(slots[index]?.timeMs ?? 0)).toEqual(figures);
          }
          for (const slot of slots.slice(kept)) fold(slot);
          expect([...digest(books, undo)]).toEqual(wholeRows);
          expect(read(lastMs)).toEqual(whole);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

test('answers are the same from the store, and after a restart from a checkpoint', () => {
  const wallets = [A, B, C, X];
  const kind = {
    create: (_: unknown, undo: UndoLog) => createBooks(undo, 2),
    apply: (books: IndicatorBooks, steps: readonly IndicatorStep[]) => {
      for (const step of steps) if (step.kind !== 'smartTrade') apply(books, step);
    },
    answers: ({ poolWallets, smartHolders }: IndicatorBooks) => [
      ...[poolWallets.get(POOL), poolWallets.traderCount, smartHolders.size],
      poolWallets.profits(POOL, asPriceE18(10n ** 15n)),
      smartHolders.holders(MINT, () => true),
      wallets.map((each) => [poolWallets.find(POOL, each), [...poolWallets.poolsOf(each)]]),
    ],
  };
  fc.assert(
    fc.property(story, fc.nat({ max: 8 }), fc.nat(), (list, restoredAt, undone) => {
      const slots = list.map(({ steps }, index) => ({
        slot: steps,
        reverted: Number(((undone >> index) & 1) === 1),
      }));
      expectAsInMemory(kind, slots, restoredAt);
    }),
    { numRuns: 200 },
  );
});

test('pools traded in a minute are still known after a restart', () => {
  const kind = {
    create: (_: unknown, undo: UndoLog) => createBooks(undo).poolWallets,
    // Asking for the pools changes the book, so it is part of some slots.
    apply: (book: PoolWalletBook, names: readonly (string | null)[]) =>
      names.map((name) =>
        name === null ? book.takeTradedPools() : book.markTraded(address(name)),
      ),
    answers: (book: PoolWalletBook) => book.traderCount,
  };
  const anySlot = fc.array(fc.constantFrom('p', 'q', 'r', null), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(anySlot, { maxLength: 8 }), fc.nat({ max: 8 }), (list, restoredAt) => {
      const slots = list.map((inputs) => ({ slot: inputs, reverted: 0 }));
      expectAsInMemory(kind, slots, restoredAt);
    }),
  );
});

function* digest(_: IndicatorBooks, undo: UndoLog): Iterable<string> {
  yield sumsOf(undo.pages);
}
