import type { HolderBalance } from '../../model/derived.ts';
import { type Address, asRawAmount, type RawAmount } from '../../model/units.ts';
import { knownTimeMs, type Moment } from './logical-time.ts';
import type { HolderNode } from './top-holders.ts';

const NEVER = -1 as HolderNode['slot'];

/** Creates the node of an owner without a balance. */
export function newNode(owner: Address, mint: Address, at: Moment): HolderNode {
  return {
    owner,
    mint,
    balanceRaw: asRawAmount(0n),
    asideRaw: asRawAmount(0n),
    firstSeenMs: knownTimeMs(at),
    slot: NEVER,
    isOut: false,
    left: null,
    right: null,
    size: 1,
  };
}

/** The public record of a node. */
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

/** Restores the amount outside the main account; the inverse given to `UndoLog.step`. */
export function restoreAside(node: HolderNode, asideRaw: RawAmount): void {
  node.asideRaw = asideRaw;
}
