import type {
  BundledTransaction,
  Candle,
  OpenHighLowClose,
  PricedSwap,
  SlotChanges,
} from '../../src/model/derived.ts';
import type { IndicatorMinute, IndicatorRecord } from '../../src/model/indicators.ts';
import type { PoolRecord } from '../../src/model/pool-record.ts';
import type { SlotFacts, TransactionFacts } from '../../src/model/slot-facts.ts';
import type { Swap } from '../../src/model/swap.ts';
import type { TokenRecord } from '../../src/model/token-record.ts';
import type {
  Address,
  Lamports,
  PriceE18,
  RawAmount,
  Signature,
  Slot,
  UsdNano,
} from '../../src/model/units.ts';
import { address, signature } from './build-transaction.ts';

/** Complete, plain records, with the given fields replaced. */
export const WSOL = 'So11111111111111111111111111111111111111112' as Address;
const zero = 0n as RawAmount;

export function buildChanges(slot: number, given: Partial<SlotChanges> = {}): SlotChanges {
  return {
    slot: slot as Slot,
    timeMs: slot * 1_000,
    swaps: [],
    tokens: [],
    pools: [],
    candles: [],
    shownCandles: given.candles ?? [],
    balances: [],
    bundles: [],
    solPrices: [],
    indicators: [],
    classifications: [],
    signals: [],
    outcomes: [],
    ruleHits: [],
    ...given,
  };
}

export function buildFacts(slot: number, given: Partial<SlotFacts> = {}): SlotFacts {
  return {
    slot: slot as Slot,
    parentSlot: (slot - 1) as Slot,
    blockhash: `hash${slot}`,
    previousBlockhash: `hash${slot - 1}`,
    blockTimeMs: slot * 1_000,
    isWhole: true,
    decoderVersion: 1,
    voteCount: 0,
    transactions: [],
    outcomes: {},
    poolMovingCount: 0,
    explainedCount: 0,
    problems: [],
    ...given,
  };
}

export function buildTransactionFacts(
  word: string,
  given: Partial<TransactionFacts> = {},
): TransactionFacts {
  return {
    signature: signature(word),
    txIndex: 0,
    isIndexKnown: true,
    feePayer: address('payer'),
    signers: [address('payer')],
    error: null,
    feeLamports: 5_000n as Lamports,
    computeUnitLimit: null,
    computeUnitPriceMicroLamports: null,
    computeUnitsUsed: null,
    tips: [],
    programIds: [],
    usesLookupTables: false,
    tokenBalances: [],
    events: [],
    terminal: null,
    skeleton: null,
    ...given,
  };
}

export function buildCandle(
  scope: Address,
  openTimeMs: number,
  given: Partial<Candle> = {},
): Candle {
  return {
    scope,
    openTimeMs,
    quote: prices(2n),
    usd: prices(300n),
    baseVolumeRaw: 10n as RawAmount,
    quoteVolumeRaw: 20n as RawAmount,
    volumeUsd: 3_000n as UsdNano,
    pricedBaseVolumeRaw: 10n as RawAmount,
    pricingBaseRaw: 10n as RawAmount,
    pricingUsd: 3_000n as UsdNano,
    baseDecimals: 6,
    trades: 1,
    buys: 1,
    sells: 0,
    supplyRaw: 1_000n as RawAmount,
    isFinal: true,
    slot: Math.floor(openTimeMs / 1_000) as Slot,
    ...given,
  };
}

/** Open, high, low, close; one number stands for all four. */
export function prices(open: bigint, high = open, low = open, close = open): OpenHighLowClose {
  return {
    open: open as PriceE18,
    high: high as PriceE18,
    low: low as PriceE18,
    close: close as PriceE18,
  };
}

export function buildSwap(
  pool: Address,
  word: string,
  given: Partial<Omit<PricedSwap, 'swap'>> & { readonly swap?: Partial<Swap> } = {},
): PricedSwap {
  const { swap, ...priced } = given;
  return {
    slot: 100 as Slot,
    txIndex: 0,
    signature: signature(word),
    timeMs: 100_000,
    price: 2n as PriceE18,
    priceUsd: 300n as PriceE18,
    valueUsd: 3_000n as UsdNano,
    quoteChain: null,
    isTimeKnown: true,
    exclusion: null,
    setsTokenPrice: true,
    isOrganic: true,
    walletClass: 'organic',
    terminal: null,
    ...priced,
    swap: {
      kind: 'swap',
      outerIx: 0,
      innerIx: -1,
      venue: 'pump_amm',
      pool,
      baseMint: address('mint'),
      quoteMint: WSOL,
      baseDecimals: 6,
      quoteDecimals: 9,
      trader: address('trader'),
      side: 'buy',
      poolBaseDelta: -10n as RawAmount,
      poolQuoteDelta: 20n as RawAmount,
      traderBaseDelta: 10n as RawAmount,
      traderQuoteDelta: -20n as RawAmount,
      reserves: null,
      feeQuoteRaw: null,
      router: null,
      isIntermediateHop: false,
      isAtomicRoundTrip: false,
      isPureArbitrage: false,
      quarantine: null,
      ...swap,
    },
  };
}

export function buildBundle(
  mint: Address,
  word: string,
  given: Partial<BundledTransaction> = {},
): BundledTransaction {
  return {
    mint,
    slot: 100 as Slot,
    txIndex: 0,
    signature: word as Signature,
    owner: word as Address,
    lamports: 1n as Lamports,
    side: 'buy',
    level: 'L1',
    certainty: 0.99,
    foundSlot: given.slot ?? (100 as Slot),
    timeMs: 5_000,
    group: { slot: given.slot ?? (100 as Slot), txIndex: given.txIndex ?? 0 },
    tipLamports: 0n as Lamports,
    ...given,
  };
}

export function buildToken(mint: Address, given: Partial<TokenRecord> = {}): TokenRecord {
  return {
    mint,
    tokenProgram: null,
    creator: null,
    feeRecipient: null,
    supplyRaw: null,
    burnedRaw: zero,
    decimals: 6,
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
    createdAtMs: 1,
    updatedAtMs: 1,
    slot: 100 as Slot,
    ...given,
  };
}

export function buildPool(
  pool: Address,
  baseMint: Address,
  given: Partial<PoolRecord> = {},
): PoolRecord {
  return {
    pool,
    venue: 'pump_amm',
    baseMint,
    quoteMint: WSOL,
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
    quoteVolumeRaw: zero,
    pricedQuoteVolumeRaw: zero,
    price: null,
    priceUsd: null,
    priceChain: null,
    athPriceUsd: null,
    liquidityUsd: null,
    lockedLiquidity: null,
    isCurveComplete: false,
    migratedTo: null,
    firstSeenMs: 1,
    lastSwapMs: null,
    updatedAtMs: 1,
    slot: 100 as Slot,
    ...given,
  };
}

/** A minute of a pool in which every figure is a round number. */
export function buildMinute(
  pool: Address,
  minuteMs: number,
  given: Partial<IndicatorRecord> = {},
): IndicatorMinute {
  const dollars = (count: bigint) => (count * 1_000_000_000n) as UsdNano;
  return {
    minuteMs,
    record: {
      pool,
      baseMint: address('mint'),
      slot: Math.floor(minuteMs / 1_000) as Slot,
      createdAtMs: minuteMs + 59_600,
      totalWallets: 10,
      organicWallets: 6,
      organicProfitableWallets: 3,
      organicToTotalWalletsRatio: 0.6,
      botToTotalWalletsRatio: 0.4,
      profitableOrganicToTotalOrganicRatio: 0.5,
      totalVolumeUsd: dollars(1_000n),
      organicVolumeUsd: dollars(600n),
      botVolumeRatio: 0.4,
      organicVolumeRatio: 0.6,
      organicMeanHoldSeconds: 120,
      organicMeanTradeFrequencySeconds: 30,
      priceUsd: 346_289_000_000_000n as PriceE18,
      smartMoneyScore: 72.45,
      rawSmartMoneyScore: 60,
      smartMoneyInflux10min: dollars(50n),
      smartMoneyOutflux10min: dollars(20n),
      rawSmartMoneyInflux: dollars(500n),
      rawSmartMoneyOutflux: dollars(200n),
      smartHolders: 2,
      rawHolders: 8,
      smartToRawHoldersRatio: 0.25,
      profitableVolume: dollars(300n),
      profitableVolumeTotalVolumeRatio: 0.3,
      tradedOrganicUsd: dollars(550n),
      tradedProfitableUsd: dollars(200n),
      ...given,
    },
  };
}
