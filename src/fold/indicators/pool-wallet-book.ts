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

/** The pool of a trade. */
export interface TradedPool {
  readonly pool: Address;
  readonly baseDecimals: number;
}

/** A changed class of a wallet is applied to this many of its most recent pools. */
const RECLASSED_POOLS_MAX = 64;
/** Profits of pools with at most this many wallets are computed by iteration, in about 0.1 ms. */
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
 * The traders of each pool, with the data that the indicators need (METHODS §2.2 to §2.4): a row of
 * 96 bytes per pool and trader, and sums per pool. A change of a row subtracts its old contribution
 * from the pool's sums and adds the new one. All values are integers, so the sums always equal a
 * recomputation from the rows.
 */
export class PoolWalletBook {
  private readonly pools = new Map<Address, PoolWallets>();
  private readonly rows: PoolWalletRows;
  private readonly index: PairIndex;
  /**
   * Pairs of pool and trader without a row: the trader is the account of a program, which counts
   * as a trader of the pool and in no indicator. The same account can be a wallet in another
   * transaction, if it signs there; the pair then moves to a row.
   */
  private readonly programTraders: PairIndex;
  /** By wallet: row of its most recent pool plus one. */
  private readonly newest: WordList;
  private traded = new Set<Address>();
  private readonly ids: AddressIds<Address>;
  private readonly undo: UndoLog;
  // Derived from the rows, therefore not part of the state.
  readonly #order: ProfitOrder;

  /** `ids` writes to the same `undo`; others may use it too. */
  constructor(ids: AddressIds<Address>, undo = new UndoLog(), listedMax = LISTED_WALLETS_MAX) {
    this.ids = ids;
    this.undo = undo;
    this.rows = new RowTable(POOL_WALLET_LAYOUT, undo);
    this.index = new PairIndex(undo);
    this.programTraders = new PairIndex(undo);
    this.newest = new WordList(undo);
    this.#order = new ProfitOrder(undo, listedMax);
  }

  /** Marks a pool as traded, also if the trader is not a wallet. */
  markTraded(pool: Address): void {
    if (this.traded.has(pool)) return;
    this.undo.set(this.traded, pool);
    this.traded.add(pool);
  }

  applyTrade(traded: TradedPool, trader: Address, trade: PoolTrade): void {
    this.markTraded(traded.pool);
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

  /** Applies a verified swap of a trader that is not a wallet in its transaction. */
  applyProgramTrade(traded: TradedPool, trader: Address, isHop: boolean): void {
    this.markTraded(traded.pool);
    if (isHop) return;
    const pool = this.pools.get(traded.pool) ?? this.openPool(traded);
    const id = this.ids.idOf(trader);
    if (this.index.get(pool.id, id) !== -1 || this.programTraders.get(pool.id, id) !== -1) return;
    this.keep(pool);
    this.programTraders.set(pool.id, id, 0);
    pool.programTraders++;
  }

  /**
   * Applies the changed position of a wallet in the base mint of a pool. Positions are per mint, so
   * call it for each pool of the mint. Ignored if the wallet has no trade in the pool.
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
   * Applies a changed class of a wallet to its 64 most recent pools. Older pools keep the previous
   * class until the wallet trades there again (METHODS §2.1).
   */
  setWalletClass(wallet: Address, isBot: boolean): void {
    const id = this.ids.find(wallet);
    let at = id === -1 ? 0 : this.newest.get(id);
    for (let seen = 0; at !== 0 && seen < RECLASSED_POOLS_MAX; seen++) {
      this.mark(at - 1, FLAG.bot, isBot);
      at = this.rows.number(at - 1, nextOfWallet);
    }
  }

  /** Marks the wallet as the author of a sandwich leg in the pool. */
  markSandwich(pool: Address, wallet: Address): void {
    const row = this.rowOf(this.pools.get(pool), wallet);
    if (row !== -1) this.mark(row, FLAG.sandwichLeg, true);
  }

  /** Pools with a swap since the last call, sorted by address. */
  takeTradedPools(): Address[] {
    const pools = [...this.traded].sort();
    this.undo.keep(this);
    this.traded = new Set();
    return pools;
  }

  /** Sums over a pool's traders; undefined for a pool without traders. */
  get(pool: Address): Readonly<PoolWallets> | undefined {
    return this.pools.get(pool);
  }

  /** As ProfitOrder.profits; zeros for a pool without traders. */
  profits(poolAddress: Address, priceUsd: PriceE18 | null): ProfitSums | null {
    const pool = this.pools.get(poolAddress);
    if (pool === undefined) return { organicWallets: 0, volumeUsd: 0n };
    return this.#order.profits(pool, this.rows, priceUsd);
  }

  /** The activity of a wallet in a pool; null if it has no swap there. */
  find(pool: Address, wallet: Address): PoolWallet | null {
    const row = this.rowOf(this.pools.get(pool), wallet);
    return row === -1 ? null : poolWalletOf(this.rows, row, this.walletOf(row));
  }

  /** Addresses of the pools in which a wallet trades, most recent pool first. */
  *poolsOf(wallet: Address): Generator<Address> {
    const id = this.ids.find(wallet);
    let at = id === -1 ? 0 : this.newest.get(id);
    while (at !== 0) {
      yield this.ids.addressOf(this.rows.number(at - 1, poolField));
      at = this.rows.number(at - 1, nextOfWallet);
    }
  }

  /** Distinct traders of a pool, wallets or not. */
  traderCountOf(poolAddress: Address): number {
    const pool = this.pools.get(poolAddress);
    return pool === undefined ? 0 : pool.wallets + pool.programTraders;
  }

  /** Distinct traders, wallets or not, summed over pools. */
  get traderCount(): number {
    return this.rows.size + this.programTraders.size;
  }

  /**
   * Every trader by pool and wallet, then those that are not wallets, then the pools traded since
   * the last `takeTradedPools`.
   */
  *digestRows(): Iterable<string> {
    for (const address of [...this.pools.keys()].sort()) {
      const pool = this.pools.get(address);
      if (pool === undefined || pool.wallets === 0) continue;
      const { wallets, organicWallets, holdWallets, gapWallets } = pool;
      const { organicVolumeUsd, holdConstantNs: constant, holdSlopeE15: slope, gapNs } = pool;
      yield `pool wallets ${address} ${wallets} ${organicWallets} ${organicVolumeUsd} ${holdWallets} ${constant} ${slope} ${gapWallets} ${gapNs}`;
      yield* Array.from(rowsOfPool(pool, this.rows), (row) =>
        poolWalletText(this.rows, row, this.walletOf(row)),
      ).sort();
    }
    const others: string[] = [];
    for (const [pool, trader] of this.programTraders.entries()) {
      others.push(`program trader ${this.ids.addressOf(pool)} ${this.ids.addressOf(trader)}`);
    }
    yield* others.sort();
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
    if (this.programTraders.get(pool.id, wallet) !== -1) {
      this.programTraders.delete(pool.id, wallet);
      pool.programTraders--;
    }
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

  /** Updates the pool's sums after a row changed. */
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
