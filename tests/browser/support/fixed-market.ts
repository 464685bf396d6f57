import type { ApiDeps } from '../../../src/api/deps.ts';
import { NO_WIDER_FIGURES } from '../../../src/model/pool-figures.ts';
import { OPERATOR } from '../../../src/model/rule-change.ts';
import type { CountedRule } from '../../../src/model/rule-listing.ts';
import {
  asLamports,
  asPriceE18,
  asRawAmount,
  asSlot,
  asUsdNano,
} from '../../../src/model/units.ts';
import { executionStatistics } from '../../../src/signals/statistics/execution-statistics.ts';
import { signalStatistics } from '../../../src/signals/statistics/signal-statistics.ts';
import { buildJob } from '../../support/build-backtest.ts';
import { buildListing } from '../../support/build-signal.ts';
import { buildTrade } from '../../support/build-trade.ts';
import { address, signature } from '../../support/build-transaction.ts';
import { buildFiring, buildTrigger } from '../../support/build-trigger.ts';
import {
  asOfFakeSlot,
  CLASSIFICATION,
  fakeApiDeps,
  fakeCandle,
  fakeDetail,
  fakePool,
  fakeToken,
  fakeTokenListing,
  fakeWallet,
  fakeWindows,
  MINT,
  POOL,
  SLOT,
  SLOT_TIME_MS,
  WALLET,
  withHolders,
} from '../../support/fake-api-deps.ts';

/** The moment of the fixed market: a minute after its last slot. */
export const FIXED_NOW_MS = SLOT_TIME_MS + 60_000;

const TOKENS = 12;
const MINUTE_MS = 60_000;
const usd = (dollars: number) => asUsdNano(BigInt(dollars) * 1_000_000_000n);
const price = (nano: number) => asPriceE18(BigInt(nano) * 1_000_000_000n);

const token = fakeToken({
  ...{ symbol: 'FIXED', name: 'A fixed token', decimals: 6, creator: WALLET, primaryPool: POOL },
  ...{ supplyRaw: asRawAmount(1_000_000_000_000_000n), priceUsd: price(123_456) },
  createdAtMs: SLOT_TIME_MS - 90 * MINUTE_MS,
});

const pool = fakePool({
  ...{ buyCount: 120, sellCount: 80, swapCount: 200, walletCount: 75, liquidityUsd: usd(41_500) },
  ...{ priceUsd: price(123_456), athPriceUsd: price(400_000), lastSwapMs: SLOT_TIME_MS },
});

const listings = Array.from({ length: TOKENS }, (_, row) =>
  fakeTokenListing({
    token:
      row === 0
        ? token
        : fakeToken({
            ...{ mint: address(`token ${row}`), symbol: `TOK${row}`, name: `Token of row ${row}` },
            ...{ priceUsd: price(1_000 * (row + 1)), primaryPool: address(`pool ${row}`) },
            createdAtMs: SLOT_TIME_MS - row * 7 * MINUTE_MS,
          }),
    windows: fakeWindows({ priceChange: row % 2 === 0 ? 0.125 : -0.25 }),
    ...{ marketCapUsd: usd(123_456 + row), liquidityUsd: usd(41_500 - 1_000 * row) },
    ...{ venue: 'pump_amm', launchpad: 'pump', riskScore: (row * 13) % 100, trending: 1.5 },
  }),
);

const candles = Array.from({ length: 60 }, (_, minute) => {
  const open = price(100_000 + 2_000 * (minute % 20));
  const close = price(100_000 + 2_000 * ((minute + 7) % 20));
  const high = price(145_000);
  return fakeCandle(SLOT_TIME_MS - (60 - minute) * MINUTE_MS, {
    usd: { open, high, low: price(95_000), close },
    trades: 1 + (minute % 5),
  });
});

const trades = Array.from({ length: 8 }, (_, row) =>
  buildTrade({
    ...{ signature: signature(`trade ${row}`), txIndex: row, mint: MINT, pool: POOL },
    ...{ side: row % 3 === 0 ? 'sell' : 'buy', slot: asSlot(SLOT - row) },
    timeMs: SLOT_TIME_MS - row * 1_000,
  }),
);

const wallet = fakeWallet({
  firstFunding: {
    ...{ funder: address('funder'), funderClass: 'cex', lamports: asLamports(2_500_000_000n) },
    ...{ slot: SLOT, timeMs: SLOT_TIME_MS },
  },
  positions: [
    {
      ...{ mint: MINT, symbol: 'FIXED', decimals: 6, heldRaw: asRawAmount(6_000_000n) },
      ...{
        unknownBasisRaw: asRawAmount(0n),
        costUsd: usd(30),
        realisedUsd: usd(-1),
        hasKnownCost: true,
      },
      ...{ priceUsd: price(7_000_000_000), buys: 3, sells: 1 },
      ...{ firstBuyMs: SLOT_TIME_MS, lastTradeMs: SLOT_TIME_MS },
    },
  ],
  positionCount: 1,
});

const signal = buildListing({ symbol: 'FIXED' });

/** Signals of which one model has an interval that excludes zero. */
function statisticsOf(model: string) {
  const execution = executionStatistics([], []).map((empty) => ({
    ...empty,
    ...{ count: 40, meanE9: 3_000_000_000n, medianE9: 1_000_000_000n, winShare: 0.55 },
    lift: { matched: 38, mean: 3, baseRate: 1, lift: 2, interval: [0.5, 3.5] as const },
  }));
  return model === 'organic_momentum'
    ? { statistics: signalStatistics([signal]), execution }
    : { statistics: signalStatistics([]), execution: executionStatistics([], []) };
}

const listedRules: readonly CountedRule[] = [
  {
    ...{ author: 'account of administrator', name: 'dip', version: 2, kind: 'alert' },
    ...{ title: 'Many buy a dip', hash: '0123456789abcdef'.repeat(4), scope: 'pool_minute' },
    ...{ content: '{}', isJudged: true, hitCount: 1_234 },
  },
  {
    ...{ author: OPERATOR, name: 'quiet-accumulation', version: 1, kind: 'signal' },
    ...{ title: 'Many buy while the price stands still', hash: 'fedcba9876543210'.repeat(4) },
    ...{ scope: 'pool_minute', content: '{}', isJudged: false, hitCount: 0 },
  },
];

const finding = { classification: fakeDetail().classification, status: 'active' } as const;

/** What the pages of all kinds read, the same at any time and on any machine. */
export function fixedMarket(): Partial<ApiDeps> {
  const {
    tokens,
    pools,
    trades: noTrades,
    wallets,
    fraud,
    signals,
    triggers,
    rules,
    backtests,
  } = fakeApiDeps();
  const page = { items: listings, total: TOKENS, next: null, isComplete: true };
  return {
    nowMs: () => FIXED_NOW_MS,
    steadyNowMs: () => performance.now(),
    tokens: {
      ...tokens,
      find: (mint) => listings.find((one) => one.token.mint === mint)?.token ?? null,
      withHolders: (mint) => (mint === MINT ? withHolders(token, []) : null),
      search: async () => asOfFakeSlot(page),
    },
    pools: {
      ...pools,
      listing: async () =>
        asOfFakeSlot({
          ...{ pool, windows: fakeWindows(), marketCapUsd: usd(123_456), isPrimary: true },
          wider: NO_WIDER_FIGURES,
        }),
    },
    candles: { read: async () => asOfFakeSlot({ candles, before: null }) },
    trades: { ...noTrades, page: async () => asOfFakeSlot({ trades, next: null }) },
    wallets: {
      ...wallets,
      find: async () => asOfFakeSlot(wallet),
      positions: async () => asOfFakeSlot({ positions: wallet.positions, next: null }),
    },
    fraud: {
      ...fraud,
      check: async () => asOfFakeSlot([finding]),
      list: async () => asOfFakeSlot({ findings: [finding], next: null }),
      find: async (id) => asOfFakeSlot(id === CLASSIFICATION ? fakeDetail() : null),
    },
    signals: {
      ...signals,
      list: async () => asOfFakeSlot([signal]),
      statistics: async ({ model }) => asOfFakeSlot(statisticsOf(model ?? '')),
    },
    rules: { ...rules, list: async () => asOfFakeSlot(listedRules) },
    backtests: { ...backtests, find: async () => buildJob() },
    triggers: {
      ...triggers,
      page: async () => ({ triggers: [buildTrigger()], total: 1 }),
      events: async () => ({
        ...{ events: [{ kind: 'fired', firing: buildFiring() }], lost: null, lastNumber: 1 },
      }),
    },
  };
}
