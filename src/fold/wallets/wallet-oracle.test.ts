import fc from 'fast-check';
import { expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { walletStage, walletTrade } from '../../../tests/support/wallet-stage.ts';
import type { WalletFeatures } from './features/wallet-features.ts';
import type { WalletTrade } from './wallet-row-changes.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const NOW_OF_WINDOW = { hours: 24 * HOUR_MS, tenMinutes: 600_000 };

/** The complete history of a wallet as a list. */
interface History {
  readonly trades: readonly WalletTrade[];
  readonly holds: readonly number[];
  readonly failed: number;
}

/** The reference: computes all features from the list by their definitions, without state. */
function recount({ trades, holds, failed }: History): Partial<WalletFeatures> {
  const last = trades.at(-1) as WalletTrade;
  const nowMs = last.timeMs;
  const gaps = trades.slice(1).map((trade, at) => gapMs(trades[at] as WalletTrade, trade));
  const within = (part: number, window: number) =>
    trades.filter(({ timeMs }) => {
      const parts = window / part;
      return Math.floor(timeMs / part) > Math.floor(nowMs / part) - parts;
    }).length;
  const recent = (times: readonly number[]) =>
    times.filter((timeMs) => nowMs - timeMs < DAY_MS).length;
  const roundTrips = trades.filter(({ isRoundTrip }) => isRoundTrip).map(({ timeMs }) => timeMs);
  const today = Math.floor(nowMs / DAY_MS);
  const onDay = (day: number) => trades.filter(({ timeMs }) => Math.floor(timeMs / DAY_MS) === day);
  const swapsToday = onDay(today).length;
  const swapsYesterday = onDay(today - 1).length;
  const areBusy = Math.min(swapsToday, swapsYesterday) >= 50;
  const first = trades.filter(({ isFirstBuyOfMint }) => isFirstBuyOfMint);
  const sizes = trades.filter(({ side, lamports }) => side === 'buy' && lamports !== null);
  return {
    nowS: nowMs / 1_000,
    trades: trades.length,
    failed,
    ageS: (nowMs - (trades[0] as WalletTrade).timeMs) / 1_000,
    swaps24h: within(HOUR_MS, NOW_OF_WINDOW.hours),
    swaps10m: within(20_000, NOW_OF_WINDOW.tenMinutes),
    roundTrips: Math.min(2, recent(roundTrips)),
    sameSlotPairs: Math.min(5, recent(pairTimes(trades))),
    swapsToday,
    swapsYesterday,
    hoursToday: areBusy ? hoursOf(onDay(today)) : 0,
    hoursYesterday: areBusy ? hoursOf(onDay(today - 1)) : 0,
    closedHolds: holds.length,
    shortHolds: holds.filter((seconds) => seconds < 16).length,
    gaps: gaps.length,
    fastGaps: gaps.filter((gap) => gap <= 1_000).length,
    sizedBuys: sizes.length,
    ...modal(sizes),
    firstBuys: first.length,
    snipes: first.filter(({ isSnipe }) => isSnipe).length,
    terminalTrades: trades.filter(({ terminal }) => terminal).length,
    hasOtherActivity: false,
    lnGapDeviation: expect.closeTo(deviation(gaps), 9) as unknown as number,
  };
}

function gapMs(one: WalletTrade, other: WalletTrade): number {
  const timeMs = other.timeMs - one.timeMs;
  return timeMs <= 2_000 ? (other.slot - one.slot) * 400 : timeMs;
}

/** In two passes, where the profile needs one. */
function deviation(gaps: readonly number[]): number {
  if (gaps.length < 2) return 0;
  const logs = gaps.map((gap) => Math.log(Math.max(gap, 400) / 1_000));
  const mean = logs.reduce((sum, each) => sum + each, 0) / logs.length;
  const squares = logs.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return Math.sqrt(squares / (logs.length - 1));
}

/** The time of each trade that pairs with an unpaired opposite one of its mint in its slot. */
function pairTimes(trades: readonly WalletTrade[]): number[] {
  const alone = trades.filter(({ isRoundTrip }) => !isRoundTrip);
  const groups = Map.groupBy(alone, ({ slot, mint }) => `${slot} ${mint}`);
  return [...groups.values()].flatMap((group) => {
    const buys = group.filter(({ side }) => side === 'buy').length;
    const pairs = Math.min(buys, group.length - buys);
    return Array.from({ length: pairs }, () => (group[0] as WalletTrade).timeMs);
  });
}

function hoursOf(trades: readonly WalletTrade[]): number {
  return new Set(trades.map(({ timeMs }) => Math.floor(timeMs / HOUR_MS))).size;
}

/** Sizes from their decimal text: three digits, followed by zeros. */
function modal(buys: readonly WalletTrade[]): Partial<WalletFeatures> {
  const rounded = buys.map(({ lamports }) => Number(Number(lamports).toPrecision(3)));
  const counts = [...Map.groupBy(rounded, (size) => size)].map(([size, all]) => [size, all.length]);
  counts.sort(([size = 0, count = 0], [otherSize = 0, otherCount = 0]) => {
    return otherCount - count || size - otherSize;
  });
  const [[size = 0, count = 0] = []] = counts;
  const digits = String(size).replace(/0+$/, '');
  return { modalSizeLamports: size, modalSizeBuys: count, isModalSizeRound: digits.length <= 2 };
}

const anyStep = fc.record({
  stepS: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(0, 0, 0, 0.4, 0.8, 1.2, 2, 2.4, 3) },
    { weight: 4, arbitrary: fc.nat(900) },
    { weight: 2, arbitrary: fc.nat(9_000) },
    { weight: 1, arbitrary: fc.nat(400_000) },
  ),
  mint: fc.constantFrom('m', 'n'),
  side: fc.constantFrom('buy', 'sell'),
  // At most five sizes, which are counted exactly.
  lamports: fc.constantFrom(null, 100_000_000n, 137_400_000n, 250_049_999n, 12_345n, 999_949n),
  isRoundTrip: fc.nat(9).map((draw) => draw === 0),
  isFirstBuyOfMint: fc.boolean(),
  isSnipe: fc.boolean(),
  terminal: fc.boolean(),
} as const);

const anyHistory = fc.record({
  startS: fc.nat(200_000),
  steps: fc.array(anyStep, { minLength: 1, maxLength: 60 }),
  /** Chosen to give days with fifty trades and hours without any. */
  repeats: fc.constantFrom(1, 1, 1, 4),
  holds: fc.array(fc.nat(40), { maxLength: 12 }),
  failed: fc.nat(30),
});

test('a profile equals the features of the full list, for 1,000 random histories', () => {
  fc.assert(
    fc.property(anyHistory, ({ startS, steps, repeats, holds, failed }) => {
      const { book, wallet } = walletStage();
      let second = startS;
      const trades: WalletTrade[] = [];
      for (const { stepS, mint, ...rest } of Array.from({ length: repeats }, () => steps).flat()) {
        second += stepS;
        trades.push(walletTrade(second, { ...rest, mint: address(mint) }));
      }
      for (const trade of trades) book.applyTrade(wallet(), trade);
      for (const seconds of holds) book.applyClosedHold(wallet(), seconds);
      for (let at = 0; at < failed; at++) {
        book.applyFailed(wallet(), trades.at(-1) as WalletTrade);
      }
      expect(book.profile(wallet())?.features).toMatchObject(recount({ trades, holds, failed }));
    }),
    { numRuns: 1_000 },
  );
});

test('the histograms count each gap and hold in the bucket of its power of two', () => {
  const { book, wallet } = walletStage();
  let second = 0;
  // Buckets: 0 below a second, then [1, 2), [2, 4), [4, 8), … seconds.
  for (const gap of [0, 0.4, 3, 4, 7, 8, 1_000, 5_000_000]) {
    second += gap;
    book.applyTrade(wallet(), walletTrade(second));
  }
  for (const hold of [0, 1, 15, 16, 2 ** 30]) book.applyClosedHold(wallet(), hold);
  const { gapHistogram = [], holdHistogram = [] } = book.profile(wallet()) ?? {};
  const filled = (histogram: readonly number[]) =>
    histogram.flatMap((count, bucket) => Array.from({ length: count }, () => bucket));
  expect(filled(gapHistogram)).toEqual([0, 2, 3, 3, 4, 10, 23]);
  expect(filled(holdHistogram)).toEqual([0, 1, 4, 5, 23]);
});

test('a full histogram keeps its shape', () => {
  const { book, wallet } = walletStage();
  book.applyTrade(wallet(), walletTrade(0));
  for (let at = 0; at < 3_000; at++) book.applyClosedHold(wallet(), at % 3 === 0 ? 100 : 5);
  const { holdHistogram = [], features } = book.profile(wallet()) ?? {};
  // Buckets [4, 8) and [64, 128): the first has twice as many, after any halving.
  const ratio = (holdHistogram[3] ?? 0) / (holdHistogram[7] ?? 1);
  expect(Math.abs(ratio - 2)).toBeLessThan(0.2);
  expect(features).toMatchObject({ closedHolds: 3_000, shortHolds: 2_000 });
});

test.each([
  // The standard error from Whang et al.: √(128 · (e^t − t − 1)) / n with t = n / 128.
  [40, 0.066],
  [95, 0.071],
  [150, 0.077],
])('%d distinct mints of a day are estimated with a standard error of %d', (count, error) => {
  const errors = Array.from({ length: 60 }, (_, draw) => {
    const { book, wallet } = walletStage();
    for (let pass = 0; pass < 2; pass++) {
      for (let at = 0; at < count; at++) {
        book.applyTrade(wallet(), walletTrade(at, { mint: address(`mint ${at} of ${draw}`) }));
      }
    }
    return (book.profile(wallet())?.features.mintsPerDay ?? 0) / count - 1;
  });
  const squares = errors.reduce((sum, each) => sum + each * each, 0);
  expect(Math.sqrt(squares / errors.length)).toBeLessThan(error * 1.3);
});

test('mints of a day count until the end of the next day, active hours for eight days', () => {
  const { book, wallet } = walletStage();
  const mints = () => book.profile(wallet())?.features.mintsPerDay ?? 0;
  for (let at = 0; at < 5; at++) {
    book.applyTrade(wallet(), walletTrade(at * 3_600, { mint: address(`mint ${at}`) }));
  }
  const first = mints();
  expect([4, 5, 6]).toContain(first);
  book.applyTrade(wallet(), walletTrade(86_400));
  expect(mints()).toBe(first);
  book.applyTrade(wallet(), walletTrade(2 * 86_400));
  expect(mints()).toBe(1);
  // Hour 0 on three days, the four hours after it on one; on the ninth day those are dropped.
  const hours = () => book.profile(wallet())?.activeHours.slice(0, 6);
  expect(hours()).toEqual([3, 1, 1, 1, 1, 0]);
  book.applyTrade(wallet(), walletTrade(8 * 86_400 + 5 * 3_600));
  expect(hours()).toEqual([2, 0, 0, 0, 0, 1]);
});
