import { asSlot, type Slot } from '../../../model/units.ts';
import type { NodeStatus } from '../../source-status.ts';
import type { RpcNode } from './rpc-node.ts';

/** The node to use next, or how long none may be used. */
export type NodeChoice =
  | { readonly kind: 'node'; readonly node: RpcNode }
  | { readonly kind: 'wait'; readonly ms: number };

/** The nodes of a source, and the newest slot of each. */
export class NodePool {
  /** Includes nodes of another chain. */
  readonly all: readonly RpcNode[];
  private readonly behindSlotsMax: number;

  /** In order of preference; empty where blocks come from a stream. */
  constructor(nodes: readonly RpcNode[], behindSlotsMax: number) {
    this.all = nodes;
    this.behindSlotsMax = behindSlotsMax;
  }

  /** The nodes that may be used at all. */
  get nodes(): readonly RpcNode[] {
    return this.all.filter(({ isOfOtherCluster }) => !isOfOtherCluster);
  }

  get status(): readonly NodeStatus[] {
    return this.all.map(({ status }) => status);
  }

  /** Newest confirmed slot that any node reported. */
  get tipSlot(): Slot | null {
    let tip: number | null = null;
    for (const { tipSlot } of this.nodes) if (tipSlot !== null) tip = Math.max(tip ?? 0, tipSlot);
    return tip === null ? null : asSlot(tip);
  }

  /** The best node that is available now: working, trusted, up to date, least busy. */
  choose(nowMs: number, exclude: ReadonlySet<RpcNode> = NO_NODES): NodeChoice {
    let best: RpcNode | null = null;
    let leastWaitMs = Number.POSITIVE_INFINITY;
    for (const node of this.nodes) {
      if (exclude.has(node)) continue;
      const waitMs = node.waitMs(nowMs);
      leastWaitMs = Math.min(leastWaitMs, waitMs);
      if (waitMs === 0 && (best === null || rank(node) < rank(best))) best = node;
    }
    return best === null ? { kind: 'wait', ms: leastWaitMs } : { kind: 'node', node: best };
  }

  /**
   * Records the newest confirmed slot of a node. One far behind the others, or behind its own
   * earlier report, is marked; its view of the tip is old, and nothing is reverted because of it.
   */
  observeTip(node: RpcNode, slot: number, headSlot: number | null): void {
    const best = Math.max(slot, this.tipSlot ?? 0, headSlot ?? 0);
    node.tipSlot = slot;
    node.isBehind = best - slot > this.behindSlotsMax;
  }
}

const NO_NODES: ReadonlySet<RpcNode> = new Set();

function rank({ isCoolingDown, isDistrusted, isBehind, failures, inFlight }: RpcNode): number {
  const state = (isCoolingDown ? 8e6 : 0) + (isDistrusted ? 4e6 : 0) + (isBehind ? 2e6 : 0);
  return state + Math.min(failures, 99) * 1e4 + inFlight;
}
