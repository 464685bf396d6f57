import type { UndoLog } from '../../lib/undo-log.ts';
import { PRICE_SCALE, type PriceE18 } from '../../model/units.ts';
import { isOrganic, POOL_WALLET_LAYOUT, type PoolWalletRows } from './pool-wallet-row.ts';
import type { PoolWallets } from './pool-wallets.ts';
import { isProfitable, type PriceInUnits, priceInUnits } from './profit.ts';
import { bucketsNear } from './profit-buckets.ts';
import { ALWAYS, bucketOfLevel, NEVER } from './profit-level.ts';
import { type ProfitSums, ProfitTree } from './profit-tree.ts';

/**
 * Counts the wallets of a pool that are profitable at a price (METHODS §2.3): the number of organic
 * ones, and the volume of all. The result is exact: the order only tells which wallets need no
 * individual comparison.
 *
 * A tree is built from the rows at the first reading and then updated; it is not part of the state.
 * Undoing a change also undoes it in the tree, and drops a tree that was built after the change.
 */
export class ProfitOrder {
  private readonly trees = new WeakMap<PoolWallets, ProfitTree>();
  private readonly undo: UndoLog;
  private readonly listedMax: number;

  /** Pools with no more than `listedMax` wallets have no tree. */
  constructor(undo: UndoLog, listedMax: number) {
    this.undo = undo;
    this.listedMax = listedMax;
  }

  /** Call after a wallet was added to the pool. */
  grew(pool: PoolWallets): void {
    // Before this wallet the pool had no tree, so undo must drop a tree that was built later.
    if (pool.wallets === this.listedMax + 1) this.undo.step(() => this.trees.delete(pool));
  }

  /** Changes what a wallet at `level` contributes to the sums. */
  recount(pool: PoolWallets, level: number, organic: number, volumeUsd: bigint): void {
    if (level === NEVER || (organic === 0 && volumeUsd === 0n)) return;
    const tree = this.trees.get(pool);
    tree?.shift(level, organic, volumeUsd);
    this.onUndo(pool, tree, (same) => same.shift(level, -organic, -volumeUsd));
  }

  /** Moves a wallet to another level. Its row must be up to date except for the level. */
  move(pool: PoolWallets, rows: PoolWalletRows, row: number, from: number, to: number): void {
    if (from === to) return;
    const tree = this.trees.get(pool);
    const member = memberOf(rows, row);
    if (tree !== undefined) relocate(tree, member, from, to);
    this.onUndo(pool, tree, (same) => relocate(same, member, to, from));
  }

  /**
   * The number of organic profitable wallets, and the volume of all profitable ones. Null if the
   * price is unknown and the result depends on it.
   */
  profits(pool: PoolWallets, rows: PoolWalletRows, priceUsd: PriceE18 | null): ProfitSums | null {
    const tree = this.trees.get(pool) ?? this.grow(pool, rows);
    if (tree === null) return profitsOfListed(pool, rows, priceUsd);
    if (priceUsd === null) return tree.size === 0 ? tree.always() : null;
    const cut = cutOf(priceUsd, pool.baseDecimals);
    const sums = tree.below(cut.first);
    for (let bucket = cut.first; bucket <= cut.last; bucket++) {
      for (const row of tree.rowsIn(bucket)) {
        if (isAheadOf(cut, bucket, rows, row)) addRow(sums, rows, row);
      }
    }
    return sums;
  }

  private grow(pool: PoolWallets, rows: PoolWalletRows): ProfitTree | null {
    if (pool.wallets <= this.listedMax) return null;
    const tree = new ProfitTree();
    const { place } = POOL_WALLET_LAYOUT.fields;
    for (const row of rowsOfPool(pool, rows)) {
      relocate(tree, memberOf(rows, row), NEVER, rows.number(row, place));
    }
    this.trees.set(pool, tree);
    return tree;
  }

  private onUndo(
    pool: PoolWallets,
    tree: ProfitTree | undefined,
    inverse: (tree: ProfitTree) => void,
  ): void {
    if (!this.undo.isOpen) return;
    // If a small pool gets a tree later, `grew` drops it before this step is undone.
    if (tree === undefined && pool.wallets <= this.listedMax) return;
    this.undo.step(() => {
      if (this.trees.get(pool) !== tree) this.trees.delete(pool);
      else if (tree !== undefined) inverse(tree);
    });
  }
}

/** Rows of a pool's wallets, the newest wallet first. */
export function* rowsOfPool(pool: PoolWallets, rows: PoolWalletRows): Generator<number> {
  const { nextInPool } = POOL_WALLET_LAYOUT.fields;
  for (let at = pool.firstRow; at !== 0; at = rows.number(at - 1, nextInPool)) yield at - 1;
}

function profitsOfListed(
  pool: PoolWallets,
  rows: PoolWalletRows,
  priceUsd: PriceE18 | null,
): ProfitSums | null {
  const sums: ProfitSums = { organicWallets: 0, volumeUsd: 0n };
  const { place } = POOL_WALLET_LAYOUT.fields;
  const cut = priceUsd === null ? null : cutOf(priceUsd, pool.baseDecimals);
  for (const row of rowsOfPool(pool, rows)) {
    const level = rows.number(row, place);
    const bucket = bucketOfLevel(level);
    if (bucket !== null && cut === null) return null;
    const isAhead =
      bucket === null || cut === null ? level === ALWAYS : isAheadOf(cut, bucket, rows, row);
    if (isAhead) addRow(sums, rows, row);
  }
  return sums;
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

function isAheadOf(cut: Cut, bucket: number, rows: PoolWalletRows, row: number): boolean {
  if (bucket < cut.first || bucket > cut.last) return bucket < cut.first;
  const { needUsd, heldRaw } = POOL_WALLET_LAYOUT.fields;
  const terms = { needUsd: rows.bigint(row, needUsd), heldRaw: rows.bigint(row, heldRaw) };
  return isProfitable(terms, cut.price);
}

function addRow(sums: ProfitSums, rows: PoolWalletRows, row: number): void {
  const { organic, volumeUsd } = memberOf(rows, row);
  sums.organicWallets += organic;
  sums.volumeUsd += volumeUsd;
}

/** The values of a wallet that the tree needs. */
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

function relocate(tree: ProfitTree, member: ProfitMember, from: number, to: number): void {
  const { ordinal, row, organic, volumeUsd } = member;
  tree.unlink(from, ordinal);
  tree.shift(from, -organic, -volumeUsd);
  tree.shift(to, organic, volumeUsd);
  tree.link(to, ordinal, row);
}
