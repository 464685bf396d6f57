import type { HolderBalance } from '../../model/derived.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import { knownTimeMs, type Moment } from './logical-time.ts';
import type { HolderNode } from './top-holders.ts';

const NEVER = -1 as HolderNode['slot'];

/** An owner that holds nothing yet and was never changed. */
export function newNode(owner: Address, mint: Address, at: Moment): HolderNode {
  return {
    owner,
    mint,
    balanceRaw: 0n as RawAmount,
    asideRaw: 0n as RawAmount,
    firstSeenMs: knownTimeMs(at),
    slot: NEVER,
    isOut: false,
    left: null,
    right: null,
    size: 1,
  };
}

/** A node as the world sees it. */
export function holderBalanceOf(node: HolderNode, isPool: boolean): HolderBalance {
  return {
    mint: node.mint,
    owner: node.owner,
    balanceRaw: node.balanceRaw,
    isPool,
    firstSeenMs: node.firstSeenMs,
    slot: node.slot,
  };
}

/** Gives a node its part outside the main account back: an inverse of `UndoLog.step`. */
export function restoreAside(node: HolderNode, asideRaw: RawAmount): void {
  node.asideRaw = asideRaw;
}
