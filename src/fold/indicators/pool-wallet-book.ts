import type { AddressIds } from '../../lib/address-ids.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { RowTable } from '../../lib/row-table.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { WordList } from '../../lib/word-list.ts';
import type { Address, PriceE18, Slot, UsdNano } from '../../model/units.ts';
import { type HoldTerm, holdTermOf } from './hold-time.ts';
import {
  FLAG,
  isOrganic,
  POOL_WALLET_LAYOUT,
  type PoolWalletRows,
  transactionNumber,
} from './pool-wallet-row.ts';
import { newPoolWallets, type PoolWallets } from './pool-wallets.ts';
import type { PositionView } from './position-view.ts';
import { type ProfitTerms, profitTermsOf } from './profit.ts';
import { ProfitOrder, rowsOfPool } from './profit-order.ts';
import { placeOf } from './profit-place.ts';
import type { ProfitSums } from './profit-tree.ts';
import { meanGapNs } from './trade-frequency.ts';

/** A pool as its trades tell it. */
export interface TradedPool {
  readonly pool: Address;
  readonly baseDecimals: number;
}

/** One believed swap of a trader. */
export interface PoolTrade {
  readonly slot: Slot;
  readonly txIndex: number;
  /** Logical time, null where it is unknown: such a trade has no part in times. */
  readonly timeMs: number | null;
  /** The quote that the pool moved, in dollars; null while its price is unknown. */
  readonly volumeUsd: UsdNano | null;
  /** The token only passed through: the swap makes nobody a trader of the pool. */
  readonly isHop: boolean;
  /** The trader bought and sold the same amount in this pool within the transaction. */
  readonly isVolumeAtomic: boolean;
  /** The trader is a bot wherever it trades, as far as is known now. */
  readonly isBot: boolean;
}

/** What a row adds to its pool's sums by its trades. */
interface Standing {
  /** 1 or 0. */
  readonly organic: number;
  readonly volumeUsd: bigint;
  /** Null for one that is not organic, or traded less than twice. */
  readonly gapNs: bigint | null;
}

/** What one wallet did in one pool. */
export interface PoolWallet {
  readonly wallet: Address;
  readonly isOrganic: boolean;
  readonly volumeUsd: UsdNano;
  readonly timedTrades: number;
  /** Null without a trade of known time. */
  readonly firstTradeMs: number | null;
  readonly lastTradeMs: number | null;
  readonly isVolumeAtomic: boolean;
  readonly isSandwichLeg: boolean;
}

/** A bot that is exposed is one in this many of its pools, those that it came to last. */
const RECLASSED_POOLS_MAX = 64;
/** Pools with no more wallets are looked through for profits: that takes a tenth of a millisecond. */
const LISTED_WALLETS_MAX = 512;

const {
  volumeUsd,
  firstMs,
  lastMs,
  lastTransaction,
  holdConstantNs,
  holdSlopeE15,
  needUsd,
  heldRaw,
  place,
  pool: poolField,
  wallet: walletField,
  timedTrades,
  ordinal,
  nextInPool,
  nextOfWallet,
  flags,
} = POOL_WALLET_LAYOUT.fields;

/**
 * Who trades in which pool, and what the indicators need to know of it (METHODS §2.2 to §2.4): a row
 * of 96 bytes for each pool and trader, sums for each pool. A change of a row takes its old part out
 * of the pool's sums and puts the new one in, all in whole units, so that sums are what they would be
 * if they were made anew.
 */
export class PoolWalletBook {
  private readonly pools = new Map<Address, PoolWallets>();
  private readonly rows: PoolWalletRows;
  private readonly index: PairIndex;
  /** By wallet: one more than the row of the pool that it came to last. */
  private readonly newest: WordList;
  private traded = new Set<Address>();
  private readonly ids: AddressIds<Address>;
  private readonly undo: UndoLog;
  // Made of the rows: no part of the state.
  readonly #order: ProfitOrder;

  /** `ids` writes to the same `undo`; others may use it too. */
  constructor(ids: AddressIds<Address>, undo = new UndoLog(), listedMax = LISTED_WALLETS_MAX) {
    this.ids = ids;
    this.undo = undo;
    this.rows = new RowTable(POOL_WALLET_LAYOUT, undo);
    this.index = new PairIndex(undo);
    this.newest = new WordList(undo);
    this.#order = new ProfitOrder(undo, listedMax);
  }

  /** Names a pool as traded, also by somebody who is no wallet. */
  noteTraded(pool: Address): void {
    if (this.traded.has(pool)) return;
    this.undo.set(this.traded, pool);
    this.traded.add(pool);
  }

  applyTrade(traded: TradedPool, trader: Address, trade: PoolTrade): void {
    this.noteTraded(traded.pool);
    if (trade.isHop) return;
    const pool = this.pools.get(traded.pool) ?? this.openPool(traded);
    const wallet = this.ids.idOf(trader);
    const known = this.index.get(pool.id, wallet);
    this.keep(pool);
    const row = known === -1 ? this.openRow(pool, wallet) : known;
    const before = this.standingOf(row);
    this.addVolume(row, trade.volumeUsd);
    this.addTime(row, trade);
    this.setFlag(row, FLAG.bot, trade.isBot);
    if (trade.isVolumeAtomic) this.setFlag(row, FLAG.volumeAtomic, true);
    this.recount(pool, row, before);
  }

  /**
   * Takes what a wallet now holds of the base mint of a pool that it trades; for each pool of the
   * mint, since a position is of the mint. Does nothing where the wallet does not trade.
   */
  positionChanged(poolAddress: Address, wallet: Address, position: PositionView): void {
    const pool = this.pools.get(poolAddress);
    const row = this.rowOf(pool, wallet);
    if (pool === undefined || row === -1) return;
    const hold = holdTermOf(position);
    const profit = profitTermsOf(position);
    if (this.isPosition(row, hold, profit)) return;
    this.keep(pool);
    if (this.isOrganicRow(row)) this.countHold(pool, row, -1);
    this.setFlag(row, FLAG.hold, hold !== null);
    this.rows.setBigint(row, holdConstantNs, hold?.constantNs ?? 0n);
    this.rows.setBigint(row, holdSlopeE15, hold?.slopeE15 ?? 0n);
    if (this.isOrganicRow(row)) this.countHold(pool, row, 1);
    this.setProfit(pool, row, profit);
  }

  /**
   * The wallet turned out to be a bot, or none. Older pools than the 64 that it came to last keep it
   * as they counted it until it trades there again (METHODS §2.1).
   */
  setWalletClass(wallet: Address, isBot: boolean): void {
    const id = this.ids.find(wallet);
    let at = id === -1 ? 0 : this.newest.get(id);
    for (let seen = 0; at !== 0 && seen < RECLASSED_POOLS_MAX; seen++) {
      this.mark(at - 1, FLAG.bot, isBot);
      at = this.rows.number(at - 1, nextOfWallet);
    }
  }

  /** The wallet traded in the pool before and after somebody to whose cost it did. */
  markSandwich(pool: Address, wallet: Address): void {
    const row = this.rowOf(this.pools.get(pool), wallet);
    if (row !== -1) this.mark(row, FLAG.sandwichLeg, true);
  }

  /** Pools with a swap since the last call, by address. */
  takeTradedPools(): Address[] {
    const pools = [...this.traded].sort();
    this.undo.keep(this);
    this.traded = new Set();
    return pools;
  }

  /** Sums over a pool's traders; undefined for a pool that nobody traded. */
  get(pool: Address): Readonly<PoolWallets> | undefined {
    return this.pools.get(pool);
  }

  /** As ProfitOrder.profits; nobody and nothing for a pool that nobody traded. */
  profits(poolAddress: Address, priceUsd: PriceE18 | null): ProfitSums | null {
    const pool = this.pools.get(poolAddress);
    if (pool === undefined) return { organicWallets: 0, volumeUsd: 0n };
    return this.#order.profits(pool, this.rows, priceUsd);
  }

  /** What a wallet did in a pool; null when it has no swap of its own there. */
  find(pool: Address, wallet: Address): PoolWallet | null {
    const row = this.rowOf(this.pools.get(pool), wallet);
    return row === -1 ? null : this.present(row);
  }

  /** Addresses of the pools in which a wallet trades, the one it came to last first. */
  *poolsOf(wallet: Address): Generator<Address> {
    const id = this.ids.find(wallet);
    let at = id === -1 ? 0 : this.newest.get(id);
    while (at !== 0) {
      yield this.ids.addressOf(this.rows.number(at - 1, poolField));
      at = this.rows.number(at - 1, nextOfWallet);
    }
  }

  /** Pairs of a pool and a trader. */
  get size(): number {
    return this.rows.size;
  }

  /** Pools with a trader. */
  get poolCount(): number {
    return this.pools.size;
  }

  /** Every trader by pool and wallet, then the pools that traded since they were last taken. */
  *digestRows(): Iterable<string> {
    for (const address of [...this.pools.keys()].sort()) {
      const pool = this.pools.get(address);
      if (pool === undefined) continue;
      const { wallets, organicWallets, holdWallets, gapWallets } = pool;
      const { organicVolumeUsd, holdConstantNs: constant, holdSlopeE15: slope, gapNs } = pool;
      yield `pool wallets ${address} ${wallets} ${organicWallets} ${organicVolumeUsd} ${holdWallets} ${constant} ${slope} ${gapWallets} ${gapNs}`;
      yield* [...rowsOfPool(pool, this.rows)].map((row) => this.digestRow(row)).sort();
    }
    yield `pools traded ${[...this.traded].sort().join(' ')}`;
  }

  private digestRow(row: number): string {
    const bigints = [volumeUsd, holdConstantNs, holdSlopeE15, needUsd, heldRaw] as const;
    const numbers = [firstMs, lastMs, lastTransaction, timedTrades, flags] as const;
    const values = [
      ...bigints.map((field) => this.rows.bigint(row, field)),
      ...numbers.map((field) => this.rows.number(row, field)),
    ];
    return `${this.ids.addressOf(this.rows.number(row, walletField))} ${values.join(' ')}`;
  }

  private present(row: number): PoolWallet {
    const bits = this.rows.number(row, flags);
    const volume = this.rows.bigint(row, volumeUsd);
    const trades = this.rows.number(row, timedTrades);
    return {
      wallet: this.ids.addressOf(this.rows.number(row, walletField)),
      isOrganic: isOrganic(bits, volume),
      volumeUsd: volume as UsdNano,
      timedTrades: trades,
      firstTradeMs: trades === 0 ? null : this.rows.number(row, firstMs),
      lastTradeMs: trades === 0 ? null : this.rows.number(row, lastMs),
      isVolumeAtomic: (bits & FLAG.volumeAtomic) !== 0,
      isSandwichLeg: (bits & FLAG.sandwichLeg) !== 0,
    };
  }

  private keep(pool: PoolWallets): void {
    if (this.undo.isFirst(pool)) this.undo.fields(pool, { ...pool });
  }

  private rowOf(pool: PoolWallets | undefined, wallet: Address): number {
    const id = this.ids.find(wallet);
    return pool === undefined || id === -1 ? -1 : this.index.get(pool.id, id);
  }

  private openPool({ pool: address, baseDecimals }: TradedPool): PoolWallets {
    const pool = newPoolWallets(address, this.ids.idOf(address), baseDecimals);
    this.undo.map(this.pools, address);
    this.pools.set(address, pool);
    return pool;
  }

  private openRow(pool: PoolWallets, wallet: number): number {
    const { rows } = this;
    const row = rows.add();
    rows.setNumber(row, poolField, pool.id);
    rows.setNumber(row, walletField, wallet);
    rows.setNumber(row, ordinal, pool.wallets);
    rows.setNumber(row, nextInPool, pool.firstRow);
    rows.setNumber(row, nextOfWallet, this.newest.get(wallet));
    this.index.set(pool.id, wallet, row);
    this.newest.set(wallet, row + 1);
    pool.wallets++;
    pool.firstRow = row + 1;
    this.#order.grew(pool);
    return row;
  }

  private addVolume(row: number, valueUsd: UsdNano | null): void {
    const sum = valueUsd === null ? null : this.rows.bigint(row, volumeUsd) + valueUsd;
    // Nine billion dollars of one wallet in one pool: what is beyond is not counted, and not denied.
    if (sum === null || BigInt.asIntN(64, sum) !== sum) this.setFlag(row, FLAG.unpriced, true);
    else this.rows.setBigint(row, volumeUsd, sum);
  }

  /** Swaps of one transaction are one trade. */
  private addTime(row: number, { slot, txIndex, timeMs }: PoolTrade): void {
    const transaction = transactionNumber(slot, txIndex);
    if (timeMs === null || this.rows.number(row, lastTransaction) === transaction) return;
    const trades = this.rows.number(row, timedTrades);
    if (trades === 0) this.rows.setNumber(row, firstMs, timeMs);
    this.rows.setNumber(row, lastMs, timeMs);
    this.rows.setNumber(row, lastTransaction, transaction);
    this.rows.setNumber(row, timedTrades, trades + 1);
  }

  private mark(row: number, flag: number, isSet: boolean): void {
    if (((this.rows.number(row, flags) & flag) !== 0) === isSet) return;
    const pool = this.pools.get(this.ids.addressOf(this.rows.number(row, poolField)));
    if (pool === undefined) return;
    this.keep(pool);
    const before = this.standingOf(row);
    this.setFlag(row, flag, isSet);
    this.recount(pool, row, before);
  }

  private setFlag(row: number, flag: number, isSet: boolean): void {
    const bits = this.rows.number(row, flags);
    const next = isSet ? bits | flag : bits & ~flag;
    if (next !== bits) this.rows.setNumber(row, flags, next);
  }

  private isPosition(row: number, hold: HoldTerm | null, profit: ProfitTerms | null): boolean {
    const { rows } = this;
    const bits = rows.number(row, flags);
    return (
      ((bits & FLAG.hold) !== 0) === (hold !== null) &&
      ((bits & FLAG.knownBuy) !== 0) === (profit !== null) &&
      rows.bigint(row, holdConstantNs) === (hold?.constantNs ?? 0n) &&
      rows.bigint(row, holdSlopeE15) === (hold?.slopeE15 ?? 0n) &&
      rows.bigint(row, needUsd) === (profit?.needUsd ?? 0n) &&
      rows.bigint(row, heldRaw) === (profit?.heldRaw ?? 0n)
    );
  }

  private setProfit(pool: PoolWallets, row: number, profit: ProfitTerms | null): void {
    const { rows } = this;
    const from = rows.number(row, place);
    const to = placeOf(profit, pool.baseDecimals);
    this.setFlag(row, FLAG.knownBuy, profit !== null);
    rows.setBigint(row, needUsd, profit?.needUsd ?? 0n);
    rows.setBigint(row, heldRaw, profit?.heldRaw ?? 0n);
    if (from === to) return;
    rows.setNumber(row, place, to);
    this.#order.move(pool, rows, row, from, to);
  }

  private isOrganicRow(row: number): boolean {
    return isOrganic(this.rows.number(row, flags), this.rows.bigint(row, volumeUsd));
  }

  private standingOf(row: number): Standing {
    const { rows } = this;
    const volume = rows.bigint(row, volumeUsd);
    if (!isOrganic(rows.number(row, flags), volume)) {
      return { organic: 0, volumeUsd: volume, gapNs: null };
    }
    const trades = rows.number(row, timedTrades);
    const gapNs = meanGapNs(trades, rows.number(row, firstMs), rows.number(row, lastMs));
    return { organic: 1, volumeUsd: volume, gapNs };
  }

  /** Brings the pool's sums from what a row was to what it is. */
  private recount(pool: PoolWallets, row: number, before: Standing): void {
    const after = this.standingOf(row);
    const organic = after.organic - before.organic;
    const volume = after.volumeUsd - before.volumeUsd;
    if (organic === 0) {
      if (after.organic === 1) pool.organicVolumeUsd += volume;
    } else {
      pool.organicWallets += organic;
      pool.organicVolumeUsd += after.organic === 1 ? after.volumeUsd : -before.volumeUsd;
      this.countHold(pool, row, after.organic === 1 ? 1 : -1);
    }
    if (after.gapNs !== before.gapNs) {
      pool.gapWallets += (after.gapNs === null ? 0 : 1) - (before.gapNs === null ? 0 : 1);
      pool.gapNs += (after.gapNs ?? 0n) - (before.gapNs ?? 0n);
    }
    this.#order.recount(pool, this.rows.number(row, place), organic, volume);
  }

  private countHold(pool: PoolWallets, row: number, times: 1 | -1): void {
    const { rows } = this;
    if ((rows.number(row, flags) & FLAG.hold) === 0) return;
    const constantNs = rows.bigint(row, holdConstantNs);
    const slopeE15 = rows.bigint(row, holdSlopeE15);
    pool.holdWallets += times;
    pool.holdConstantNs += times === 1 ? constantNs : -constantNs;
    pool.holdSlopeE15 += times === 1 ? slopeE15 : -slopeE15;
  }
}
