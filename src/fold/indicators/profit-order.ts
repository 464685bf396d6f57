import { RecentMap } from '../../lib/recent-map.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { UndoStep } from '../../lib/undo-steps.ts';
import { PRICE_SCALE, type PriceE18 } from '../../model/units.ts';
import { POOL_LAYOUT } from './pool-row.ts';
import type { PoolTables } from './pool-standing.ts';
import { isOrganic, POOL_WALLET_LAYOUT, type PoolWalletRows } from './pool-wallet-row.ts';
import { isProfitable, type PriceInUnits, priceInUnits } from './profit.ts';
import { bucketsNear } from './profit-buckets.ts';
import { ALWAYS, bucketOfLevel, NEVER } from './profit-level.ts';
import { type ProfitSums, ProfitTree } from './profit-tree.ts';

const { wallets, firstRow, baseDecimals } = POOL_LAYOUT.fields;
const { place, nextInPool } = POOL_WALLET_LAYOUT.fields;

/**
 * Most pools with a tree at a time: more than trade within a minute, the time between two readings.
 * A tree takes some 15 bytes per wallet and 6 KB per octave of prices in use.
 */
const TREES_MAX = 4_096;

/** The sizes of an order of profits. */
export interface ProfitOrderBounds {
  /** Pools with at most this many wallets have no tree. */
  readonly listedMax: number;
  /** Most trees at a time; the least recently read one is dropped. */
  readonly treesMax?: number;
}

/**
 * Counts the wallets of a pool that are profitable at a price (METHODS §2.3): the number of organic
 * ones, and the volume of all. The result is exact: the order only tells which wallets need no
 * individual comparison. Pools are named by their row.
 *
 * A tree is built from the rows at the first reading and then updated; it is not part of the state.
 * Undoing a change also undoes it in the tree, and drops a tree that was built after the change.
 */
export class ProfitOrder {
  private readonly trees: RecentMap<number, ProfitTree>;
  private readonly tables: PoolTables;
  private readonly undo: UndoLog;
  private readonly listedMax: number;

  constructor(
    tables: PoolTables,
    undo: UndoLog,
    { listedMax, treesMax = TREES_MAX }: ProfitOrderBounds,
  ) {
    this.tables = tables;
    this.undo = undo;
    this.listedMax = listedMax;
    this.trees = new RecentMap(treesMax);
  }

  /** Call after a wallet was added to the pool. */
  grew(pool: number): void {
    // Before this wallet the pool had no tree, so undo must drop a tree that was built later.
    if (this.walletsOf(pool) === this.listedMax + 1) {
      this.undo.step(NO_TREE, this.trees, pool);
    }
  }

  /** Changes what a wallet at `level` contributes to the sums. */
  recount(pool: number, level: number, organic: number, volumeUsd: bigint): void {
    if (level === NEVER || (organic === 0 && volumeUsd === 0n)) return;
    const tree = this.trees.peek(pool);
    tree?.shift(level, organic, volumeUsd);
    this.note(pool, tree, {
      revert: (same) => same.shift(level, -organic, -volumeUsd),
      repeat: (same) => same.shift(level, organic, volumeUsd),
    });
  }

  /** Moves a wallet to another level. Its row must be up to date except for the level. */
  move(pool: number, row: number, from: number, to: number): void {
    if (from === to) return;
    const tree = this.trees.peek(pool);
    const member = memberOf(this.tables.rows, row);
    if (tree !== undefined) relocate(tree, member, from, to);
    this.note(pool, tree, {
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
    const tree = this.trees.get(pool) ?? this.grow(pool);
    if (tree === null) return profitsOfListed(this.tables, pool, priceUsd);
    if (priceUsd === null) return tree.size === 0 ? tree.always() : null;
    const cut = cutOf(priceUsd, pools.number(pool, baseDecimals));
    const sums = tree.below(cut.first);
    for (let bucket = cut.first; bucket <= cut.last; bucket++) {
      for (const row of tree.rowsIn(bucket)) {
        if (isAheadOf(cut, bucket, rows, row)) addRow(sums, rows, row);
      }
    }
    return sums;
  }

  private grow(pool: number): ProfitTree | null {
    if (this.walletsOf(pool) <= this.listedMax) return null;
    const { rows } = this.tables;
    const tree = new ProfitTree();
    for (const row of rowsOfPool(this.tables, pool)) {
      relocate(tree, memberOf(rows, row), NEVER, rows.number(row, place));
    }
    this.trees.set(pool, tree);
    return tree;
  }

  private walletsOf(pool: number): number {
    return this.tables.pools.number(pool, wallets);
  }

  /** Records a change of the tree of a pool; of a pool without one, that a later tree is outdated. */
  private note(pool: number, tree: ProfitTree | undefined, change: TreeChange): void {
    if (!this.undo.isOpen) return;
    // If a small pool gets a tree later, `grew` drops it before this step is undone.
    if (tree === undefined && this.walletsOf(pool) <= this.listedMax) return;
    this.undo.step(TREE_CHANGE, this.trees, pool, tree, change);
  }
}

type Trees = RecentMap<number, ProfitTree>;

/** A change of a tree, in both directions. */
interface TreeChange {
  revert(tree: ProfitTree): void;
  repeat(tree: ProfitTree): void;
}

/** A pool had too few wallets for a tree. */
const NO_TREE: UndoStep<[trees: Trees, pool: number]> = {
  revert: (trees, pool) => trees.delete(pool),
  repeater: () => () => undefined,
};

/** The tree of a pool, undefined for none, was changed. Any other tree of it was built since. */
const TREE_CHANGE: UndoStep<
  [trees: Trees, pool: number, tree: ProfitTree | undefined, change: TreeChange]
> = {
  revert: (trees, pool, tree, { revert }) => changeOnly(trees, pool, tree, revert),
  repeater:
    (trees, pool, tree, { repeat }) =>
    () =>
      changeOnly(trees, pool, tree, repeat),
};

function changeOnly(
  trees: Trees,
  pool: number,
  tree: ProfitTree | undefined,
  change: (tree: ProfitTree) => void,
): void {
  if (trees.peek(pool) !== tree) trees.delete(pool);
  else if (tree !== undefined) change(tree);
}

/** Rows of a pool's wallets, the newest wallet first. */
function* rowsOfPool({ pools, rows }: PoolTables, pool: number): Generator<number> {
  for (let at = pools.number(pool, firstRow); at !== 0; at = rows.number(at - 1, nextInPool)) {
    yield at - 1;
  }
}

function profitsOfListed(
  tables: PoolTables,
  pool: number,
  priceUsd: PriceE18 | null,
): ProfitSums | null {
  const { pools, rows } = tables;
  const sums: ProfitSums = { organicWallets: 0, volumeUsd: 0n };
  const cut = priceUsd === null ? null : cutOf(priceUsd, pools.number(pool, baseDecimals));
  for (const row of rowsOfPool(tables, pool)) {
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
