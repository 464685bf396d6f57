import { findBundles } from '../aggregates/bundles.ts';
import { knownTimeMs, type LogicalClock, type Moment } from '../aggregates/logical-time.ts';
import { presentPool } from '../aggregates/pool-value.ts';
import type { PoolState } from '../aggregates/pools.ts';
import { markOrganic, type SettlingTrade } from '../aggregates/settling-trade.ts';
import { presentToken, type TokenState } from '../aggregates/tokens.ts';
import { MemorySpill } from '../aggregates/wallets/memory-spill.ts';
import { WALLET_LAYOUT } from '../aggregates/wallets/wallet-row.ts';
import type { Swap } from '../model/chain-event.ts';
import type {
  BundledTransaction,
  Candle,
  HolderBalance,
  LockedLiquidity,
  PoolRecord,
  PricedSwap,
  SlotChanges,
  TokenRecord,
} from '../model/derived.ts';
import type { HolderPage, HolderPageQuery } from '../model/holder-page.ts';
import type { IndicatorRecord } from '../model/indicators.ts';
import { BURN_ADDRESSES } from '../model/known-owners.ts';
import { WRAPPED_SOL } from '../model/program.ts';
import type { RevertedSlot } from '../model/reverted-slot.ts';
import type { RowSpill } from '../model/row-spill.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { Address, PriceE18, RawAmount, Slot } from '../model/units.ts';
import type { WalletRecord } from '../model/wallet-record.ts';
import { type Books, lockedLiquidity, quoteToLamports, touchPoolOfLpMint } from './books.ts';
import { countSlot, type EngineCounters, keepCounters } from './engine-counters.ts';
import {
  DEFAULT_BOUNDS,
  DEFAULT_UNDO_SLOTS_MAX,
  type EngineBounds,
  type EngineOptions,
} from './engine-options.ts';
import { createState, type EngineState, type Progress } from './engine-state.ts';
import { foldObservation } from './fold-observation.ts';
import { foldTransaction } from './fold-transaction.ts';
import { foldWalletTransactions } from './fold-wallets.ts';
import { holderPageOf } from './holder-page.ts';
import { type IndicatorMinutes, indicatorsOf } from './indicator-minutes.ts';
import { priceTokens } from './price-tokens.ts';
import { isOrganicSwap, settleWallets } from './settle-wallets.ts';
import { assertInOrder } from './slot-order.ts';
import { chainedDigest, digestOf, stateRows } from './state-digest.ts';
import { readState, type StateSurroundings, writeState } from './state-snapshot.ts';
import { UndoSlots } from './undo-slots.ts';
import type { WalletBooks } from './wallet-books.ts';
import { WalletOwners } from './wallet-owners.ts';
import { walletRecordOf } from './wallet-record-of.ts';

/**
 * Folds decoded slots into everything that is derived from them. The state after a slot is a
 * function of the slots up to it and of the options, and of nothing else: also of slots that were
 * folded and taken back.
 */
export class Engine {
  private readonly undoSlots: UndoSlots;
  private readonly clock: LogicalClock;
  private readonly books: Books;
  private readonly bounds: EngineBounds;
  private readonly who: WalletBooks;
  private readonly spill: RowSpill;
  private readonly owners = new WalletOwners();
  private readonly minutes: IndicatorMinutes;
  private readonly tally: EngineCounters;
  private readonly progress: Progress;

  /**
   * An engine that has folded nothing, or goes on where another one's `writeState` was taken. Throws
   * GraphError for chunks that are no such state.
   */
  constructor(options: EngineOptions, chunks: Iterable<Uint8Array> | null = null) {
    const { fallbackSolUsd, bounds, undoSlotsMax = DEFAULT_UNDO_SLOTS_MAX } = options;
    this.undoSlots = new UndoSlots(undoSlotsMax);
    this.bounds = { ...DEFAULT_BOUNDS, ...bounds };
    const { log } = this.undoSlots;
    const spill = options.createSpill?.(WALLET_LAYOUT.rowBytes) ?? new MemorySpill();
    this.spill = spill;
    const state =
      chunks === null
        ? createState(fallbackSolUsd, log, spill)
        : restoredState(chunks, { fallbackSolUsd, undo: log, spill });
    this.clock = state.clock;
    this.books = state.books;
    this.who = state.who;
    this.minutes = state.minutes;
    this.tally = state.counters;
    this.progress = state.progress;
  }

  /**
   * All state as bytes for the constructor, in chunks that are made as they are asked for: nothing
   * may be folded before the last one. Throws RangeError while slots are held that are not final.
   */
  writeState(): Iterable<Uint8Array> {
    if (this.undoableSlots > 0) {
      throw new RangeError(`${this.undoableSlots} slots are held that are not final`);
    }
    const { clock, books, who, minutes, tally: counters, progress } = this;
    const state = { clock, books, who, minutes, counters, progress };
    return writeState(state, this.undoSlots.log, this.spill);
  }

  /** Gives back what lies outside of memory. Nothing may be asked afterwards. */
  close(): void {
    this.spill.close();
  }

  /**
   * Folds one slot and says what it changed: each changed record once, as it is at the end of the
   * slot, in the order of first change. Swaps of earlier slots come again when their label changed.
   *
   * A slot that is not final can be taken back by `undo`, until `forget` says that it stays.
   *
   * Throws RangeError, with nothing changed, when the slot is not after the last one, its
   * transactions or events are out of order, a slot before it that is not final is followed by a
   * final one, or more slots would be held that are not final than `undoSlotsMax`.
   */
  apply(facts: SlotFacts, { isFinal } = { isFinal: true }): SlotChanges {
    assertInOrder(facts, this.lastSlot);
    this.undoSlots.assertFolds(facts.slot, isFinal);
    return isFinal ? this.fold(facts) : this.undoSlots.folding(() => this.fold(facts));
  }

  /**
   * Takes the newest slot back, so that everything is exactly as before it was folded, and names the
   * records that went back. Throws RangeError when the newest slot is final.
   */
  undo(): RevertedSlot {
    return this.undoSlots.undo();
  }

  /** Makes every slot up to `slot` final. */
  forget(slot: Slot): void {
    this.undoSlots.forget(slot);
  }

  /** How many slots can be taken back. */
  get undoableSlots(): number {
    return this.undoSlots.count;
  }

  /** The last slot folded, null before the first. */
  get lastSlot(): Slot | null {
    return this.progress.last?.slot ?? null;
  }

  /** The first slot folded, null before it. */
  get firstSlot(): Slot | null {
    return this.progress.first;
  }

  /** Hash of the last slot's block; null before the first and where the record does not tell. */
  get lastBlockhash(): string | null {
    return this.progress.last?.blockhash ?? null;
  }

  /** Logical time of the last slot in milliseconds, 0 before the first block time. */
  get timeMs(): number {
    return this.clock.timeMs;
  }

  /** What a SOL is worth now in USD; null while that is unknown. */
  get solUsd(): PriceE18 | null {
    return this.books.solPrices.usdPerQuote(WRAPPED_SOL);
  }

  /** True while every slot was a whole block that follows the one folded before it. */
  get isComplete(): boolean {
    return this.tally.unlinkedSlots === 0;
  }

  token(mint: Address): TokenRecord | null {
    const state = this.books.tokens.get(mint);
    return state === undefined ? null : this.toTokenRecord(state);
  }

  pool(pool: Address): PoolRecord | null {
    const state = this.books.pools.get(pool);
    return state === undefined ? null : this.toPoolRecord(state);
  }

  /** How much of a pool's liquidity is locked now; null where that is not known. */
  lockedLiquidity(pool: Address): LockedLiquidity | null {
    return lockedLiquidity(this.books, pool, this.clock.timeMs);
  }

  /** What locker programs keep of a mint, as far as the held history saw it come. */
  lockedSupply(mint: Address): RawAmount {
    return this.books.locks.heldByLockers(mint);
  }

  /** The largest owners of a mint, pools and burn addresses included, largest first. */
  topHolders(mint: Address, limit: number): HolderBalance[] {
    return this.books.holders.top(mint, limit, this.supplyOf(mint));
  }

  /** Owners of a mint that are neither pools nor burn addresses nor dust. */
  holderCount(mint: Address): number {
    return this.books.holders.count(mint, this.supplyOf(mint));
  }

  /** Holders of a mint page by page, each with what it is known to be, and how many they are. */
  holderPage(query: HolderPageQuery): HolderPage {
    return holderPageOf(this.books, this.who, query);
  }

  /**
   * SHA-256 over all derived state, in an order that does not depend on how it came about: time and
   * counters, SOL prices, tokens, pools with their wallets, price and candle state in memory, every
   * balance and token account, and a running hash over all bundles found. Linear in the state.
   */
  digest(): string {
    const { clock, tally } = this;
    const { last, bundleDigest } = this.progress;
    const { timeMs, timedSlot } = clock;
    const head = { last, timeMs, timedSlot, ...tally, bundleDigest };
    return digestOf(stateRows(head, { books: this.books, who: this.who, minutes: this.minutes }));
  }

  /** The figures of a pool now; null for a pool that is not known. */
  indicators(pool: Address): IndicatorRecord | null {
    const state = this.books.pools.get(pool);
    const { last } = this.progress;
    if (state === undefined || last === null) return null;
    const time = { slot: last.slot, timeMs: this.clock.timeMs === 0 ? null : this.clock.timeMs };
    return indicatorsOf(this.books, this.who, state, time);
  }

  /** All that is known of a wallet; null for one that was never seen trading. */
  wallet(address: Address): WalletRecord | null {
    return walletRecordOf(this.books, this.who, address);
  }

  /** What went through since the first slot. */
  get counters(): Readonly<EngineCounters> {
    return this.tally;
  }

  /** Records that contradict what was known: signs of missing history, never shown as data. */
  get contradictions(): {
    readonly supplies: number;
    readonly balances: number;
    readonly ownerlessBalances: number;
  } {
    const { tokens, holders } = this.books;
    return {
      supplies: tokens.contradictionCount,
      balances: holders.contradictionCount,
      ownerlessBalances: holders.ownerlessCount,
    };
  }

  /** How much is held in memory. */
  get stateSize(): EngineBounds & { readonly candles: number; readonly spilledProfiles: number } {
    const { tokens, pools, holders, candles, locks } = this.books;
    const { wallets } = this.who;
    return {
      tokens: tokens.size,
      pools: pools.size,
      poolTraders: pools.traderCount,
      holderMints: holders.mintCount,
      holderAccounts: holders.accountCount,
      locks: locks.lockCount,
      profiles: wallets.residentCount,
      candles: candles.size,
      spilledProfiles: wallets.spilledCount,
    };
  }

  /** Names of the bounds that the state has outgrown. */
  exceededBounds(): (keyof EngineBounds)[] {
    const size = this.stateSize;
    const names = Object.keys(DEFAULT_BOUNDS) as (keyof EngineBounds)[];
    return names.filter((name) => size[name] > this.bounds[name]);
  }

  private fold(facts: SlotFacts): SlotChanges {
    const { slot } = facts;
    const at = this.clock.advance(slot, facts.blockTimeMs);
    const indicators = this.minutes.take(this.books, this.who, {
      slot,
      timeMs: knownTimeMs(at),
    });
    this.count(facts, at);
    const solPrices = this.books.solPrices.applySlot(at, swapsOf(facts));
    const trades = this.foldTransactions(facts, at);
    priceTokens(this.books, trades, at);
    const { relabelled, candles } = this.settlePrices(at);
    const balances = this.foldBalances(facts, at);
    this.foldWallets(facts, at, { trades, relabelled, balances });
    const pools = this.books.pools.takeChanges();
    const tokens = this.books.tokens.takeChanges();
    return {
      slot,
      timeMs: at.timeMs,
      swaps: [...relabelled, ...trades.map(({ priced }) => priced)].filter(isTimed),
      tokens: tokens.map((state) => this.toTokenRecord(state)),
      pools: pools.map((state) => this.toPoolRecord(state)),
      candles,
      balances,
      bundles: this.findBundles(facts),
      solPrices,
      indicators,
    };
  }

  private count(facts: SlotFacts, at: Moment): void {
    const { progress, tally } = this;
    const { slot, blockhash } = facts;
    this.undoSlots.log.keep(progress);
    keepCounters(this.undoSlots.log, tally);
    countSlot(tally, facts, at, progress.last);
    progress.first ??= slot;
    progress.last = { slot, blockhash };
  }

  private foldTransactions(facts: SlotFacts, at: Moment): SettlingTrade[] {
    const trades: SettlingTrade[] = [];
    for (const transaction of facts.transactions) {
      if (transaction.error !== null) continue;
      trades.push(...foldTransaction({ books: this.books, at, transaction }));
    }
    for (const observation of facts.observations ?? []) {
      foldObservation(this.books.tokens, observation, at);
    }
    return trades;
  }

  private settlePrices(at: Moment): { relabelled: PricedSwap[]; candles: Candle[] } {
    const { prices, candles, pools } = this.books;
    const settlement = prices.closeSlot(at.slot, at.timeMs);
    for (const address of settlement.repriced) {
      const pool = pools.get(address);
      const robust = prices.priceOf(address);
      if (pool === undefined || robust === null) continue;
      if (pools.setPrice(pool, robust.price, robust.priceUsd, at)) this.touchPricedToken(pool, at);
    }
    const earlier = new Set<PricedSwap>();
    for (const { priced } of settlement.relabelled) {
      if (priced.slot < at.slot) earlier.add(priced);
    }
    const changed = candles.closeSlot(at.slot, at.timeMs, {
      relabelled: settlement.relabelled.filter(({ priced }) => isTimed(priced)),
      settled: settlement.settled.filter(({ priced }) => isTimed(priced)),
    });
    return { relabelled: [...earlier], candles: changed };
  }

  private touchPricedToken(pool: PoolState, at: Moment): void {
    const token = this.books.tokens.get(pool.baseMint);
    if (token?.primaryPool === pool.pool) this.books.tokens.touch(token, at);
  }

  private foldBalances(facts: SlotFacts, at: Moment): HolderBalance[] {
    const { tokens, holders } = this.books;
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
      touchPoolOfLpMint(this.books, mint, at);
    }
    return rows;
  }

  /** After all else of the slot: what a wallet is judged by includes the slot. */
  private foldWallets(
    facts: SlotFacts,
    at: Moment,
    { trades, relabelled, balances }: FoldedTrades,
  ): void {
    const { books, who, owners } = this;
    const fold = { books, who, owners, at };
    const swaps = trades.map(({ priced }) => priced);
    foldWalletTransactions(fold, facts, swaps);
    settleWallets(fold, { relabelled: [...relabelled, ...swaps], balances });
    for (const trade of trades) {
      if (isOrganicSwap(fold, trade.priced)) markOrganic(trade);
    }
    this.spillProfiles();
  }

  /** A hundredth more than has to go, as finding out which ones is linear in all of them. */
  private spillProfiles(): void {
    const { wallets } = this.who;
    const { profiles } = this.bounds;
    if (wallets.residentCount <= profiles) return;
    wallets.evict(Math.floor(profiles * SPILLED_TO));
  }

  private findBundles(facts: SlotFacts): BundledTransaction[] {
    const bundles = findBundles(facts, (swap) => this.lamportsOf(swap));
    if (bundles.length === 0) return bundles;
    this.tally.bundledTransactions += bundles.length;
    this.progress.bundleDigest = chainedDigest(this.progress.bundleDigest, bundles);
    return bundles;
  }

  /** The trader's side; the pool's where the record does not show it, which differs by fees only. */
  private lamportsOf(swap: Swap): bigint | null {
    const quoteRaw = swap.traderQuoteDelta ?? -swap.poolQuoteDelta;
    return quoteToLamports(this.books, swap.quoteMint, quoteRaw, swap.quoteDecimals);
  }

  private supplyOf(mint: Address): bigint | null {
    return this.books.tokens.get(mint)?.supplyRaw ?? null;
  }

  private toTokenRecord(state: TokenState): TokenRecord {
    const { pools, holders } = this.books;
    const primary = state.primaryPool === null ? undefined : pools.get(state.primaryPool);
    return presentToken(state, primary?.priceUsd ?? null, holders.burned(state.mint));
  }

  private toPoolRecord(state: PoolState): PoolRecord {
    const usdPerQuote = this.books.solPrices.usdPerQuote(state.quoteMint);
    return presentPool(state, usdPerQuote, this.lockedLiquidity(state.pool));
  }
}

/** A state that cannot be read leaves nothing in the spill. */
function restoredState(chunks: Iterable<Uint8Array>, surroundings: StateSurroundings): EngineState {
  try {
    return readState(chunks, surroundings);
  } catch (error) {
    surroundings.spill.close();
    throw error;
  }
}

/** Share of the profiles that memory has room for which stay when there are more. */
const SPILLED_TO = 0.99;

interface FoldedTrades {
  readonly trades: readonly SettlingTrade[];
  readonly relabelled: readonly PricedSwap[];
  readonly balances: readonly HolderBalance[];
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
