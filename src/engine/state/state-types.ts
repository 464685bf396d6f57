/**
 * Every kind of object that the state is made of, as snapshots write it. A field that is added to
 * one of the interfaces does not compile before it stands here; whatever changes here gives
 * snapshots a new layout, and those of the old one are not read any more.
 */

import type { CandleSums } from '../../fold/market/candle-sums.ts';
import { CandleBook } from '../../fold/market/candles.ts';
import { HolderBook, type MintHolders } from '../../fold/market/holders.ts';
import { type Lock, LockBook, type LpMint } from '../../fold/market/locks.ts';
import { LogicalClock } from '../../fold/market/logical-time.ts';
import type { OlderToken, SupplyChange, ToldPart } from '../../fold/market/older-token.ts';
import { OpenCandle } from '../../fold/market/open-candle.ts';
import { PoolPrice, type RobustPrice } from '../../fold/market/pool-price.ts';
import { PoolBook, type PoolState } from '../../fold/market/pools.ts';
import { NO_RANGES, type PriceRanges } from '../../fold/market/price-ranges.ts';
import { RobustPriceBook } from '../../fold/market/robust-price.ts';
import { SandwichWatch } from '../../fold/market/sandwich.ts';
import type { SettlingTrade } from '../../fold/market/settling-trade.ts';
import { type MinuteReferences, SolPriceBook } from '../../fold/market/sol-price.ts';
import { MinuteTrades, type PoolMinute } from '../../fold/market/sol-price-minute.ts';
import type { PendingJump } from '../../fold/market/thin-jump.ts';
import {
  type MetadataState,
  type NamedMetadata,
  NO_METADATA,
} from '../../fold/market/token-metadata.ts';
import { TokenBook, type TokenState } from '../../fold/market/tokens.ts';
import { type HolderNode, TopHolders } from '../../fold/market/top-holders.ts';
import type { FieldsOf, GraphClass, GraphRecord, GraphTypes } from '../../lib/graph-types.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Creator, LockTerms } from '../../model/chain-event.ts';
import type {
  LiquidityEvent,
  OpenHighLowClose,
  PricedSwap,
  SolPrice,
} from '../../model/derived.ts';
import type { MintExtensionFact } from '../../model/mint-extension.ts';
import type { QuoteChain, QuoteLink } from '../../model/quote-chain.ts';
import type { Reserves } from '../../model/reserves.ts';
import type { ProgramOutcomes } from '../../model/slot-facts.ts';
import type { KeptFees, Swap } from '../../model/swap.ts';
import type { Address, PriceE18 } from '../../model/units.ts';
import type { Books } from '../books/books.ts';
import { CASE_RECORDS, caseClassesOf } from '../cases/case-state-types.ts';
import { SIGNAL_RECORDS, signalClassesOf } from '../signals/signal-state-types.ts';
import { createCounters, type EngineCounters, type SlotLink } from './engine-counters.ts';
import type { EngineState, Progress, StateSurroundings } from './engine-state.ts';
import { FRAUD_RECORDS, fraudClassesOf } from './fraud-state-types.ts';
import { WALLET_RECORDS, walletClassesOf } from './wallet-state-types.ts';

/** The kinds of a state whose books write to `undo`. */
export function stateTypes({ fallbackSolUsd, undo, spill, models }: StateSurroundings): GraphTypes {
  return {
    classes: [
      ...classesOf(fallbackSolUsd, undo),
      ...walletClassesOf(undo, spill),
      ...caseClassesOf(undo),
      ...fraudClassesOf(undo),
      ...signalClassesOf(undo, models),
    ],
    records: [...RECORDS, ...WALLET_RECORDS, ...CASE_RECORDS, ...FRAUD_RECORDS, ...SIGNAL_RECORDS],
    externals: [undo, NO_METADATA, NO_RANGES],
  };
}

const NO_ADDRESS = '' as Address;
const NO_JOURNAL = { relabelled: () => undefined, settled: () => undefined };
const NO_CANDLE = { scope: NO_ADDRESS, openTimeMs: 0, isPool: false, baseDecimals: 0 };

/** What an engine is told at its start is kept, and so is the log that its books write to. */
function classesOf(fallbackUsd: PriceE18 | null, undo: UndoLog): GraphClass[] {
  const kept = ['undo'];
  return [
    { name: 'LogicalClock', create: () => new LogicalClock(undo), kept },
    {
      name: 'SolPriceBook',
      create: () => new SolPriceBook({ fallbackUsd }, undo),
      kept: ['undo', 'fallbackUsd'],
    },
    { name: 'MinuteTrades', create: () => new MinuteTrades(undo), kept },
    { name: 'TokenBook', create: () => new TokenBook(undo), kept },
    { name: 'PoolBook', create: () => new PoolBook(undo), kept },
    {
      name: 'RobustPriceBook',
      create: () => new RobustPriceBook({}, undo),
      // Its pools report to its journal, whose functions are its own.
      kept: ['undo', 'journal', 'poolsMax'],
    },
    { name: 'PoolPrice', create: () => new PoolPrice(NO_ADDRESS, NO_JOURNAL, undo), kept },
    { name: 'SandwichWatch', create: () => new SandwichWatch(undo), kept },
    { name: 'CandleBook', create: () => new CandleBook(undo), kept },
    { name: 'OpenCandle', create: () => new OpenCandle(NO_CANDLE, undo), kept },
    { name: 'HolderBook', create: () => new HolderBook(undo), kept },
    { name: 'TopHolders', create: () => new TopHolders() },
    { name: 'LockBook', create: () => new LockBook(undo), kept },
  ];
}

const { events, problems } = createCounters();

const RECORDS: readonly GraphRecord[] = [
  record<EngineState & { readonly outcomes: unknown }>('state', {
    clock: 'always',
    books: 'always',
    who: 'always',
    cases: 'always',
    fraud: 'always',
    signals: 'always',
    minutes: 'always',
    counters: 'always',
    outcomes: 'always',
    progress: 'always',
  }),
  record<Books>('books', {
    solPrices: 'always',
    tokens: 'always',
    pools: 'always',
    prices: 'always',
    candles: 'always',
    holders: 'always',
    locks: 'always',
  }),
  record<Progress>('progress', { first: 'always', last: 'always', bundleDigest: 'always' }),
  record<SlotLink>('slot link', { slot: 'always', blockhash: 'always' }),
  record<Omit<EngineCounters, 'outcomes'>>('counters', {
    slots: 'always',
    unlinkedSlots: 'always',
    estimatedTimeSlots: 'always',
    unknownTimeSlots: 'always',
    transactions: 'always',
    failedTransactions: 'always',
    votes: 'always',
    quarantinedSwaps: 'always',
    bundledTransactions: 'always',
    events: 'always',
    problems: 'always',
    poolMovingTransactions: 'always',
    explainedTransactions: 'always',
    inferredPrograms: 'always',
  }),
  { name: 'events by kind', fields: allOf(events) },
  { name: 'problems by kind', fields: allOf(problems) },
  record<ProgramOutcomes>('outcomes of a program', {
    event: 'always',
    ignored: 'always',
    unknown: 'always',
    malformed: 'always',
    quarantined: 'always',
  }),
  record<TokenState>('token', {
    mint: 'always',
    tokenProgram: 'always',
    creator: 'always',
    feeRecipient: 'always',
    supplyRaw: 'always',
    decimals: 'always',
    mintAuthority: 'always',
    freezeAuthority: 'always',
    creationSlot: 'always',
    metadata: 'always',
    extensions: 'always',
    liquidityEvent: 'always',
    hasOlderPool: 'always',
    primaryPool: 'always',
    createdAtMs: 'always',
    updatedAtMs: 'always',
    slot: 'always',
    older: 'always',
  }),
  record<OlderToken>('older token', {
    suppliesAfter: 'always',
    supplyChanges: 'always',
    told: 'always',
  }),
  record<SupplyChange>('supply change', { slot: 'always', deltaRaw: 'always' }),
  record<ToldPart>('told part', { part: 'always', slot: 'always' }),
  record<MetadataState>('metadata', {
    metaplex: 'always',
    extension: 'always',
    metaplexAuthority: 'always',
    extensionAuthority: 'always',
    creators: 'always',
    sellerFeeBps: 'always',
    isMutable: 'always',
    primarySaleHappened: 'always',
    tokenStandard: 'always',
  }),
  record<NamedMetadata>('names', { name: 'always', symbol: 'always', uri: 'always' }),
  record<Creator>('creator', { address: 'always', verified: 'always', sharePercent: 'always' }),
  record<MintExtensionFact>('mint extension', {
    kind: 'always',
    feeBps: 'optional',
    maxFeeRaw: 'optional',
    rateBps: 'optional',
    multiplier: 'optional',
    effectiveTimeMs: 'optional',
    metadataAddress: 'optional',
    delegate: 'optional',
    hookProgram: 'optional',
    isFrozen: 'optional',
    isPaused: 'optional',
    closeAuthority: 'optional',
  }),
  record<LiquidityEvent>('liquidity event', {
    pool: 'always',
    quoteMint: 'always',
    lamports: 'always',
    baseRaw: 'always',
    valueUsd: 'always',
    slot: 'always',
    timeMs: 'always',
  }),
  record<PoolState>('pool', {
    pool: 'always',
    venue: 'always',
    baseMint: 'always',
    quoteMint: 'always',
    baseDecimals: 'always',
    quoteDecimals: 'always',
    creator: 'always',
    createdSlot: 'always',
    reserves: 'always',
    quoteUsd: 'always',
    buyCount: 'always',
    sellCount: 'always',
    swapCount: 'always',
    traders: 'always',
    buyVolumeUsd: 'always',
    sellVolumeUsd: 'always',
    quoteVolumeRaw: 'always',
    pricedQuoteVolumeRaw: 'always',
    price: 'always',
    priceUsd: 'always',
    priceChain: 'always',
    athPriceUsd: 'always',
    isCurveComplete: 'always',
    migratedTo: 'always',
    firstSeenMs: 'always',
    lastSwapMs: 'always',
    updatedAtMs: 'always',
    slot: 'always',
  }),
  record<Reserves>('reserves', {
    base: 'always',
    quote: 'always',
    virtualBase: 'always',
    virtualQuote: 'always',
  }),
  record<SettlingTrade>('settling trade', {
    priced: 'always',
    isSettled: 'always',
    sideRank: 'always',
  }),
  record<PricedSwap>('priced swap', {
    swap: 'always',
    slot: 'always',
    txIndex: 'always',
    signature: 'always',
    timeMs: 'always',
    isTimeKnown: 'always',
    price: 'always',
    priceUsd: 'always',
    valueUsd: 'always',
    quoteChain: 'always',
    exclusion: 'always',
    setsTokenPrice: 'always',
    isOrganic: 'always',
  }),
  record<Swap>('swap', {
    kind: 'always',
    outerIx: 'always',
    innerIx: 'always',
    venue: 'always',
    pool: 'always',
    baseMint: 'always',
    quoteMint: 'always',
    baseDecimals: 'always',
    quoteDecimals: 'always',
    trader: 'always',
    side: 'always',
    poolBaseDelta: 'always',
    poolQuoteDelta: 'always',
    traderBaseDelta: 'always',
    traderQuoteDelta: 'always',
    reserves: 'always',
    feeQuoteRaw: 'always',
    keptFees: 'optional',
    legsOnly: 'optional',
    program: 'optional',
    router: 'always',
    isIntermediateHop: 'always',
    isAtomicRoundTrip: 'always',
    isPureArbitrage: 'always',
    quarantine: 'always',
  }),
  record<KeptFees>('kept fees', { base: 'always', quote: 'always' }),
  record<PendingJump>('pending jump', { price: 'always', slot: 'always' }),
  record<RobustPrice>('robust price', {
    price: 'always',
    priceUsd: 'always',
    quoteChain: 'always',
    slot: 'always',
    timeMs: 'always',
  }),
  record<QuoteChain>('quote chain', {
    usd: 'always',
    links: 'always',
    reference: 'always',
    setSlot: 'always',
    ageMs: 'always',
    thinnestUsd: 'always',
    hasLaunchpadCoin: 'always',
  }),
  record<QuoteLink>('quote link', { mint: 'always', pool: 'always' }),
  { name: 'queue of trades', fields: { trades: 'always', start: 'always' } },
  { name: 'trades by side', fields: { buy: 'always', sell: 'always' } },
  record<CandleSums>('candle sums', {
    baseVolumeRaw: 'always',
    quoteVolumeRaw: 'always',
    volumeUsd: 'always',
    pricedBaseVolumeRaw: 'always',
    trades: 'always',
    buys: 'always',
    sells: 'always',
  }),
  record<PriceRanges>('price ranges', { quote: 'always', usd: 'always' }),
  record<OpenHighLowClose>('price range', {
    open: 'always',
    high: 'always',
    low: 'always',
    close: 'always',
  }),
  record<MinuteReferences>('SOL price of a minute', {
    minuteMs: 'always',
    strong: 'always',
    weak: 'always',
  }),
  record<SolPrice>('SOL price', { minuteMs: 'always', usd: 'always', slot: 'always' }),
  record<PoolMinute>('pool in a minute', {
    pool: 'always',
    depthUsdNano: 'always',
    strongQuoteUsdNano: 'always',
    strongBaseRaw: 'always',
    weakQuoteUsdNano: 'always',
    weakBaseRaw: 'always',
  }),
  record<MintHolders>('holders of a mint', {
    mint: 'always',
    owners: 'always',
    order: 'always',
    excluded: 'always',
  }),
  record<HolderNode>('holder', {
    owner: 'always',
    mint: 'always',
    balanceRaw: 'always',
    asideRaw: 'always',
    firstSeenMs: 'always',
    slot: 'always',
    isOut: 'always',
    left: 'always',
    right: 'always',
    size: 'always',
  }),
  record<LpMint>('LP mint', {
    pool: 'always',
    venue: 'always',
    burnedRaw: 'always',
    permanentRaw: 'always',
  }),
  record<Lock>('lock', { mint: 'always', amountRaw: 'always', terms: 'always' }),
  record<LockTerms>('lock terms', {
    isPermanent: 'always',
    firstUnlockTimeMs: 'always',
    lastUnlockTimeMs: 'always',
    isRevocable: 'always',
  }),
  { name: 'total of tokens', fields: { contradictions: 'always' } },
  { name: 'total of pools', fields: { traders: 'always' } },
  { name: 'total of candles', fields: { candles: 'always' } },
  { name: 'total of holders', fields: { contradictions: 'always', ownerless: 'always' } },
];

function record<Stored>(name: string, fields: FieldsOf<Stored>): GraphRecord {
  return { name, fields: fields as GraphRecord['fields'] };
}

function allOf(record: Readonly<Record<string, number>>): GraphRecord['fields'] {
  return Object.fromEntries(Object.keys(record).map((key) => [key, 'always'] as const));
}
