import type { ApiKey, Scope } from '../../src/api/api-keys.ts';
import type { ApiDeps } from '../../src/api/deps.ts';
import type { Candle, HolderBalance } from '../../src/model/derived.ts';
import type { ClassificationDetail } from '../../src/model/fraud-review.ts';
import type { IndicatorRecord } from '../../src/model/indicators.ts';
import { NO_OFFCHAIN_FACTS } from '../../src/model/off-chain.ts';
import type { PoolRecord } from '../../src/model/pool-record.ts';
import { WRAPPED_SOL } from '../../src/model/program.ts';
import type { TrackedFigures } from '../../src/model/social-reads.ts';
import type { TokenRecord } from '../../src/model/token-record.ts';
import type { PriceE18, RawAmount, Slot, UsdNano } from '../../src/model/units.ts';
import type { WalletRecord } from '../../src/model/wallet-record.ts';
import { executionStatistics } from '../../src/signals/statistics/execution-statistics.ts';
import { signalStatistics } from '../../src/signals/statistics/signal-statistics.ts';
import { buildClassification, classificationId } from './build-classification.ts';
import { buildSignalDetail } from './build-signal.ts';
import { address } from './build-transaction.ts';

/** The slot and the time of the fake chain's newest block, one second before the fake clock. */
export const SLOT = 300_000_000 as Slot;
export const SLOT_TIME_MS = Date.UTC(2025, 0, 15, 14, 32, 8);
export const NOW_MS = SLOT_TIME_MS + 1_000;

export const READ_KEY = 'tik_test_read';
/** A key without the scope `read`. */
export const WRITE_KEY = 'tik_test_write';
export const REVIEW_KEY = 'tik_test_review';
export const ADMIN_KEY = 'tik_test_admin';

export const MINT = address('mint');
export const POOL = address('pool');
export const WALLET = address('wallet');
export const CLASSIFICATION = classificationId(1);
/** The number of the only signal. */
export const SIGNAL = 7;
export const OTHER_MINT = address('other mint');
export const OTHER_POOL = address('other pool');

/** Dependencies of the API with two keys, two tokens of one pool each, and no trades. */
export function fakeApiDeps(overrides: Partial<ApiDeps> = {}): ApiDeps {
  const tokens = new Map([MINT, OTHER_MINT].map((mint) => [mint, fakeToken({ mint })]));
  const pools = new Map([
    [POOL, fakePool()],
    [OTHER_POOL, fakePool({ pool: OTHER_POOL, baseMint: OTHER_MINT })],
  ]);
  const keys = new Map([
    [READ_KEY, fakeKey('reader', ['read'])],
    [WRITE_KEY, fakeKey('writer', ['triggers:write'])],
    [REVIEW_KEY, fakeKey('reviewer', ['review:write'])],
    [ADMIN_KEY, fakeKey('administrator', ['admin'])],
  ]);
  return {
    keys: { authenticate: (presented) => keys.get(presented) ?? null },
    chain: {
      freshness: () => ({ slot: SLOT, timeMs: SLOT_TIME_MS, isComplete: true }),
      sinceSlotMs: () => 300,
      standstill: () => null,
      coverage: () => ({
        firstSlot: null,
        lastSlot: null,
        finalSlot: null,
        slots: 0,
        skippedSlots: 0,
        gaps: [],
        unlinkedSlots: 0,
        transactions: 0,
        poolMovingTransactions: 0,
        explainedTransactions: 0,
        swaps: 0,
        inferredSwaps: 0,
        inferredPrograms: [],
        programs: {},
        state: null,
        digests: [],
        stateStatus: null,
        timeMs: 0,
      }),
      readiness: async () => ({
        isReady: true,
        checks: { store: { ok: true, detail: 'writable' } },
      }),
    },
    tokens: {
      find: (mint) => tokens.get(mint) ?? null,
      withHolders: (mint) => withHolders(tokens.get(mint), []),
      holderPage: async ({ mint }) => {
        const token = tokens.get(mint);
        return token === undefined ? null : { token, page: { holders: [], count: 0, next: null } };
      },
      search: async () => ({ items: [], total: 0, slot: SLOT }),
    },
    offchain: {
      factsOf: () => NO_OFFCHAIN_FACTS,
      imageOf: () => null,
      clones: () => ({ clones: [], next: null }),
    },
    pools: {
      find: (pool) => pools.get(pool) ?? null,
      withIndicators: (pool) => withIndicators(pools.get(pool)),
    },
    indicators: { history: async () => [], atSlot: async () => null },
    wallets: { find: async (wallet) => (wallet === WALLET ? fakeWallet() : null) },
    candles: { read: async () => [], lastBefore: async () => null },
    bundles: { page: async () => ({ items: [], total: 0 }) },
    fraud: {
      check: async () => [],
      find: async (id) => (id === CLASSIFICATION ? fakeDetail() : null),
      review: async () => ({ kind: 'unknown' }),
    },
    triggers: {
      add: async () => ({ kind: 'unknown' }),
      update: async () => ({ kind: 'unknown' }),
      remove: async () => ({ kind: 'unknown' }),
      page: async () => ({ triggers: [], total: 0 }),
      events: async () => ({ events: [], lost: null, lastNumber: 0 }),
    },
    webhooks: {
      add: async () => ({ kind: 'refused', reason: 'must be a URL' }),
      list: async () => [],
      find: async () => null,
      remove: async () => null,
      rotate: async () => null,
      enable: async () => null,
      test: async () => ({ kind: 'unknown' }),
      deliveries: async () => null,
      redeliver: async () => ({ kind: 'unknown' }),
    },
    signals: {
      list: async () => [],
      statistics: async () => ({
        statistics: signalStatistics([]),
        execution: executionStatistics([], []),
      }),
      find: async (rowId) => (rowId === SIGNAL ? buildSignalDetail() : null),
    },
    social: {
      tracked: (mint) => (mint === MINT ? fakeTracked() : null),
      values: () => [],
      posts: () => ({ posts: [], total: 0 }),
      import: async () => ({ accepted: 0, refused: 0, faults: [] }),
    },
    streams: {
      triggers: () => silentStream(),
      marketData: silentStream(),
      indicators: silentStream(),
      signals: silentStream(),
      newTokens: silentStream(),
    },
    metrics: {
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      render: async () => 'mintscope_up 1\n',
      observeRequest: () => undefined,
    },
    nowMs: () => NOW_MS,
    steadyNowMs: () => NOW_MS,
    ...overrides,
  };
}

/** A token without posts since an hour before the fake slot. */
export function fakeTracked(overrides: Partial<TrackedFigures> = {}): TrackedFigures {
  return {
    trackingSinceMs: SLOT_TIME_MS - 3_600_000,
    totals: {
      ...{ posts: 0, weightMicro: 0, weightedMicro: 0, sentimentMicro: 0, reach: 0 },
      lastUpdatedMs: SLOT_TIME_MS - 3_600_000,
    },
    polledAtMs: null,
    hour: { atMs: SLOT_TIME_MS, posts: 0, sentimentMicro: 0, blastRadius: 0 },
    ...overrides,
  };
}

/** A stream without messages. */
function silentStream() {
  return {
    newest: () => 0,
    after: (next: number) => ({ gap: null, entries: [], next }),
    watch: () => () => undefined,
  };
}

export function withHolders(token: TokenRecord | undefined, holders: readonly HolderBalance[]) {
  return token === undefined ? null : { token, holders };
}

export function withIndicators(
  pool: PoolRecord | undefined,
  indicators: Partial<IndicatorRecord> = {},
) {
  return pool === undefined ? null : { pool, indicators: fakeIndicators(indicators) };
}

/** Figures of a pool without trades. */
export function fakeIndicators(overrides: Partial<IndicatorRecord> = {}): IndicatorRecord {
  const none = 0n as UsdNano;
  return {
    pool: POOL,
    baseMint: MINT,
    slot: SLOT,
    createdAtMs: SLOT_TIME_MS,
    totalWallets: 0,
    organicWallets: 0,
    organicProfitableWallets: 0,
    organicToTotalWalletsRatio: 0,
    botToTotalWalletsRatio: 0,
    profitableOrganicToTotalOrganicRatio: 0,
    totalVolumeUsd: none,
    organicVolumeUsd: none,
    botVolumeRatio: 0,
    organicVolumeRatio: 0,
    organicMeanHoldSeconds: null,
    organicMeanTradeFrequencySeconds: null,
    priceUsd: null,
    smartMoneyScore: 0,
    rawSmartMoneyScore: 0,
    smartMoneyInflux10min: none,
    smartMoneyOutflux10min: none,
    rawSmartMoneyInflux: none,
    rawSmartMoneyOutflux: none,
    smartHolders: 0,
    rawHolders: 0,
    smartToRawHoldersRatio: 0,
    profitableVolume: none,
    profitableVolumeTotalVolumeRatio: 0,
    ...overrides,
  };
}

/** A finding without reviews. */
export function fakeDetail(overrides: Partial<ClassificationDetail> = {}): ClassificationDetail {
  return {
    classification: buildClassification(),
    status: 'active',
    confidencesWithout: [0.4013, 0.7685, 0.8581],
    reviews: [],
    ...overrides,
  };
}

/** A wallet that was only funded. */
export function fakeWallet(overrides: Partial<WalletRecord> = {}): WalletRecord {
  return {
    address: WALLET,
    addressClass: null,
    automation: null,
    skill: null,
    firstFunding: null,
    positions: [],
    positionCount: 0,
    ...overrides,
  };
}

export function fakeKey(keyId: string, scopes: readonly Scope[]): ApiKey {
  return { keyId, accountId: `account of ${keyId}`, scopes };
}

/** A token of which only the address is known. */
export function fakeToken(overrides: Partial<TokenRecord> = {}): TokenRecord {
  return {
    mint: MINT,
    tokenProgram: null,
    creator: null,
    feeRecipient: null,
    supplyRaw: null,
    burnedRaw: 0n as RawAmount,
    decimals: null,
    name: null,
    symbol: null,
    mintAuthority: null,
    freezeAuthority: null,
    creationSlot: null,
    metadata: null,
    liquidityEvent: null,
    primaryPool: null,
    priceUsd: null,
    priceChain: null,
    createdAtMs: SLOT_TIME_MS,
    updatedAtMs: SLOT_TIME_MS,
    slot: SLOT,
    ...overrides,
  };
}

/** A pool without any events yet. */
export function fakePool(overrides: Partial<PoolRecord> = {}): PoolRecord {
  return {
    pool: POOL,
    venue: 'pump_amm',
    baseMint: MINT,
    quoteMint: WRAPPED_SOL,
    baseDecimals: 6,
    quoteDecimals: 9,
    creator: null,
    createdSlot: null,
    reserves: null,
    buyCount: 0,
    sellCount: 0,
    swapCount: 0,
    walletCount: 0,
    buyVolumeUsd: 0n as UsdNano,
    sellVolumeUsd: 0n as UsdNano,
    quoteVolumeRaw: 0n as RawAmount,
    pricedQuoteVolumeRaw: 0n as RawAmount,
    price: null,
    priceUsd: null,
    priceChain: null,
    athPriceUsd: null,
    liquidityUsd: null,
    lockedLiquidity: null,
    isCurveComplete: false,
    migratedTo: null,
    firstSeenMs: SLOT_TIME_MS,
    lastSwapMs: null,
    updatedAtMs: SLOT_TIME_MS,
    slot: SLOT,
    ...overrides,
  };
}

/** A candle of one trade: 2 tokens for 3 USD, with a supply of 1,000 tokens of 6 decimals. */
export function fakeCandle(openTimeMs: number, overrides: Partial<Candle> = {}): Candle {
  const price = 1_500_000_000_000_000_000n as PriceE18;
  return {
    scope: MINT,
    openTimeMs,
    quote: null,
    usd: { open: price, high: price, low: price, close: price },
    baseVolumeRaw: 2_000_000n as RawAmount,
    quoteVolumeRaw: 20_000_000n as RawAmount,
    volumeUsd: 3_000_000_000n as UsdNano,
    pricedBaseVolumeRaw: 2_000_000n as RawAmount,
    baseDecimals: 6,
    trades: 1,
    buys: 1,
    sells: 0,
    supplyRaw: 1_000_000_000n as RawAmount,
    isFinal: true,
    slot: SLOT,
    ...overrides,
  };
}
