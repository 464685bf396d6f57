import { RecentMap } from '../../lib/recent-map.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { UndoStep } from '../../lib/undo-steps.ts';
import { PRICE_SCALE, type PriceE18 } from '../../model/units.ts';
import { POOL_LAYOUT } from './pool-row.ts';
import type { PoolTables } from './pool-standing.ts';
import { isOrganic, POOL_WALLET_LAYOUT, type PoolWalletRows } from './pool-wallet-row.ts';
import { isProfitable, type PriceInUnits, priceInUnits } from './profit.ts';
import { bucketsNear } from './profit-buckets.ts';
import { NEVER } from './profit-level.ts';
import { ProfitList } from './profit-list.ts';
import type { ProfitSums } from './profit-sums.ts';
import { ProfitTree } from './profit-tree.ts';

const { wallets, firstRow, baseDecimals } = POOL_LAYOUT.fields;
const { place, nextInPool } = POOL_WALLET_LAYOUT.fields;

/**
 * Most pools with an order at a time: more than the 5,000 that trade within a minute of mainnet, the
 * time between two readings. With fewer than that, each would be dropped before it is read again.
 * A list takes some 30 bytes per wallet, a tree 15 and 6 KB per octave of prices in use.
 */
const ORDERS_MAX = 8_192;

/** The sizes of an order of profits. */
export interface ProfitOrderBounds {
  /** Pools with at most this many wallets have a list, others a tree. */
  readonly listedMax: number;
  /** Most pools with either at a time; that of the pool read longest ago is dropped. */
  readonly ordersMax?: number;
}

/** The wallets of a pool by the price above which each is profitable. */
type WalletOrder = ProfitList | ProfitTree;

/**
 * Counts the wallets of a pool that are profitable at a price (METHODS §2.3): the number of organic
 * ones, and the volume of all. The result is exact: the order only tells which wallets need no
 * individual comparison. Pools are named by their row.
 *
 * An order is built from the rows at the first reading and then updated, so that a pool which is
 * traded for long is not read again and again; it is not part of the state. Undoing a change also
 * undoes it in the order, and drops an order that was built after the change.
 */
export class ProfitOrder {
  private readonly orders: Orders;
  private readonly tables: PoolTables;
  private readonly undo: UndoLog;
  private readonly listedMax: number;

  constructor(
    tables: PoolTables,
    undo: UndoLog,
    { listedMax, ordersMax = ORDERS_MAX }: ProfitOrderBounds,
  ) {
    this.tables = tables;
    this.undo = undo;
    this.listedMax = listedMax;
    this.orders = new RecentMap(ordersMax);
  }

  /** Call after a wallet was added to the pool. */
  grew(pool: number): void {
    if (this.walletsOf(pool) !== this.listedMax + 1) return;
    // From here on it has a tree, before a list.
    this.orders.delete(pool);
    this.undo.step(NO_ORDER, this.orders, pool);
  }

  /** Changes what a wallet at `level` contributes to the sums. */
  recount(pool: number, level: number, organic: number, volumeUsd: bigint): void {
    if (level === NEVER || (organic === 0 && volumeUsd === 0n)) return;
    const order = this.orders.peek(pool);
    order?.shift(level, organic, volumeUsd);
    this.note(pool, order, {
      revert: (same) => same.shift(level, -organic, -volumeUsd),
      repeat: (same) => same.shift(level, organic, volumeUsd),
    });
  }

  /** Moves a wallet to another level. Its row must be up to date except for the level. */
  move(pool: number, row: number, from: number, to: number): void {
    if (from === to) return;
    const order = this.orders.peek(pool);
    const member = memberOf(this.tables.rows, row);
    if (order !== undefined) relocate(order, member, from, to);
    this.note(pool, order, {
      revert: (same) => relocate(same, member, to, from),
      repeat: (same) => relocate(same, member, from, to),
    });
  }

  /**
   * The number of organic profitable wallets, and the volume of all profitable ones. Null if the
   * price is unknown and the result depends on it.
   */
  profits(pool: number, priceUsd: PriceE18 | null): ProfitSums | null {
    const { pools, rows } = this.tables;
    const order = this.orders.get(pool) ?? this.build(pool);
    if (priceUsd === null) return order.size === 0 ? order.always() : null;
    const cut = cutOf(priceUsd, pools.number(pool, baseDecimals));
    const sums = order.below(cut.first);
    for (let bucket = cut.first; bucket <= cut.last; bucket++) {
      for (const row of order.rowsIn(bucket)) {
        if (isAhead(cut, rows, row)) addRow(sums, rows, row);
      }
    }
    return sums;
  }

  private build(pool: number): WalletOrder {
    const { rows } = this.tables;
    const order = this.walletsOf(pool) > this.listedMax ? new ProfitTree() : new ProfitList();
    for (const row of rowsOfPool(this.tables, pool)) {
      relocate(order, memberOf(rows, row), NEVER, rows.number(row, place));
    }
    this.orders.set(pool, order);
    return order;
  }

  private walletsOf(pool: number): number {
    return this.tables.pools.number(pool, wallets);
  }

  /** Records a change of the order of a pool; of a pool without one, that a later one is outdated. */
  private note(pool: number, order: WalletOrder | undefined, change: OrderChange): void {
    if (this.undo.isOpen) this.undo.step(ORDER_CHANGE, this.orders, pool, order, change);
  }
}

type Orders = RecentMap<number, WalletOrder>;

/** A change of an order, in both directions. */
interface OrderChange {
  revert(order: WalletOrder): void;
  repeat(order: WalletOrder): void;
}

/** A pool got too many wallets for a list. */
const NO_ORDER: UndoStep<[orders: Orders, pool: number]> = {
  revert: (orders, pool) => orders.delete(pool),
  repeater: (orders, pool) => () => orders.delete(pool),
};

/** The order of a pool, undefined for none, was changed. Any other one of it was built since. */
const ORDER_CHANGE: UndoStep<
  [orders: Orders, pool: number, order: WalletOrder | undefined, change: OrderChange]
> = {
  revert: (orders, pool, order, { revert }) => changeOnly(orders, pool, order, revert),
  repeater:
    (orders, pool, order, { repeat }) =>
    () =>
      changeOnly(orders, pool, order, repeat),
};

function changeOnly(
  orders: Orders,
  pool: number,
  order: WalletOrder | undefined,
  change: (order: WalletOrder) => void,
): void {
  if (orders.peek(pool) !== order) orders.delete(pool);
  else if (order !== undefined) change(order);
}

/** Rows of a pool's wallets, the newest wallet first. */
function* rowsOfPool({ pools, rows }: PoolTables, pool: number): Generator<number> {
  for (let at = pools.number(pool, firstRow); at !== 0; at = rows.number(at - 1, nextInPool)) {
    yield at - 1;
  }
}

/** A price, and the range of buckets in which each wallet must be compared with it individually. */
interface Cut {
  readonly price: PriceInUnits;
  readonly first: number;
  readonly last: number;
}

function cutOf(priceUsd: PriceE18, baseDecimals: number): Cut {
  const [first, last] = bucketsNear(Number(priceUsd) / 10 ** PRICE_SCALE);
  return { price: priceInUnits(priceUsd, baseDecimals), first, last };
}

/** Whether a wallet whose bucket may contain the price is profitable at it. */
function isAhead(cut: Cut, rows: PoolWalletRows, row: number): boolean {
  const { needUsd, heldRaw } = POOL_WALLET_LAYOUT.fields;
  const terms = { needUsd: rows.bigint(row, needUsd), heldRaw: rows.bigint(row, heldRaw) };
  return isProfitable(terms, cut.price);
}

function addRow(sums: ProfitSums, rows: PoolWalletRows, row: number): void {
  const { organic, volumeUsd } = memberOf(rows, row);
  sums.organicWallets += organic;
  sums.volumeUsd += volumeUsd;
}

/** The values of a wallet that an order needs. */
interface ProfitMember {
  readonly ordinal: number;
  readonly row: number;
  /** 1 or 0. */
  readonly organic: number;
  readonly volumeUsd: bigint;
}

function memberOf(rows: PoolWalletRows, row: number): ProfitMember {
  const { flags, volumeUsd, ordinal } = POOL_WALLET_LAYOUT.fields;
  const volume = rows.bigint(row, volumeUsd);
  const organic = isOrganic(rows.number(row, flags), volume) ? 1 : 0;
  return { ordinal: rows.number(row, ordinal), row, organic, volumeUsd: volume };
}

function relocate(order: WalletOrder, member: ProfitMember, from: number, to: number): void {
  const { ordinal, row, organic, volumeUsd } = member;
  order.unlink(from, ordinal);
  order.shift(from, -organic, -volumeUsd);
  order.shift(to, organic, volumeUsd);
  order.link(to, ordinal, row);
}
