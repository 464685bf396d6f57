import type { AddressIds } from '../../lib/address-ids.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { RowTable } from '../../lib/row-table.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { WordList } from '../../lib/word-list.ts';
import type { Address, PriceE18, UsdNano } from '../../model/units.ts';
import type { WalletClass } from '../../model/wallet-record.ts';
import { holdTermOf } from './hold-time.ts';
import { addToCount, POOL_LAYOUT, type PoolWallets, poolWalletsOf } from './pool-row.ts';
import { PoolRows, type TradedPool } from './pool-rows.ts';
import {
  countHold,
  countStanding,
  isOrganicRow,
  type PoolTables,
  type Standing,
  standingOf,
} from './pool-standing.ts';
import { countTrade, type PoolTrade } from './pool-trade.ts';
import { type PoolWallet, poolWalletOf } from './pool-wallet.ts';
import { FLAG, POOL_WALLET_LAYOUT, setFlag } from './pool-wallet-row.ts';
import { hasTerms, setHoldTerm, setProfitTerms } from './position-terms.ts';
import type { PositionView } from './position-view.ts';
import { type ProfitTerms, profitTermsOf } from './profit.ts';
import { placeOf } from './profit-level.ts';
import { ProfitOrder, type ProfitOrderBounds } from './profit-order.ts';
import type { ProfitSums } from './profit-sums.ts';
import { countSettledVolume } from './settled-volume.ts';

const { baseDecimals, wallets, firstRow, programTraders } = POOL_LAYOUT.fields;

/** A changed class of a wallet is applied to this many of its most recent pools. */
const RECLASSED_POOLS_MAX = 64;
/** Profits of pools with at most this many wallets are read from a list. */
const LISTED_WALLETS_MAX = 512;
/**
 * So many traders of a pool lie in pages with those of other pools, later ones in pages of their own
 * (decision 0128): most pools have few, and a page that is mostly empty costs memory and disk.
 */
const SCATTERED_WALLETS_MAX = 8;

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
 * The traders of each pool, with the data that the indicators need (METHODS §2.2 to §2.4): a row of
 * 96 bytes per pool and trader, and one of
 * 128 bytes with sums per pool. A change of a row subtracts its old contribution from the pool's sums
 * and adds the new one. All values are integers, so the sums always equal a
 * recomputation from the rows.
 */
export class PoolWalletBook {
  private readonly pools: PoolRows;
  private readonly tables: PoolTables;
  /** Keys: pool row and wallet. */
  private readonly index: PairIndex;
  /**
   * Pairs of pool row and trader without a row of their own: the trader is the account of a program, which counts
   * as a trader of the pool and in no indicator. The same account can be a wallet in another
   * transaction, if it signs there; the pair then moves to a row.
   */
  private readonly programTraders: PairIndex;
  /** By wallet: row of its most recent pool plus one. */
  private readonly newest: WordList;
  /** Keys: 0 and the address id of a pool traded since the last `takeTradedPools`. */
  private readonly traded: PairIndex;
  private readonly ids: AddressIds<Address>;
  // Derived from the rows, therefore not part of the state.
  readonly #order: ProfitOrder;

  /** `ids` writes to the same `undo`; others may use it too. */
  constructor(
    ids: AddressIds<Address>,
    undo = new UndoLog(),
    bounds: ProfitOrderBounds = { listedMax: LISTED_WALLETS_MAX },
  ) {
    this.ids = ids;
    this.pools = new PoolRows(ids, undo);
    this.tables = {
      pools: this.pools.table,
      rows: new RowTable(POOL_WALLET_LAYOUT, undo, 'traders by pool'),
    };
    this.index = new PairIndex(undo, 'traders of pools by pool and wallet');
    this.programTraders = new PairIndex(undo, 'program traders of pools');
    this.newest = new WordList(undo, 'newest pools of wallets');
    this.traded = new PairIndex(undo, 'pools traded in the minute');
    this.#order = new ProfitOrder(this.tables, undo, bounds);
  }

  /** Marks a pool as traded, also if the trader is not a wallet. */
  markTraded(pool: Address): void {
    const id = this.ids.idOf(pool);
    if (this.traded.get(0, id) === -1) this.traded.set(0, id, 0);
  }

  /** Applies a swap. Returns true if it is the trader's first one in the pool. */
  applyTrade(traded: TradedPool, trader: Address, trade: PoolTrade): boolean {
    this.markTraded(traded.pool);
    if (trade.isHop) return false;
    const { rows } = this.tables;
    const pool = this.pools.rowOf(traded);
    const wallet = this.ids.idOf(trader);
    const known = this.index.get(pool, wallet);
    const row = known === -1 ? this.openRow(pool, wallet) : known;
    const before = standingOf(rows, row);
    countTrade(rows, row, trade);
    this.recount(row, before);
    return known === -1;
  }

  /** Applies a verified swap of a trader that is not a wallet in its transaction. */
  applyProgramTrade(traded: TradedPool, trader: Address, isHop: boolean): void {
    this.markTraded(traded.pool);
    if (isHop) return;
    const pool = this.pools.rowOf(traded);
    const id = this.ids.idOf(trader);
    if (this.index.get(pool, id) !== -1 || this.programTraders.get(pool, id) !== -1) return;
    this.programTraders.set(pool, id, 0);
    addToCount(this.tables.pools, pool, 'programTraders', 1);
  }

  /**
   * Applies the changed position of a wallet in the base mint of a pool. Positions are per mint, so
   * call it for each pool of the mint. Ignored if the wallet has no trade in the pool.
   */
  positionChanged(poolAddress: Address, wallet: Address, position: PositionView): void {
    const { rows } = this.tables;
    const row = this.rowOf(poolAddress, wallet);
    if (row === -1) return;
    const hold = holdTermOf(position);
    const profit = profitTermsOf(position);
    if (hasTerms(rows, row, hold, profit)) return;
    if (isOrganicRow(rows, row)) countHold(this.tables, row, -1);
    setHoldTerm(rows, row, hold);
    if (isOrganicRow(rows, row)) countHold(this.tables, row, 1);
    this.setProfit(row, profit);
  }

  /**
   * Applies a changed class of a wallet to its 64 most recent pools. Older pools keep the previous
   * class until the wallet trades there again (METHODS §2.1).
   */
  setWalletClass(wallet: Address, isBot: boolean): void {
    const id = this.ids.find(wallet);
    let at = id === -1 ? 0 : this.newest.get(id);
    for (let seen = 0; at !== 0 && seen < RECLASSED_POOLS_MAX; seen++) {
      this.mark(at - 1, FLAG.bot, isBot);
      at = this.tables.rows.number(at - 1, nextOfWallet);
    }
  }

  /**
   * Counts the value of a trade by what its trader is now, at the end of the slot of the trade.
   * Ignored if the trader has no row in the pool.
   */
  settleTrade(
    pool: Address,
    trader: Address,
    value: { readonly valueUsd: UsdNano; readonly priceUsd: PriceE18 | null },
  ): void {
    const row = this.rowOf(pool, trader);
    if (row !== -1) countSettledVolume(this.tables, row, value);
  }

  /** Sets whether the wallet is a bot in all pools of the mint of this one. */
  setTokenBot(pool: Address, wallet: Address, isBot: boolean): void {
    const row = this.rowOf(pool, wallet);
    if (row !== -1) this.mark(row, FLAG.tokenBot, isBot);
  }

  /** Marks the wallet as the author of a sandwich leg in the pool. */
  markSandwich(pool: Address, wallet: Address): void {
    const row = this.rowOf(pool, wallet);
    if (row !== -1) this.mark(row, FLAG.sandwichLeg, true);
  }

  /** Pools with a swap since the last call, sorted by address. */
  takeTradedPools(): Address[] {
    const pools: number[] = [];
    this.traded.forEachOf(0, (id) => pools.push(id));
    for (const id of pools) this.traded.delete(0, id);
    return pools.map((id) => this.ids.addressOf(id)).sort();
  }

  /** Sums over a pool's traders; undefined for a pool without traders. */
  get(poolAddress: Address): PoolWallets | undefined {
    const pool = this.pools.find(poolAddress);
    return pool === -1 ? undefined : poolWalletsOf(this.tables.pools, pool);
  }

  /** As ProfitOrder.profits; zeros for a pool without traders. */
  profits(poolAddress: Address, priceUsd: PriceE18 | null): ProfitSums | null {
    const pool = this.pools.find(poolAddress);
    if (pool === -1) return { organicWallets: 0, volumeUsd: 0n };
    return this.#order.profits(pool, priceUsd);
  }

  /** The activity of a wallet in a pool; null if it has no swap there. */
  find(pool: Address, wallet: Address): PoolWallet | null {
    const row = this.rowOf(pool, wallet);
    return row === -1 ? null : poolWalletOf(this.tables.rows, row, wallet);
  }

  /**
   * Whether a wallet, given by its number, made no atomic round trips in a pool and was no leg of a
   * sandwich there; true for -1.
   */
  hasNoRoundTrips(poolAddress: Address, wallet: number): boolean {
    const row = this.rowOfId(poolAddress, wallet);
    const { rows } = this.tables;
    return row === -1 || (rows.number(row, flags) & (FLAG.volumeAtomic | FLAG.sandwichLeg)) === 0;
  }

  /** The class of a wallet in a pool; null if it has no swap there. */
  classOf(pool: Address, wallet: Address): WalletClass | null {
    const row = this.rowOf(pool, wallet);
    if (row === -1) return null;
    return isOrganicRow(this.tables.rows, row) ? 'organic' : 'bot';
  }

  /** Addresses of the pools in which a wallet trades, most recent pool first. */
  *poolsOf(wallet: Address): Generator<Address> {
    const id = this.ids.find(wallet);
    let at = id === -1 ? 0 : this.newest.get(id);
    while (at !== 0) {
      yield this.pools.addressOf(this.tables.rows.number(at - 1, poolField));
      at = this.tables.rows.number(at - 1, nextOfWallet);
    }
  }

  /** Distinct traders of a pool, wallets or not. */
  traderCountOf(poolAddress: Address): number {
    const pool = this.pools.find(poolAddress);
    if (pool === -1) return 0;
    const { pools } = this.tables;
    return pools.number(pool, wallets) + pools.number(pool, programTraders);
  }

  /** Distinct traders, wallets or not, summed over pools. */
  get traderCount(): number {
    return this.tables.rows.size + this.programTraders.size;
  }

  /** The row of a wallet in a pool, -1 if it has no swap there. */
  private rowOf(poolAddress: Address, wallet: Address): number {
    return this.rowOfId(poolAddress, this.ids.find(wallet));
  }

  private rowOfId(poolAddress: Address, wallet: number): number {
    const pool = wallet === -1 ? -1 : this.pools.find(poolAddress);
    return pool === -1 ? -1 : this.index.get(pool, wallet);
  }

  private openRow(pool: number, wallet: number): number {
    const { pools, rows } = this.tables;
    const row = this.addRow(pool);
    rows.setNumber(row, poolField, pool);
    rows.setNumber(row, walletField, wallet);
    rows.setNumber(row, ordinal, pools.number(pool, wallets));
    rows.setNumber(row, nextInPool, pools.number(pool, firstRow));
    rows.setNumber(row, nextOfWallet, this.newest.get(wallet));
    this.index.set(pool, wallet, row);
    this.newest.set(wallet, row + 1);
    if (this.programTraders.get(pool, wallet) !== -1) {
      this.programTraders.delete(pool, wallet);
      addToCount(pools, pool, 'programTraders', -1);
    }
    addToCount(pools, pool, 'wallets', 1);
    pools.setNumber(pool, firstRow, row + 1);
    this.#order.grew(pool);
    return row;
  }

  /** All rows of a pool are read after a start, and when its order was dropped. */
  private addRow(pool: number): number {
    const { pools, rows } = this.tables;
    const known = pools.number(pool, wallets);
    if (known < SCATTERED_WALLETS_MAX) return rows.add();
    const isFirst = known === SCATTERED_WALLETS_MAX;
    return rows.addToGroup(isFirst ? -1 : pools.number(pool, firstRow) - 1);
  }

  private mark(row: number, flag: number, isSet: boolean): void {
    const { rows } = this.tables;
    if (((rows.number(row, flags) & flag) !== 0) === isSet) return;
    const before = standingOf(rows, row);
    setFlag(rows, row, flag, isSet);
    this.recount(row, before);
  }

  private setProfit(row: number, profit: ProfitTerms | null): void {
    const { pools, rows } = this.tables;
    const pool = rows.number(row, poolField);
    const from = rows.number(row, place);
    const to = placeOf(profit, pools.number(pool, baseDecimals));
    setProfitTerms(rows, row, profit);
    if (from === to) return;
    rows.setNumber(row, place, to);
    this.#order.move(pool, row, from, to);
  }

  /** Updates the pool's sums after a row changed. */
  private recount(row: number, before: Standing): void {
    const { rows } = this.tables;
    const after = standingOf(rows, row);
    countStanding(this.tables, row, { before, after });
    this.#order.recount(
      rows.number(row, poolField),
      rows.number(row, place),
      after.organic - before.organic,
      after.volumeUsd - before.volumeUsd,
    );
  }
}
