import type { MintHolders } from './mint-holders.ts';
import type { HolderNode, TopHolders } from './top-holders.ts';

/** An owner and the holders of the mint in whose order it belongs. */
export interface DetachedHolder {
  readonly holders: MintHolders;
  readonly node: HolderNode;
}

/**
 * Removes an owner whose balance is about to change from the order and adds it to `out`. It is
 * reinserted only when the order is read, because a pool's balance changes many times in a slot.
 */
export function takeOut(out: DetachedHolder[], holders: MintHolders, node: HolderNode): void {
  if (node.isOut) return;
  if (node.balanceRaw > 0n) holders.order.remove(node);
  node.isOut = true;
  out.push({ holders, node });
}

/** Reinserts the owners that were taken out. Does not empty `out`. */
export function putBack(out: readonly DetachedHolder[]): void {
  for (const { holders, node } of out) {
    node.isOut = false;
    if (node.balanceRaw > 0n) holders.order.insert(node);
  }
}

/**
 * Restores a node's earlier balance and slot. Assigning the balance alone would corrupt the order,
 * so the node is removed and reinserted. At the end of a slot all nodes are in the order, where
 * undo expects them.
 */
export function restoreInOrder(
  order: TopHolders,
  node: HolderNode,
  balanceRaw: HolderNode['balanceRaw'],
  slot: HolderNode['slot'],
): void {
  if (node.balanceRaw > 0n) order.remove(node);
  node.balanceRaw = balanceRaw;
  node.slot = slot;
  if (balanceRaw > 0n) order.insert(node);
}
