import { findPlacedTrades, type PlacedTrades } from '../../fold/market/bundles.ts';
import type { ClosedCandles } from '../../fold/market/candles.ts';
import { knownTimeMs, type Moment } from '../../fold/market/logical-time.ts';
import type { PoolState } from '../../fold/market/pool-state.ts';
import { markClass, type SettlingTrade } from '../../fold/market/settling-trade.ts';
import type {
  BundledTransaction,
  HolderBalance,
  PricedSwap,
  SlotChanges,
} from '../../model/derived.ts';
import { BURN_ADDRESSES } from '../../model/known-owners.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import type { Swap } from '../../model/swap.ts';
import { type Books, touchPoolOfLpMint } from '../books/books.ts';
import { toPoolRecord, toTokenRecord } from '../books/present-records.ts';
import { priceTokens } from '../books/price-tokens.ts';
import { type QuotePrices, quotePricesOfSlot, quoteToLamports } from '../books/quote-prices.ts';
import { foldCases } from '../cases/fold-cases.ts';
import { readCase, viewCase } from '../cases/read-case.ts';
import type { CaseSource } from '../fraud/case-source.ts';
import { markCoordination } from '../fraud/coordination.ts';
import type { FraudUpdates } from '../fraud/fraud-watch.ts';
import { countSlot, keepCounters } from '../state/engine-counters.ts';
import type { EngineState } from '../state/engine-state.ts';
import { chainedDigest } from '../state/state-digest.ts';
import type { SlotParts } from '../undo-slots.ts';
import { type FoldedTransaction, foldWalletTransactions } from '../wallets/fold-wallets.ts';
import { isOrganicSwap, settleVolume, settleWallets } from '../wallets/settle-wallets.ts';
import type { WalletOwners } from '../wallets/wallet-owners.ts';
import { foldObservation } from './fold-observation.ts';
import { foldMinuteEnd, foldSignals, lastOutcomes } from './fold-signals.ts';
import { foldTransaction } from './fold-transaction.ts';
import { countInferred } from './inferred-programs.ts';

/** The state that a slot is applied to. */
export interface FoldParts extends SlotParts {
  readonly state: EngineState;
  readonly owners: WalletOwners;
}

/** A slot that is being applied. */
interface SlotFold extends FoldParts {
  readonly facts: SlotFacts;
  readonly at: Moment;
  readonly quotes: QuotePrices;
}

/** Applies a slot, which must follow the last applied one, and returns its changes. */
export function foldSlot(parts: FoldParts, facts: SlotFacts): SlotChanges {
  const { books, walletBooks, clock, minutes } = parts.state;
  const { slot } = facts;
  const at = clock.advance(slot, facts.blockTimeMs);
  const { onPause } = parts;
  const minute = minutes.take(books, walletBooks, { slot, timeMs: knownTimeMs(at) }, onPause);
  const updates = foldMinuteEnd(parts.state, minute, at, onPause);
  const solPrices = books.solPrices.applySlot(at, swapsOf(facts));
  const quotes = quotePricesOfSlot(books, facts, at);
  const fold = { ...parts, facts, at, quotes };
  count(fold);
  const trades = foldTransactions(fold);
  priceTokens(books, trades, at);
  onPause();
  const { relabelled, candles, shown: shownCandles } = settlePrices(fold);
  onPause();
  const balances = foldBalances(fold);
  onPause();
  const smartWeights = new Map<Swap, number>();
  const folded = foldWallets(fold, { trades, relabelled, balances, smartWeights });
  const placed = findPlacedTrades(facts, (swap) => lamportsOf(quotes, swap), knownTimeMs(at));
  const { classifications, linkedBuys, ruleHits } = watchFraud(fold, folded, placed);
  onPause();
  // Last of all, so that a finding counts from its own slot on.
  settleTrades(fold, trades, folded);
  const bundles = [...placed.bundles, ...linkedBuys];
  countBundles(fold, bundles);
  const swaps = trades.map(({ priced }) => priced);
  const pools = books.pools
    .takeChanges()
    .map((state) => toPoolRecord(parts.state, state, at.timeMs));
  const outcomes = foldSignals(parts.state, { swaps, smartWeights, pools }, at);
  const tokens = books.tokens.takeChanges();
  parts.state.rules.apply(facts.ruleChanges ?? []);
  return {
    slot,
    timeMs: at.timeMs,
    swaps: [...relabelled, ...swaps].filter(isTimed),
    tokens: tokens.map((state) => toTokenRecord(books, state)),
    pools,
    candles,
    shownCandles,
    balances,
    bundles,
    solPrices,
    indicators: minute?.indicators ?? [],
    classifications,
    signals: updates.signals,
    outcomes: lastOutcomes([...updates.outcomes, ...outcomes]),
    // Those of the ended minute were numbered first.
    ruleHits: [...updates.ruleHits, ...ruleHits],
  };
}

function count({ state, undo, facts, at }: SlotFold): void {
  const { progress, counters } = state;
  const { slot, blockhash } = facts;
  undo.keep(progress);
  keepCounters(undo, counters);
  countSlot(counters, facts, at, progress.last);
  countInferred(counters.inferredPrograms, facts, undo);
  progress.first ??= slot;
  progress.last = { slot, blockhash };
}

function foldTransactions({ state, facts, at, quotes, onPause }: SlotFold): SettlingTrade[] {
  const { books } = state;
  const trades: SettlingTrade[] = [];
  for (const transaction of facts.transactions) {
    if (transaction.error !== null) continue;
    foldTransaction({ books, quotes, at, transaction }, trades);
    onPause();
  }
  for (const observation of facts.observations ?? []) {
    foldObservation(books.tokens, observation, at);
  }
  return trades;
}

function settlePrices({ state, at }: SlotFold): ClosedCandles & {
  readonly relabelled: PricedSwap[];
} {
  const { prices, candles, pools } = state.books;
  const settlement = prices.closeSlot(at.slot, at.timeMs);
  for (const address of settlement.repriced) {
    const pool = pools.get(address);
    const robust = prices.priceOf(address);
    if (pool === undefined || robust === null) continue;
    if (pools.setPrice(pool, robust, at)) {
      touchPricedToken(state.books, pool, at);
    }
  }
  const earlier = new Set<PricedSwap>();
  for (const { priced } of settlement.relabelled) {
    if (priced.slot < at.slot) earlier.add(priced);
  }
  const changed = candles.closeSlot(at.slot, at.timeMs, {
    relabelled: settlement.relabelled.filter(({ priced }) => isTimed(priced)),
    settled: settlement.settled.filter(({ priced }) => isTimed(priced)),
  });
  return { relabelled: [...earlier], ...changed };
}

function touchPricedToken({ tokens }: Books, pool: PoolState, at: Moment): void {
  const token = tokens.get(pool.baseMint);
  if (token?.primaryPool === pool.pool) tokens.touch(token, at);
}

function foldBalances({ state, facts, at }: SlotFold): HolderBalance[] {
  const { tokens, holders } = state.books;
  for (const { error, tokenBalances } of facts.transactions) {
    if (error !== null) continue;
    for (const change of tokenBalances) {
      holders.apply(change, at);
      const token = tokens.get(change.mint);
      if (token?.decimals === null) tokens.ensure(change.mint, change.decimals, at);
    }
  }
  const rows = holders.takeChanges();
  for (const { owner, mint } of rows) {
    if (!BURN_ADDRESSES.has(owner)) continue;
    const token = tokens.get(mint);
    if (token !== undefined) tokens.touch(token, at);
    touchPoolOfLpMint(state.books, mint, at);
  }
  return rows;
}

interface FoldedTrades {
  readonly trades: readonly SettlingTrade[];
  readonly relabelled: readonly PricedSwap[];
  readonly balances: readonly HolderBalance[];
  /** Filled by the fold: by swap of an eligible smart trader, the score at the trade over 100. */
  readonly smartWeights: Map<Swap, number>;
}

/** Runs after pricing: wallet metrics include this slot. */
function foldWallets(
  { state, owners, facts, at, quotes, onPause }: SlotFold,
  { trades, relabelled, balances, smartWeights }: FoldedTrades,
): readonly FoldedTransaction[] {
  const { books, walletBooks } = state;
  const fold = { books, walletBooks, owners, at, quotes, smartWeights };
  const swaps = trades.map(({ priced }) => priced);
  const folded = foldWalletTransactions(fold, facts, swaps, onPause);
  settleWallets(fold, { relabelled: [...relabelled, ...swaps], balances });
  return folded;
}

/**
 * Marks trades with the class that their trader has now, and counts their volume by it. An account
 * that is a wallet elsewhere and trades here as the account of a program has no class.
 */
function settleTrades(
  { state: { books, walletBooks }, owners }: SlotFold,
  trades: readonly SettlingTrade[],
  folded: readonly FoldedTransaction[],
): void {
  let next = 0;
  for (const trade of trades) {
    const { priced } = trade;
    while (next < folded.length && folded[next]?.transaction.txIndex !== priced.txIndex) next++;
    const { trader } = priced.swap;
    const signers = folded[next]?.transaction.signers ?? [];
    if (trader === null || !owners.isWallet(trader, signers)) continue;
    const walletClass = walletBooks.poolWallets.classOf(priced.swap.pool, trader);
    if (walletClass === null) continue;
    markClass(trade, walletClass, isOrganicSwap(priced, walletClass));
    settleVolume({ books, walletBooks }, priced, trader);
  }
}

/** Detectors see the state at the end of the slot. */
function watchFraud(
  { state, facts, at, quotes, onPause }: SlotFold,
  folded: readonly FoldedTransaction[],
  { groups }: PlacedTrades,
): FraudUpdates {
  const { books, walletBooks, cases, fraud } = state;
  onPause();
  const updates = foldCases({ books, walletBooks, cases, at, quotes, onPause }, folded, groups);
  const { slot, timeMs } = at;
  const sources = { books, walletBooks, cases, slot, timeMs };
  const source: CaseSource = {
    entriesOf: (mint) => cases.lists.entryCount(mint),
    supplyOf: (mint) => books.tokens.get(mint)?.supplyRaw ?? null,
    read: (mint) => viewCase(sources, mint),
    readPlain: (mint) => readCase(sources, mint),
    priceOf: (pool) => books.prices.priceOf(pool)?.priceUsd ?? null,
  };
  const found = fraud.settle(updates, at, source, onPause);
  const changed = found.classifications.map(({ finding: { mint } }) => mint);
  for (const id of facts.refusedFindings ?? []) {
    const mint = fraud.refuse(id);
    if (mint !== null) changed.push(mint);
  }
  markCoordination({ books, walletBooks, fraud }, changed, slot);
  return found;
}

function countBundles({ state }: SlotFold, bundles: readonly BundledTransaction[]): void {
  if (bundles.length === 0) return;
  const { counters, progress } = state;
  counters.bundledTransactions += bundles.length;
  progress.bundleDigest = chainedDigest(progress.bundleDigest, bundles);
}

/** The trader's amount, or the pool's if the record does not show it; they differ only by fees. */
function lamportsOf(quotes: QuotePrices, swap: Swap): bigint | null {
  const quoteRaw = swap.traderQuoteDelta ?? -swap.poolQuoteDelta;
  return quoteToLamports(quotes, swap.quoteMint, quoteRaw, swap.quoteDecimals);
}

function isTimed({ isTimeKnown }: PricedSwap): boolean {
  return isTimeKnown;
}

/** The swaps of a slot in order; failed transactions have none. */
function swapsOf(facts: SlotFacts): Swap[] {
  const swaps: Swap[] = [];
  for (const { error, events } of facts.transactions) {
    if (error !== null) continue;
    for (const event of events) {
      if (event.kind === 'swap') swaps.push(event);
    }
  }
  return swaps;
}
