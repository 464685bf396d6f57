import type { HolderCursor } from '../../model/holder-page.ts';
import type { Address, RawAmount, Slot } from '../../model/units.ts';

/**
 * One owner's balance and its node in the order. The caller owns the balance. It must not change
 * while the node is in a tree: remove the node, change the balance, insert the node.
 */
export interface HolderNode {
  readonly owner: Address;
  readonly mint: Address;
  balanceRaw: RawAmount;
  /** The part of the balance that is not in the owner's main token account. */
  asideRaw: RawAmount;
  readonly firstSeenMs: number | null;
  /** Slot of the last change. */
  slot: Slot;
  /** True while the balance is changing and the node is in no tree. */
  isOut: boolean;
  left: HolderNode | null;
  right: HolderNode | null;
  /** Number of nodes in this subtree, including this one. */
  size: number;
}

/**
 * Owners of one mint by balance, largest first, ties by address: a weight-balanced tree whose nodes
 * are the owners themselves. Insert, remove and count are O(log n); the first k are O(k + log n).
 *
 * Balance parameters 3 and 2 are the integers proven correct by Hirai and Yamamoto, "Balancing
 * weight-balanced trees", 2011.
 */
export class TopHolders {
  private root: HolderNode | null = null;

  get size(): number {
    return sizeOf(this.root);
  }

  /** Adds a node that is in no tree. */
  insert(node: HolderNode): void {
    node.left = null;
    node.right = null;
    node.size = 1;
    this.root = insertInto(this.root, node);
  }

  /** Removes a node that is in this tree, with the balance it was inserted with. */
  remove(node: HolderNode): void {
    this.root = removeFrom(this.root, node);
    node.left = null;
    node.right = null;
    node.size = 1;
  }

  /** Number of owners with at least `balanceRaw`. */
  countAtLeast(balanceRaw: bigint): number {
    let count = 0;
    let at = this.root;
    while (at !== null) {
      if (at.balanceRaw >= balanceRaw) {
        count += sizeOf(at.left) + 1;
        at = at.right;
      } else at = at.left;
    }
    return count;
  }

  /** The largest `limit` owners, largest first. */
  first(limit: number): HolderNode[] {
    const found: HolderNode[] = [];
    collect(this.root, limit, found);
    return found;
  }

  /** The next `limit` owners after a cursor; the cursor itself need not be an owner. */
  after(cursor: HolderCursor, limit: number): HolderNode[] {
    const found: HolderNode[] = [];
    collectAfter(this.root, cursor, limit, found);
    return found;
  }
}

const DELTA = 3;
const GAMMA = 2;

function sizeOf(node: HolderNode | null): number {
  return node === null ? 0 : node.size;
}

function comesBefore(one: HolderCursor, other: HolderCursor): boolean {
  if (one.balanceRaw !== other.balanceRaw) return one.balanceRaw > other.balanceRaw;
  return one.owner < other.owner;
}

function insertInto(root: HolderNode | null, node: HolderNode): HolderNode {
  if (root === null) return node;
  if (comesBefore(node, root)) root.left = insertInto(root.left, node);
  else root.right = insertInto(root.right, node);
  return rebalance(root);
}

function removeFrom(root: HolderNode | null, node: HolderNode): HolderNode | null {
  if (root === null) throw new Error(`owner ${node.owner} is not in the order`);
  if (root === node) return joined(node.left, node.right);
  if (comesBefore(node, root)) root.left = removeFrom(root.left, node);
  else root.right = removeFrom(root.right, node);
  return rebalance(root);
}

/** Joins two balanced trees, where all of `left` comes before all of `right`. */
function joined(left: HolderNode | null, right: HolderNode | null): HolderNode | null {
  if (left === null) return right;
  if (right === null) return left;
  if (left.size > right.size) {
    const last = lastOf(left);
    last.left = removeFrom(left, last);
    last.right = right;
    return rebalance(last);
  }
  const first = firstOf(right);
  first.right = removeFrom(right, first);
  first.left = left;
  return rebalance(first);
}

function firstOf(root: HolderNode): HolderNode {
  let at = root;
  while (at.left !== null) at = at.left;
  return at;
}

function lastOf(root: HolderNode): HolderNode {
  let at = root;
  while (at.right !== null) at = at.right;
  return at;
}

/** Rebalances a node of which one side grew or shrank by one. */
function rebalance(root: HolderNode): HolderNode {
  const { left, right } = root;
  const leftWeight = sizeOf(left) + 1;
  const rightWeight = sizeOf(right) + 1;
  if (right !== null && rightWeight > DELTA * leftWeight) {
    if (sizeOf(right.left) + 1 >= GAMMA * (sizeOf(right.right) + 1)) {
      root.right = rotatedRight(right);
    }
    return rotatedLeft(root);
  }
  if (left !== null && leftWeight > DELTA * rightWeight) {
    if (sizeOf(left.right) + 1 >= GAMMA * (sizeOf(left.left) + 1)) {
      root.left = rotatedLeft(left);
    }
    return rotatedRight(root);
  }
  root.size = leftWeight + rightWeight - 1;
  return root;
}

function rotatedLeft(root: HolderNode): HolderNode {
  const top = root.right;
  if (top === null) return root;
  root.right = top.left;
  top.left = root;
  root.size = sizeOf(root.left) + sizeOf(root.right) + 1;
  top.size = sizeOf(top.left) + sizeOf(top.right) + 1;
  return top;
}

function rotatedRight(root: HolderNode): HolderNode {
  const top = root.left;
  if (top === null) return root;
  root.left = top.right;
  top.right = root;
  root.size = sizeOf(root.left) + sizeOf(root.right) + 1;
  top.size = sizeOf(top.left) + sizeOf(top.right) + 1;
  return top;
}

function collect(root: HolderNode | null, limit: number, found: HolderNode[]): void {
  if (root === null || found.length >= limit) return;
  collect(root.left, limit, found);
  if (found.length >= limit) return;
  found.push(root);
  collect(root.right, limit, found);
}

function collectAfter(
  root: HolderNode | null,
  cursor: HolderCursor,
  limit: number,
  found: HolderNode[],
): void {
  if (root === null || found.length >= limit) return;
  if (!comesBefore(cursor, root)) {
    collectAfter(root.right, cursor, limit, found);
    return;
  }
  collectAfter(root.left, cursor, limit, found);
  if (found.length >= limit) return;
  found.push(root);
  collect(root.right, limit, found);
}
