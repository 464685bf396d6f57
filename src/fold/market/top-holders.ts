import type { AddressIds } from '../../lib/address-ids.ts';
import type { RowTable } from '../../lib/row-table.ts';
import type { HolderCursor } from '../../model/holder-page.ts';
import type { Address } from '../../model/units.ts';
import {
  comesBefore,
  keyAfterBalance,
  keyOfCursor,
  keyOfRow,
  keyWithBalance,
} from './holder-order.ts';
import { HOLDER_LAYOUT, type HolderRows } from './holder-row.ts';
import {
  addChild,
  countedOf,
  firstOf,
  isUnbalanced,
  lastOf,
  leftOf,
  ownExcluded,
  replaceChild,
  replaceNode,
  resetNode,
  resized,
  rightOf,
  rotated,
  sizeOf,
} from './holder-tree.ts';
import { MINT_HOLDERS_LAYOUT } from './mint-holders.ts';

const { root } = MINT_HOLDERS_LAYOUT.fields;

/** What changed below a path through a tree. */
interface TreeChange {
  /** Added nodes, and those of them that are excluded; negative for removed ones. */
  readonly nodes: number;
  readonly excluded: number;
  /** Nodes under the last node of the path on the changed side. */
  readonly below: number;
  /** Index in the path of the topmost node to update. */
  readonly top: number;
}

/** A tree of 2^32 nodes is at most log(2^32 + 1) / log(4 / 3) = 78 deep, and a path adds one. */
const PATH_MAX = 80;

/**
 * The owners of each mint by balance, largest first, ties by address: a weight-balanced tree for
 * each mint, whose nodes are the rows of the owners. Insert, remove and count are O(log n); the
 * next k are O(k + log n). A row's balance, owner, mint and exclusion must not change while the row
 * is in a tree, except for a balance with which it keeps its position.
 */
export class TopHolders {
  readonly rows: HolderRows;
  private readonly mints: RowTable;
  readonly ids: AddressIds<Address>;
  // Links from a root downwards, of the operation in progress. Not part of the state.
  readonly #path = new Uint32Array(PATH_MAX);

  constructor(rows: HolderRows, mints: RowTable, ids: AddressIds<Address>) {
    this.rows = rows;
    this.mints = mints;
    this.ids = ids;
  }

  /** Adds a row that is in no tree. */
  insert(row: number): void {
    const { rows } = this;
    const mint = this.mintOf(row);
    resetNode(rows, row + 1);
    const key = keyOfRow(rows, row);
    let depth = 0;
    let at = this.rootOf(mint);
    let isLeft = false;
    while (at !== 0) {
      this.#path[depth++] = at;
      isLeft = comesBefore(key, this, at - 1);
      at = isLeft ? leftOf(rows, at) : rightOf(rows, at);
    }
    if (depth === 0) this.mints.setNumber(mint, root, row + 1);
    else addChild(rows, this.linkAt(depth - 1), row + 1, isLeft);
    const excluded = ownExcluded(rows, row + 1);
    this.settle(mint, depth, { nodes: 1, excluded, below: 1, top: 0 });
  }

  /** Removes a row from its tree. Throws Error if it is in none. */
  remove(row: number): void {
    this.removeAt(row, this.pathTo(row));
  }

  /**
   * Removes a row from its tree unless it would keep its position with another balance. Returns
   * whether it was removed. Throws Error if it is in no tree.
   */
  removeUnlessKept(row: number, balanceRaw: bigint): boolean {
    const depth = this.pathTo(row);
    if (this.keepsPosition(row, depth, balanceRaw)) return false;
    this.removeAt(row, depth);
    return true;
  }

  /** Number of owners of a mint with at least `balanceRaw` that are not excluded. */
  countAtLeast(mint: number, balanceRaw: bigint): number {
    const { rows } = this;
    const key = keyAfterBalance(balanceRaw);
    let count = 0;
    let at = this.rootOf(mint);
    while (at !== 0) {
      if (comesBefore(key, this, at - 1)) at = leftOf(rows, at);
      else {
        count += countedOf(rows, leftOf(rows, at)) + 1 - ownExcluded(rows, at);
        at = rightOf(rows, at);
      }
    }
    return count;
  }

  /** Rows of the largest `limit` owners of a mint, largest first. */
  first(mint: number, limit: number): number[] {
    return this.collect(this.pushLeft(this.rootOf(mint), 0), limit);
  }

  /** Rows of the next `limit` owners after a cursor; the cursor itself need not be an owner. */
  after(mint: number, cursor: HolderCursor, limit: number): number[] {
    const { rows } = this;
    const key = keyOfCursor(cursor);
    let depth = 0;
    let at = this.rootOf(mint);
    while (at !== 0) {
      if (comesBefore(key, this, at - 1)) {
        this.#path[depth++] = at;
        at = leftOf(rows, at);
      } else at = rightOf(rows, at);
    }
    return this.collect(depth, limit);
  }

  private mintOf(row: number): number {
    return this.rows.number(row, HOLDER_LAYOUT.fields.mint);
  }

  private rootOf(mint: number): number {
    return this.mints.number(mint, root);
  }

  /** The link at a depth of the path. */
  private linkAt(depth: number): number {
    return this.#path[depth] ?? 0;
  }

  /** Fills the path with the nodes above a row and returns their number. */
  private pathTo(row: number): number {
    const { rows } = this;
    const key = keyOfRow(rows, row);
    const link = row + 1;
    let depth = 0;
    let at = this.rootOf(this.mintOf(row));
    while (at !== link) {
      if (at === 0) throw new Error(`owner ${this.addressOf(row)} is not in the order`);
      this.#path[depth++] = at;
      at = comesBefore(key, this, at - 1) ? leftOf(rows, at) : rightOf(rows, at);
    }
    return depth;
  }

  /** Whether a row below the first `depth` nodes of the path is between its neighbours. */
  private keepsPosition(row: number, depth: number, balanceRaw: bigint): boolean {
    const { rows } = this;
    const key = keyWithBalance(rows, row, balanceRaw);
    let before = lastOf(rows, leftOf(rows, row + 1));
    let after = firstOf(rows, rightOf(rows, row + 1));
    // Without a subtree on that side, the neighbour is the nearest node above on that side.
    let below = row + 1;
    for (let at = depth - 1; at >= 0 && (before === 0 || after === 0); at--) {
      const above = this.linkAt(at);
      if (leftOf(rows, above) === below) after ||= above;
      else before ||= above;
      below = above;
    }
    if (before !== 0 && comesBefore(key, this, before - 1)) return false;
    return after === 0 || comesBefore(key, this, after - 1);
  }

  private removeAt(row: number, depth: number): void {
    const { rows } = this;
    const mint = this.mintOf(row);
    const link = row + 1;
    const [left, right] = [leftOf(rows, link), rightOf(rows, link)];
    const excluded = -ownExcluded(rows, link);
    if (left !== 0 && right !== 0) {
      const below = this.replaceByNeighbour(mint, depth, link);
      this.settle(mint, depth + 1, { nodes: -1, excluded, below, top: 0 });
    } else {
      const only = left === 0 ? right : left;
      this.replaceAt(mint, depth, link, only);
      this.settle(mint, depth, { nodes: -1, excluded, below: sizeOf(rows, only), top: 0 });
    }
  }

  /** Replaces the node below the first `depth` nodes of the path. */
  private replaceAt(mint: number, depth: number, from: number, to: number): void {
    if (depth === 0) this.mints.setNumber(mint, root, to);
    else replaceChild(this.rows, this.linkAt(depth - 1), from, to);
  }

  /**
   * Replaces a node with two children by its neighbour in the larger subtree, which has at most
   * one child. The neighbour takes the node's place and counts in the path, at `depth`. Returns the
   * number of nodes that are left under it on the side that it came from.
   */
  private replaceByNeighbour(mint: number, depth: number, link: number): number {
    const { rows } = this;
    const isBefore = sizeOf(rows, leftOf(rows, link)) > sizeOf(rows, rightOf(rows, link));
    const inwards = isBefore ? rightOf : leftOf;
    const outwards = isBefore ? leftOf : rightOf;
    let end = depth;
    this.#path[end++] = link;
    let neighbour = outwards(rows, link);
    for (let next = inwards(rows, neighbour); next !== 0; next = inwards(rows, next)) {
      this.#path[end++] = neighbour;
      neighbour = next;
    }
    const excluded = -ownExcluded(rows, neighbour);
    const rest = outwards(rows, neighbour);
    replaceChild(rows, this.linkAt(end - 1), neighbour, rest);
    replaceNode(rows, link, neighbour);
    this.replaceAt(mint, depth, link, neighbour);
    this.#path[depth] = neighbour;
    const below = sizeOf(rows, rest);
    return this.settle(mint, end, { nodes: -1, excluded, below, top: depth + 1 });
  }

  /**
   * Counts and rebalances the nodes of the path from `top` to `end`, from below. Returns the number
   * of nodes under the topmost.
   */
  private settle(mint: number, end: number, change: TreeChange): number {
    let below = change.below;
    for (let at = end - 1; at >= change.top; at--) {
      const link = this.linkAt(at);
      const total = resized(this.rows, link, change);
      if (isUnbalanced(below, total - 1 - below)) {
        this.replaceAt(mint, at, link, rotated(this.rows, link));
      }
      below = total;
    }
    return below;
  }

  /** Appends a link and those to the left of it to the path, and returns the length. */
  private pushLeft(link: number, depth: number): number {
    let end = depth;
    for (let at = link; at !== 0; at = leftOf(this.rows, at)) this.#path[end++] = at;
    return end;
  }

  /** The next rows in order; the path contains the nodes that are still to be visited. */
  private collect(depth: number, limit: number): number[] {
    const found: number[] = [];
    let end = depth;
    while (end > 0 && found.length < limit) {
      const link = this.linkAt(--end);
      found.push(link - 1);
      end = this.pushLeft(rightOf(this.rows, link), end);
    }
    return found;
  }

  private addressOf(row: number): Address {
    return this.ids.addressOf(this.rows.number(row, HOLDER_LAYOUT.fields.owner));
  }
}
