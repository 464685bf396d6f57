import type { HolderCursor } from '../../model/holder-page.ts';
import type { Address, RawAmount, Slot } from '../../model/units.ts';

/**
 * One owner's balance, and its place in the order. The caller owns the balance; while the node is
 * in a tree it must not change (take it out, change it, put it back).
 */
export interface HolderNode {
  readonly owner: Address;
  readonly mint: Address;
  balanceRaw: RawAmount;
  /** The part of the balance that is not in the owner's main token account. */
  asideRaw: RawAmount;
  readonly firstSeenMs: number | null;
  /** Of the last change. */
  slot: Slot;
  /** Its owner's balance is changing; it is in no tree. */
  isOut: boolean;
  left: HolderNode | null;
  right: HolderNode | null;
  /** Nodes in this subtree, itself included. */
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

  /** How many owners hold at least `balanceRaw`. */
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

  /** The next `limit` owners after a place in the order, whether or not somebody stands there. */
  after(place: HolderCursor, limit: number): HolderNode[] {
    const found: HolderNode[] = [];
    collectAfter(this.root, place, limit, found);
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

/** Two balanced trees, all of `left` before all of `right`, as one. */
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

/** Restores the balance of a node one side of which grew or shrank by one. */
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
  place: HolderCursor,
  limit: number,
  found: HolderNode[],
): void {
  if (root === null || found.length >= limit) return;
  if (!comesBefore(place, root)) {
    collectAfter(root.right, place, limit, found);
    return;
  }
  collectAfter(root.left, place, limit, found);
  if (found.length >= limit) return;
  found.push(root);
  collect(root.right, limit, found);
}
