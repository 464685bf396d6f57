import fc from 'fast-check';
import { encodeBase58 } from '../../src/lib/base58.ts';
import type {
  BundledTransaction,
  Candle,
  HolderBalance,
  OpenHighLowClose,
  PricedSwap,
  SlotChanges,
  SolPrice,
} from '../../src/model/derived.ts';
import { type Classification, FRAUD_TYPES } from '../../src/model/fraud.ts';
import type { IndicatorMinute, IndicatorRecord } from '../../src/model/indicators.ts';
import type { PoolRecord } from '../../src/model/pool-record.ts';
import { type Outcome, SIGNAL_MODELS, type Signal } from '../../src/model/signal.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Swap } from '../../src/model/swap.ts';
import type { TokenRecord } from '../../src/model/token-record.ts';
import {
  asAddress,
  asLamports,
  asPriceE18,
  asRawAmount,
  asSignature,
  asSlot,
  asUsdNano,
} from '../../src/model/units.ts';
import { buildClassification } from './build-classification.ts';
import { buildChanges, buildFacts, buildPool, buildSwap, buildToken } from './build-records.ts';
import { buildOutcome, buildReturns, buildSignal } from './build-signal.ts';

/** Records of every table with any content that its columns hold, at most a few of each. */

const base58 = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(encodeBase58);
const address = base58(32).map(asAddress);
const signature = base58(64).map(asSignature);
const text = fc.string({ unit: 'binary' });
const slot = fc.nat(2 ** 31 - 1).map(asSlot);
const timeMs = fc.nat(2 ** 31 - 1).map((seconds) => seconds * 1_000 + 7);
const uint32 = fc.nat(2 ** 32 - 1);
const uint8 = fc.nat(255);
const integer = fc.bigInt(-(2n ** 127n), 2n ** 127n - 1n);
const [raw, usd] = [integer.map(asRawAmount), integer.map(asUsdNano)];
const price = fc.bigInt(0n, 2n ** 255n - 1n).map(asPriceE18);
const ratio = fc.nat(99_999).map((tenThousandths) => tenThousandths / 10_000);
const hundredths = fc.nat(2 ** 40).map((count) => count / 100);
const side = fc.constantFrom('buy', 'sell');
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });

const swap: fc.Arbitrary<PricedSwap> = fc
  .record({
    slot,
    timeMs,
    txIndex: uint32,
    signature,
    price: orNull(price),
    priceUsd: orNull(price),
    valueUsd: orNull(usd),
    exclusion: fc.constantFrom(null, 'dust', 'quarantined'),
    setsTokenPrice: fc.boolean(),
    isOrganic: fc.boolean(),
    walletClass: fc.constantFrom(null, 'organic', 'bot'),
    terminal: fc.constantFrom(null, 'axiom', 'photon'),
    swap: fc.record<Partial<Swap>>({
      outerIx: fc.nat(2 ** 16 - 1),
      innerIx: fc.integer({ min: -1, max: 2 ** 15 - 1 }),
      venue: fc.constantFrom('pump', 'raydium_clmm'),
      baseMint: address,
      quoteMint: address,
      baseDecimals: uint8,
      quoteDecimals: uint8,
      trader: orNull(address),
      side,
      poolBaseDelta: raw,
      poolQuoteDelta: raw,
      traderBaseDelta: raw,
      traderQuoteDelta: orNull(raw),
      router: orNull(address),
      isIntermediateHop: fc.boolean(),
      isAtomicRoundTrip: fc.boolean(),
      isPureArbitrage: fc.boolean(),
    }),
  })
  .chain((given) => address.map((pool) => buildSwap(pool, '', given)));

const prices = orNull(
  fc.record<OpenHighLowClose>({ open: price, high: price, low: price, close: price }),
);

const candle = fc.record<Candle>({
  scope: address,
  openTimeMs: timeMs,
  quote: prices,
  usd: prices,
  baseVolumeRaw: raw,
  quoteVolumeRaw: raw,
  volumeUsd: usd,
  pricedBaseVolumeRaw: raw,
  pricingBaseRaw: raw,
  pricingUsd: usd,
  baseDecimals: uint8,
  trades: uint32,
  buys: uint32,
  sells: uint32,
  supplyRaw: orNull(raw),
  isFinal: fc.boolean(),
  slot,
});

const token: fc.Arbitrary<TokenRecord> = fc
  .record({
    name: orNull(text),
    symbol: orNull(text),
    creator: orNull(address),
    creationSlot: orNull(slot),
    createdAtMs: orNull(timeMs),
    primaryPool: orNull(address),
  })
  .chain((given) => address.map((mint) => buildToken(mint, given)));

const pool: fc.Arbitrary<PoolRecord> = fc
  .record({ pool: address, baseMint: address, quoteMint: address, createdSlot: orNull(slot) })
  .chain((given) =>
    orNull(timeMs).map((lastSwapMs) =>
      buildPool(given.pool, given.baseMint, { ...given, lastSwapMs }),
    ),
  );

const balance = fc.record<HolderBalance>({
  mint: address,
  owner: address,
  balanceRaw: raw,
  isPool: fc.boolean(),
  firstSeenMs: orNull(timeMs),
  slot,
});

const bundle = fc.record<BundledTransaction>({
  mint: address,
  slot,
  txIndex: uint32,
  signature,
  owner: address,
  lamports: integer.map(asLamports),
  side,
  level: fc.constantFrom('L1', 'L2', 'L2o', 'L3'),
  certainty: fc.double({ min: 0, max: 1, noNaN: true }),
  foundSlot: slot,
  timeMs: orNull(timeMs),
  group: fc.record({ slot, txIndex: uint32 }),
  tipLamports: integer.map(asLamports),
});

const solPrice = fc.record<SolPrice>({ minuteMs: timeMs, usd: price, slot });

const minute = fc.record<IndicatorMinute>({
  minuteMs: timeMs,
  record: fc.record<IndicatorRecord>({
    pool: address,
    baseMint: address,
    slot,
    createdAtMs: orNull(timeMs),
    totalWallets: uint32,
    organicWallets: uint32,
    organicProfitableWallets: orNull(uint32),
    organicToTotalWalletsRatio: ratio,
    botToTotalWalletsRatio: ratio,
    profitableOrganicToTotalOrganicRatio: orNull(ratio),
    totalVolumeUsd: orNull(usd),
    organicVolumeUsd: orNull(usd),
    botVolumeRatio: orNull(ratio),
    organicVolumeRatio: orNull(ratio),
    organicMeanHoldSeconds: orNull(hundredths),
    organicMeanTradeFrequencySeconds: orNull(hundredths),
    priceUsd: orNull(price),
    smartMoneyScore: hundredths,
    rawSmartMoneyScore: hundredths,
    smartMoneyInflux10min: orNull(usd),
    smartMoneyOutflux10min: orNull(usd),
    rawSmartMoneyInflux: orNull(usd),
    rawSmartMoneyOutflux: orNull(usd),
    smartHolders: uint32,
    rawHolders: uint32,
    smartToRawHoldersRatio: ratio,
    profitableVolume: orNull(usd),
    profitableVolumeTotalVolumeRatio: orNull(ratio),
    tradedOrganicUsd: orNull(usd),
    tradedProfitableUsd: orNull(usd),
  }),
});

const classification: fc.Arbitrary<Classification> = fc
  .record({
    id: fc.uuid(),
    slot,
    state: fc.constantFrom('active', 'candidate', 'archived'),
    finding: fc.record({
      mint: address,
      fraudType: fc.constantFrom(...FRAUD_TYPES),
      confidence: ratio,
    }),
  })
  .map(buildClassification);

const signal: fc.Arbitrary<Signal> = fc
  .record({
    rowId: uint32,
    slot,
    createdAtMs: timeMs,
    model: fc.constantFrom(...SIGNAL_MODELS, 'random_minute'),
    version: uint32,
    mint: address,
    pool: address,
    name: orNull(text),
    symbol: orNull(text),
    ageMs: orNull(timeMs),
    marketCapUsd: usd,
    liquidityUsd: usd,
  })
  .map(buildSignal);

const outcome: fc.Arbitrary<Outcome> = fc
  .record({
    rowId: uint32,
    slot,
    isFinal: fc.boolean(),
    athMarketCapUsd: usd,
    maxDrawdownMarketCapUsd: usd,
    roiE9: integer,
    maxDrawdownE9: integer,
  })
  .chain((given) =>
    fc.bigInt(-(2n ** 90n), 2n ** 90n).map((percent) => {
      const { returns } = buildOutcome().execution;
      const trailing = { ...returns, trailing_stop: buildReturns(percent, -percent) };
      return buildOutcome({ ...given, execution: { returns: trailing } });
    }),
  );

const facts: fc.Arbitrary<SlotFacts> = fc
  .record({
    parentSlot: orNull(slot),
    blockhash: orNull(text),
    blockTimeMs: orNull(timeMs),
    isWhole: fc.boolean(),
  })
  .chain((given) => slot.map((number) => buildFacts(number, given)));

/** A few records, no two of which share the given field. */
const list = <Stored>(record: fc.Arbitrary<Stored>, fieldOf: (stored: Stored) => unknown) =>
  fc.uniqueArray(record, { maxLength: 6, selector: fieldOf });

export const arbitraryFacts = list(facts, (one) => one.slot);

export const arbitraryChanges: fc.Arbitrary<SlotChanges> = fc
  .record<Partial<SlotChanges>>({
    swaps: list(swap, (one) => one.swap.pool),
    tokens: list(token, ({ mint }) => mint),
    pools: list(pool, (one) => one.pool),
    candles: list(candle, ({ scope }) => scope),
    balances: list(balance, ({ mint }) => mint),
    bundles: list(bundle, ({ mint }) => mint),
    solPrices: list(solPrice, ({ minuteMs }) => minuteMs),
    indicators: list(minute, ({ record }) => record.pool),
    classifications: list(classification, ({ id }) => id),
    signals: list(signal, ({ rowId }) => rowId),
    outcomes: list(outcome, ({ rowId }) => rowId),
  })
  .map((given) => buildChanges(100, given));
