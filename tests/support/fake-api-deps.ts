import type { ApiKey, Scope } from '../../src/api/api-keys.ts';
import type { ApiDeps, PastReads } from '../../src/api/deps.ts';
import { ReachedSlots } from '../../src/api/http/reached-slots.ts';
import { assertRetained } from '../../src/api/present/freshness.ts';
import { TopicHub } from '../../src/api/streams/topics/topic-hub.ts';
import type { TokenHolders } from '../../src/api/token-reads.ts';
import type { AsOf } from '../../src/model/as-of.ts';
import type { Candle, HolderBalance } from '../../src/model/derived.ts';
import type { ClassificationDetail } from '../../src/model/fraud-review.ts';
import type { IndicatorRecord } from '../../src/model/indicators.ts';
import type { TokenListing } from '../../src/model/market-listing.ts';
import type { FiguresByWindow, WindowFigures } from '../../src/model/market-window.ts';
import { NO_OFFCHAIN_FACTS } from '../../src/model/off-chain.ts';
import { NO_WIDER_FIGURES } from '../../src/model/pool-figures.ts';
import type { PoolRecord } from '../../src/model/pool-record.ts';
import { WRAPPED_SOL } from '../../src/model/program.ts';
import type { TrackedFigures } from '../../src/model/social-reads.ts';
import type { TokenRecord } from '../../src/model/token-record.ts';
import type { Address, PriceE18, RawAmount, Slot, UsdNano } from '../../src/model/units.ts';
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

/** Data as of the fake chain's newest slot. */
export function asOfFakeSlot<Data>(data: Data): AsOf<Data> {
  return { slot: SLOT, timeMs: SLOT_TIME_MS, data };
}

/** Dependencies of the API with two keys, two tokens of one pool each, and no trades. */
/** Slots up to `SLOT`; a later one is not waited for. */
function reachedSlots(): ReachedSlots {
  const reached = new ReachedSlots(0);
  reached.publish(SLOT);
  return reached;
}

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
        logStart: null,
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
        agreement: null,
        gathering: null,
      }),
      readiness: async () => ({
        isReady: true,
        checks: { store: { ok: true, detail: 'writable' } },
      }),
    },
    reached: reachedSlots(),
    tokens: {
      find: (mint) => tokens.get(mint) ?? null,
      withHolders: (mint) => withHolders(tokens.get(mint), []),
      holderPage: async ({ mint }) => {
        const token = tokens.get(mint);
        const page = { holders: [], count: 0, next: null };
        return asOfFakeSlot(token === undefined ? null : { token, page });
      },
      topTraders: async ({ mint }) => {
        const token = tokens.get(mint);
        return asOfFakeSlot(
          token === undefined ? null : { token, page: { traders: [], next: null } },
        );
      },
      firstBuyers: async ({ mint }) => {
        const token = tokens.get(mint);
        return asOfFakeSlot(token === undefined ? null : { token, buyers: [], next: null });
      },
      holderCounts: async () => asOfFakeSlot([]),
      search: async () => asOfFakeSlot({ items: [], total: 0, next: null, isComplete: true }),
    },
    publications: () => 0,
    rules: {
      list: async () => asOfFakeSlot([]),
      publish: async () => ({ kind: 'full', rulesMax: 0 }),
      withdraw: async () => null,
      hits: async () => asOfFakeSlot([]),
      hitPage: async () => asOfFakeSlot({ hits: [], next: null }),
    },
    detectors: { list: async () => asOfFakeSlot([]) },
    backtests: {
      add: async () => ({ kind: 'full', jobsMax: 8 }),
      list: async () => [],
      find: async () => null,
      cancel: async () => null,
    },
    offchain: {
      factsOf: () => NO_OFFCHAIN_FACTS,
      imageOf: () => null,
      thumbnailHashOf: () => null,
      thumbnailOf: () => null,
      clones: () => ({ clones: [], next: null }),
    },
    pools: {
      find: (pool) => pools.get(pool) ?? null,
      withIndicators: (pool) => withIndicators(pools.get(pool)),
      list: async () => asOfFakeSlot({ items: [], total: 0, next: null, isComplete: true }),
      listing: async (pool) => asOfFakeSlot(toListing(pools.get(pool))),
    },
    indicators: {
      history: async () => asOfFakeSlot([]),
    },
    past: fakePast({
      token: (mint) => withHolders(tokens.get(mint), []),
      pool: (pool) => pools.get(pool),
    }),
    wallets: {
      find: async (wallet) => asOfFakeSlot(wallet === WALLET ? fakeWallet() : null),
      positions: async () => asOfFakeSlot({ positions: [], next: null }),
      links: async () => asOfFakeSlot({ links: [], next: null }),
      createdTokens: async () => asOfFakeSlot({ tokens: [], next: null }),
    },
    batches: {
      tokenRecords: (mints) => mints.map((mint) => tokens.get(mint) ?? null),
      pricedTokens: (mints) => mints.map((mint) => toPriced(tokens.get(mint))),
      tokens: (mints) => mints.map((mint) => withHolders(tokens.get(mint), [])),
      pools: async (all) => asOfFakeSlot(all.map((pool) => toListing(pools.get(pool)))),
      indicators: (all) => all.map((pool) => withIndicators(pools.get(pool))),
      wallets: async (wallets) =>
        asOfFakeSlot(wallets.map((wallet) => (wallet === WALLET ? fakeWallet() : null))),
      fraudChecks: async (mints) => asOfFakeSlot(mints.map(() => [])),
    },
    candles: { read: async () => asOfFakeSlot({ candles: [], before: null }) },
    bundles: {
      page: async () => asOfFakeSlot({ items: [], total: 0 }),
      groups: async () => asOfFakeSlot({ groups: [], total: 0 }),
    },
    trades: { page: async () => asOfFakeSlot({ trades: [], next: null }) },
    exports: {
      begin: async () => asOfFakeSlot({ point: null, columns: ['slot'], empty: null }),
      portion: async () => ({
        ...{ bytes: new Uint8Array(), rows: 0 },
        ...{ firstSlot: null, lastSlot: null, next: null },
      }),
    },
    fraud: {
      check: async () => asOfFakeSlot([]),
      find: async (id) => asOfFakeSlot(id === CLASSIFICATION ? fakeDetail() : null),
      list: async () => asOfFakeSlot({ findings: [], next: null }),
      listWithHits: async () => asOfFakeSlot({ findings: [], hits: [], next: null }),
      checkWithHits: async () => asOfFakeSlot({ findings: [], hits: [] }),
      graph: async (id) =>
        asOfFakeSlot(
          id === CLASSIFICATION ? { nodes: [], edges: [], unresolved: [], decimals: 6 } : null,
        ),
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
      list: async () => asOfFakeSlot([]),
      listWithRules: async () => asOfFakeSlot({ signals: [], ruleSignals: [] }),
      statistics: async () =>
        asOfFakeSlot({
          statistics: signalStatistics([]),
          execution: executionStatistics([], []),
        }),
      find: async (rowId) => asOfFakeSlot(rowId === SIGNAL ? buildSignalDetail() : null),
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
    hub: fakeHub(),
    metrics: {
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      render: async () => 'mintscope_up 1\n',
      observeRequest: () => undefined,
    },
    nowMs: () => NOW_MS,
    steadyNowMs: () => NOW_MS,
    simulation: null,
    ...overrides,
  };
}

/** The first slot before the fake chain's newest whose state is retained. */
export const FIRST_SLOT = (SLOT - 512) as Slot;

/** Reads of earlier slots: the state never changes, and there is no stored minute before the first. */
export function fakePast({
  token,
  pool,
}: {
  readonly token: (mint: Address) => TokenHolders | null;
  readonly pool: (pool: Address) => PoolRecord | undefined;
}): PastReads {
  const asOf = <Data>(slot: Slot, data: Data): AsOf<Data> => {
    assertRetained(slot, { oldest: FIRST_SLOT, newest: SLOT });
    return { slot, timeMs: SLOT_TIME_MS - (SLOT - slot) * 400, data };
  };
  return {
    token: async (mint, slot) => asOf(slot, token(mint)),
    holders: async ({ mint }, slot) => {
      const found = token(mint);
      const page = { holders: [], count: 0, next: null };
      return asOf(slot, found === null ? null : { token: found.token, page });
    },
    indicators: async (address, slot) => asOf(slot, withIndicators(pool(address))),
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

/** A filtered stream whose subjects are wanted at once; the newest message has the number 1000. */
export function fakeHub(): TopicHub {
  const hub = new TopicHub({
    nowMs: () => 1,
    currentSlot: () => SLOT,
    onWanted: (id) => hub.confirm(id, true),
  });
  return hub;
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

function toListing(pool: PoolRecord | undefined) {
  if (pool === undefined) return null;
  const listing = { windows: fakeWindows(), marketCapUsd: null, isPrimary: true };
  return { pool, ...listing, wider: NO_WIDER_FIGURES };
}

/** A token without a pool. */
function toPriced(token: TokenRecord | undefined) {
  return token === undefined ? null : { token, pool: null };
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
    tradedOrganicUsd: none,
    tradedProfitableUsd: none,
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
    tokenJudgements: [],
    skill: null,
    firstFunding: null,
    positions: [],
    positionCount: 0,
    ...overrides,
  };
}

export function fakeKey(keyId: string, scopes: readonly Scope[]): ApiKey {
  return { keyId, accountId: `account of ${keyId}`, scopes, label: '', expiresAtMs: null };
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
    pricingBaseRaw: 2_000_000n as RawAmount,
    pricingUsd: 3_000_000_000n as UsdNano,
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

/** A listed token of which only the record is known, unless given. */
export function fakeTokenListing(given: Partial<TokenListing> = {}): TokenListing {
  return {
    ...{ token: fakeToken(), indicators: null, windows: null, volume24hUsd: null },
    ...{ priceChange24h: null, marketCapUsd: null, liquidityUsd: null, venue: null },
    ...{ launchpad: null, riskScore: null, trending: null },
    ...given,
  };
}

/** The same figures in every window. */
export function fakeWindows(given: Partial<WindowFigures> = {}): FiguresByWindow {
  const window: WindowFigures = {
    ...{ trades: 5, buys: 3, sells: 2, buyers: 2, sellers: 1 },
    volumeUsd: 12_345_000_000n as UsdNano,
    organicVolumeUsd: 1_000_000_000n as UsdNano,
    priceChange: -0.25,
    ...given,
  };
  return { '5m': window, '1h': window, '6h': window, '24h': window };
}
