import type { AddressIds } from '../../lib/address-ids.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { RowTable } from '../../lib/row-table.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { WordList } from '../../lib/word-list.ts';
import type { Address, PriceE18 } from '../../model/units.ts';
import { holdTermOf } from './hold-time.ts';
import { countHold, isOrganicRow, type Standing, standingOf } from './pool-standing.ts';
import { countTrade, type PoolTrade } from './pool-trade.ts';
import { type PoolWallet, poolWalletOf, poolWalletText } from './pool-wallet.ts';
import { FLAG, POOL_WALLET_LAYOUT, type PoolWalletRows, setFlag } from './pool-wallet-row.ts';
import { newPoolWallets, type PoolWallets } from './pool-wallets.ts';
import { hasTerms, setHoldTerm, setProfitTerms } from './position-terms.ts';
import type { PositionView } from './position-view.ts';
import { type ProfitTerms, profitTermsOf } from './profit.ts';
import { placeOf } from './profit-level.ts';
import { ProfitOrder, rowsOfPool } from './profit-order.ts';
import type { ProfitSums } from './profit-tree.ts';

/** A pool as its trades tell it. */
export interface TradedPool {
  readonly pool: Address;
  readonly baseDecimals: number;
}

/** A bot that is exposed is one in this many of its pools, those that it came to last. */
const RECLASSED_POOLS_MAX = 64;
/** Pools with no more wallets are looked through for profits: that takes a tenth of a millisecond. */
const LISTED_WALLETS_MAX = 512;

const {
  place,
  pool: poolField,
  wallet: walletField,
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
    const before = standingOf(this.rows, row);
    countTrade(this.rows, row, trade);
    this.recount(pool, row, before);
  }

  /**
   * Takes what a wallet now holds of the base mint of a pool that it trades; for each pool of the
   * mint, since a position is of the mint. Does nothing where the wallet does not trade.
   */
  positionChanged(poolAddress: Address, wallet: Address, position: PositionView): void {
    const { rows } = this;
    const pool = this.pools.get(poolAddress);
    const row = this.rowOf(pool, wallet);
    if (pool === undefined || row === -1) return;
    const hold = holdTermOf(position);
    const profit = profitTermsOf(position);
    if (hasTerms(rows, row, hold, profit)) return;
    this.keep(pool);
    if (isOrganicRow(rows, row)) countHold(pool, rows, row, -1);
    setHoldTerm(rows, row, hold);
    if (isOrganicRow(rows, row)) countHold(pool, rows, row, 1);
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
    return row === -1 ? null : poolWalletOf(this.rows, row, this.walletOf(row));
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
      yield* Array.from(rowsOfPool(pool, this.rows), (row) =>
        poolWalletText(this.rows, row, this.walletOf(row)),
      ).sort();
    }
    yield `pools traded ${[...this.traded].sort().join(' ')}`;
  }

  private keep(pool: PoolWallets): void {
    if (this.undo.isFirst(pool)) this.undo.fields(pool, { ...pool });
  }

  private rowOf(pool: PoolWallets | undefined, wallet: Address): number {
    const id = this.ids.find(wallet);
    return pool === undefined || id === -1 ? -1 : this.index.get(pool.id, id);
  }

  private walletOf(row: number): Address {
    return this.ids.addressOf(this.rows.number(row, walletField));
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

  private mark(row: number, flag: number, isSet: boolean): void {
    if (((this.rows.number(row, flags) & flag) !== 0) === isSet) return;
    const pool = this.pools.get(this.ids.addressOf(this.rows.number(row, poolField)));
    if (pool === undefined) return;
    this.keep(pool);
    const before = standingOf(this.rows, row);
    setFlag(this.rows, row, flag, isSet);
    this.recount(pool, row, before);
  }

  private setProfit(pool: PoolWallets, row: number, profit: ProfitTerms | null): void {
    const { rows } = this;
    const from = rows.number(row, place);
    const to = placeOf(profit, pool.baseDecimals);
    setProfitTerms(rows, row, profit);
    if (from === to) return;
    rows.setNumber(row, place, to);
    this.#order.move(pool, rows, row, from, to);
  }

  /** Brings the pool's sums from what a row was to what it is. */
  private recount(pool: PoolWallets, row: number, before: Standing): void {
    const { rows } = this;
    const after = standingOf(rows, row);
    const organic = after.organic - before.organic;
    const volume = after.volumeUsd - before.volumeUsd;
    if (organic === 0) {
      if (after.organic === 1) pool.organicVolumeUsd += volume;
    } else {
      pool.organicWallets += organic;
      pool.organicVolumeUsd += after.organic === 1 ? after.volumeUsd : -before.volumeUsd;
      countHold(pool, rows, row, after.organic === 1 ? 1 : -1);
    }
    if (after.gapNs !== before.gapNs) {
      pool.gapWallets += (after.gapNs === null ? 0 : 1) - (before.gapNs === null ? 0 : 1);
      pool.gapNs += (after.gapNs ?? 0n) - (before.gapNs ?? 0n);
    }
    this.#order.recount(pool, rows.number(row, place), organic, volume);
  }
}
