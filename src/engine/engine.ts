import { PagePool } from '../lib/pages/page-pool.ts';
import type { Candle, HolderBalance, SlotChanges } from '../model/derived.ts';
import type { HolderPage, HolderPageQuery } from '../model/holder-page.ts';
import type { IndicatorRecord } from '../model/indicators.ts';
import type { MintCase } from '../model/mint-case.ts';
import type { LockedLiquidity, PoolRecord } from '../model/pool-record.ts';
import { WRAPPED_SOL } from '../model/program.ts';
import type { PublishedRule } from '../model/rule-change.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { StatePart } from '../model/state-digest.ts';
import type { TokenRecord } from '../model/token-record.ts';
import type { Address, PriceE18, RawAmount, Slot } from '../model/units.ts';
import type { WalletRecord } from '../model/wallet-record.ts';
import { MODELS } from '../signals/registry.ts';
import { lockedLiquidity } from './books/books.ts';
import { type Contradictions, contradictionsOf } from './books/contradictions.ts';
import { holderPageOf } from './books/holder-page.ts';
import { indicatorsOf } from './books/indicator-minutes.ts';
import { toPoolRecord, toTokenRecord } from './books/present-records.ts';
import { readCase } from './cases/read-case.ts';
import { DEFAULT_UNDO_SLOTS_MAX, type EngineOptions } from './engine-options.ts';
import { foldSlot } from './fold/fold-slot.ts';
import type { FraudWatchStatus } from './fraud/fraud-watch.ts';
import { WalletReads } from './lists/wallet-reads.ts';
import { standingsIn } from './lists/wallet-standing.ts';
import { assertInOrder } from './slot-order.ts';
import type { EngineCounters } from './state/engine-counters.ts';
import { createState, type EngineState } from './state/engine-state.ts';
import { digestOfParts, statePartsOf } from './state/state-digest.ts';
import { StateRows } from './state/state-rows.ts';
import { type StateSize, stateSizeOf } from './state/state-size.ts';
import { type ApplyOptions, type SlotParts, UndoSlots } from './undo-slots.ts';
import { WalletOwners } from './wallets/wallet-owners.ts';
import { walletRecordOf } from './wallets/wallet-record-of.ts';

/** Pages evicted after a slot unless more came, and sixteen times fewer objects of each map. */
const TRIMMED_MAX = 1_024;
const UNDONE = -1;

/**
 * Applies decoded slots to the derived state. The state after a slot is a function of the slots up
 * to it and of the options only; slots that were applied and undone have no effect on it.
 */
export class Engine {
  private readonly pages: PagePool;
  private readonly onClose: () => void;
  private readonly undoSlots: UndoSlots;
  private readonly state: EngineState;
  private readonly owners = new WalletOwners();
  /** The last slot of the checkpoint that was begun last. */
  #checkpointSlot: number | null = null;

  /** Creates an engine whose state is that of its pages: empty, or as they were stored. */
  constructor(options: EngineOptions) {
    const {
      fallbackSolUsd,
      undoSlotsMax = DEFAULT_UNDO_SLOTS_MAX,
      models = MODELS,
      detectors = [],
      pages = new PagePool(),
    } = options;
    this.pages = pages;
    this.onClose = options.onClose ?? (() => undefined);
    this.undoSlots = new UndoSlots(undoSlotsMax, pages);
    this.state = createState({ fallbackSolUsd, undo: this.undoSlots.log, models, detectors });
    if (options.sums !== undefined) pages.restoreSums(options.sums);
  }

  /** Shortens the begin of a checkpoint: call after each of the last slots before it. */
  prepareCheckpoint(slotsLeft: number): void {
    this.pages.prepareCheckpoint(slotsLeft);
  }

  /**
   * Begins a checkpoint of the state as it is. `writeSome` passes it to the store of the pages, in
   * portions between which slots may be applied and undone. Returns the sums of the state, for
   * EngineOptions.
   */
  beginCheckpoint(): Uint32Array {
    this.pages.beginCheckpoint();
    this.#checkpointSlot = this.lastSlot;
    return this.pages.copySums();
  }

  /** True when a slot of the checkpoint was undone: it must be aborted. */
  get isCheckpointUndone(): boolean {
    return this.#checkpointSlot === UNDONE;
  }

  /** Stops writing the checkpoint. */
  abortCheckpoint(): void {
    this.#checkpointSlot = null;
    this.pages.abortCheckpoint();
  }

  /** What the stored bytes of the state mean. */
  get layout(): string {
    return this.pages.layout;
  }

  /** Names of the parts of the state, in the order of their sums. */
  get partNames(): readonly string[] {
    return this.pages.spaceNames;
  }

  /** Stores up to `count` pages and objects of the checkpoint; true when all are stored. */
  writeSome(count: number): boolean {
    return this.pages.writeSome(count);
  }

  /** Releases resources outside of memory. The engine must not be used afterwards. */
  close(): void {
    this.onClose();
  }

  /**
   * Applies one slot and returns its changes: each changed record once, as it is at the end of the
   * slot, in the order of first change. Swaps of earlier slots are included when their label
   * changed.
   *
   * A slot that is not final can be reverted by `undo` until `forget` makes it final.
   *
   * Throws RangeError and changes nothing when the slot is not after the last one, its transactions
   * or events are out of order, it is final but follows a slot that is not, or the number of slots
   * that are not final would exceed `undoSlotsMax`.
   */
  apply(facts: SlotFacts, options: ApplyOptions = { isFinal: true }): SlotChanges {
    assertInOrder(facts, this.lastSlot);
    this.undoSlots.assertFolds(facts.slot, options.isFinal);
    const { state, owners } = this;
    const fold = (parts: SlotParts) => foldSlot({ state, owners, ...parts }, facts);
    const changes = this.undoSlots.applying(facts.slot, options, fold);
    // After the slot's record: what is settled within one is taken back with it.
    this.pages.advance();
    this.pages.trim(TRIMMED_MAX);
    return changes;
  }

  /**
   * Reverts the newest slot and restores the exact state before it was applied: the records named
   * in the result of `apply` have their earlier values, and no others change. Throws RangeError
   * when the newest slot is final.
   */
  undo(): void {
    const { lastSlot } = this;
    const checkpointSlot = this.#checkpointSlot;
    if (lastSlot !== null && checkpointSlot !== null && lastSlot <= checkpointSlot) {
      this.#checkpointSlot = UNDONE;
    }
    this.undoSlots.undo();
  }

  /** Makes every slot up to `slot` final. */
  forget(slot: Slot): void {
    this.undoSlots.forget(slot);
  }

  /** Number of slots that can be undone. */
  get undoableSlots(): number {
    return this.undoSlots.count;
  }

  /** The last slot applied, null before the first. */
  get lastSlot(): Slot | null {
    return this.state.progress.last?.slot ?? null;
  }

  /** The first slot applied, null before it. */
  get firstSlot(): Slot | null {
    return this.state.progress.first;
  }

  /**
   * Hash of the last slot's block; null before the first and when the record does not include it.
   */
  get lastBlockhash(): string | null {
    return this.state.progress.last?.blockhash ?? null;
  }

  /** Logical time of the last slot in milliseconds, 0 before the first block time. */
  get timeMs(): number {
    return this.state.clock.timeMs;
  }

  /** Current price of SOL in USD; null while it is unknown. */
  get solUsd(): PriceE18 | null {
    return this.state.books.solPrices.usdPerQuote(WRAPPED_SOL);
  }

  /** True while every slot was a whole block that follows the previously applied one. */
  get isComplete(): boolean {
    return this.state.counters.unlinkedSlots === 0;
  }

  token(mint: Address): TokenRecord | null {
    const state = this.state.books.tokens.get(mint);
    return state === undefined ? null : toTokenRecord(this.state.books, state);
  }

  pool(pool: Address): PoolRecord | null {
    const state = this.state.books.pools.get(pool);
    return state === undefined ? null : toPoolRecord(this.state, state, this.timeMs);
  }

  /**
   * A candle of 30 seconds of a pool or mint that can still change, flat at the last close without a
   * price of its own; null for any other, and before the first price.
   */
  candle(scope: Address, openTimeMs: number): Candle | null {
    return this.state.books.candles.findShown(scope, openTimeMs);
  }

  /** The mint of a pool's LP tokens; null for a pool without, or if the history does not show it. */
  lpMintOf(pool: Address): Address | null {
    return this.state.books.locks.lpMintOf(pool);
  }

  /** Rows of the current state, by key. Valid until the next slot. */
  stateRows(): StateRows {
    return new StateRows(this.state);
  }

  /** How much of a pool's liquidity is locked now; null where that is not known. */
  lockedLiquidity(pool: Address): LockedLiquidity | null {
    return lockedLiquidity(this.state.books, pool, this.state.clock.timeMs);
  }

  /** The amount of a mint kept by locker programs, as far as the indexed history shows it. */
  lockedSupply(mint: Address): RawAmount {
    return this.state.books.locks.lockedInLockers(mint);
  }

  /** The largest owners of a mint, pools and burn addresses included, largest first. */
  topHolders(mint: Address, limit: number): HolderBalance[] {
    return this.state.books.holders.top(mint, limit, this.supplyOf(mint));
  }

  /** Owners of a mint that are neither pools nor burn addresses nor dust. */
  holderCount(mint: Address): number {
    return this.state.books.holders.count(mint, this.supplyOf(mint));
  }

  /** A page of the holders of a mint, each with its kind, and the total count. */
  holderPage(query: HolderPageQuery): HolderPage {
    const { books, walletBooks } = this.state;
    return holderPageOf(books, walletBooks, query, standingsIn(books, walletBooks, query.mint));
  }

  /**
   * The parts of the state, each with the sum of the hashes of its contents: equal for engines that
   * applied the same slots, whatever is in memory and whatever was undone.
   */
  parts(): readonly StatePart[] {
    return statePartsOf(this.pages);
  }

  /** SHA-256 over the parts. Costs what changed since the last call. */
  digest(): string {
    return digestOfParts(this.parts());
  }

  /** The current indicators of a pool; null for an unknown pool. */
  indicators(pool: Address): IndicatorRecord | null {
    const state = this.state.books.pools.get(pool);
    const { last } = this.state.progress;
    if (state === undefined || last === null) return null;
    const time = { slot: last.slot, timeMs: this.timeMs === 0 ? null : this.timeMs };
    return indicatorsOf(this.state.books, this.state.walletBooks, state, time);
  }

  /** The data that detectors read about a mint; null for a mint without stored trades. */
  mintCase(mint: Address): MintCase | null {
    const { last } = this.state.progress;
    if (last === null) return null;
    return readCase({ ...this.state, slot: last.slot, timeMs: this.timeMs }, mint);
  }

  /** The record of a wallet; null for an address that never held, traded or moved anything. */
  wallet(address: Address): WalletRecord | null {
    return walletRecordOf(this.state.books, this.state.walletBooks, address);
  }

  /** Lists about wallets and the wallets of a mint, as of the last slot. */
  get walletReads(): WalletReads {
    return new WalletReads(this.state);
  }

  /** Counts of what was processed since the first slot. */
  get counters(): Readonly<EngineCounters> {
    return this.state.counters;
  }

  /** Counts of cases inspected, findings that can still change and mints under watch. */
  get fraudWatch(): FraudWatchStatus {
    return this.state.fraud.status;
  }

  /** Whether a review of a finding as false or archived was applied. */
  isFindingRefused(id: string): boolean {
    return this.state.fraud.isRefused(id);
  }

  /** The rules that are judged, as they were published. */
  publishedRules(): readonly PublishedRule[] {
    return this.state.rules.published();
  }

  /** Records that contradict earlier ones: signs of missing history, never published as data. */
  get contradictions(): Contradictions {
    return contradictionsOf(this.state.books);
  }

  /** Size of the state, in memory or not. */
  get stateSize(): StateSize {
    return stateSizeOf(this.state);
  }

  private supplyOf(mint: Address): bigint | null {
    return this.state.books.tokens.get(mint)?.supplyRaw ?? null;
  }
}
