import type { MintHolders } from './mint-holders.ts';
import type { HolderNode, TopHolders } from './top-holders.ts';

/** An owner with the mint in whose order it has its place. */
export interface DetachedHolder {
  readonly holders: MintHolders;
  readonly node: HolderNode;
}

/**
 * Takes an owner whose balance is about to change out of the order and adds it to `out`, until
 * somebody reads the order: a pool's balance changes many times in a slot.
 */
export function takeOut(out: DetachedHolder[], holders: MintHolders, node: HolderNode): void {
  if (node.isOut) return;
  if (node.balanceRaw > 0n) holders.order.remove(node);
  node.isOut = true;
  out.push({ holders, node });
}

/** Gives owners that were taken out their places; `out` is not emptied. */
export function putBack(out: readonly DetachedHolder[]): void {
  for (const { holders, node } of out) {
    node.isOut = false;
    if (node.balanceRaw > 0n) holders.order.insert(node);
  }
}

/**
 * Takes a node back to what it was. An image of it alone would tear the order, which is the balance's
 * place among others: so the node is taken out and put back. Slots end with all nodes in place, where
 * an undo finds them.
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
