import type { Slot } from '../../../model/units.ts';
import type { NodeStatus } from '../../source-status.ts';
import type { RpcNode } from './rpc-node.ts';

/** Whom to ask next, or how long nobody may be asked. */
export type NodeChoice =
  | { readonly kind: 'node'; readonly node: RpcNode }
  | { readonly kind: 'wait'; readonly ms: number };

/** The nodes of a source, and how far each is. */
export class NodePool {
  /** Those of another chain included. */
  readonly all: readonly RpcNode[];
  private readonly behindSlotsMax: number;

  /** The preferred one first; none where blocks come otherwise. */
  constructor(nodes: readonly RpcNode[], behindSlotsMax: number) {
    this.all = nodes;
    this.behindSlotsMax = behindSlotsMax;
  }

  /** Those that may be asked at all. */
  get nodes(): readonly RpcNode[] {
    return this.all.filter(({ isOfOtherCluster }) => !isOfOtherCluster);
  }

  get status(): readonly NodeStatus[] {
    return this.all.map(({ status }) => status);
  }

  /** Newest confirmed slot any node told of. */
  get tipSlot(): Slot | null {
    let tip: number | null = null;
    for (const { tipSlot } of this.nodes) if (tipSlot !== null) tip = Math.max(tip ?? 0, tipSlot);
    return tip as Slot | null;
  }

  /** The best node that may be asked now: works, is believed, keeps up, is least busy. */
  choose(nowMs: number, exclude: ReadonlySet<RpcNode> = NOBODY): NodeChoice {
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
   * A node told its newest confirmed slot. One that is far behind, others or its own word, is marked;
   * what it says of the chain's end is old, and nothing is taken back for it.
   */
  observeTip(node: RpcNode, slot: number, headSlot: number | null): void {
    const best = Math.max(slot, this.tipSlot ?? 0, headSlot ?? 0);
    node.tipSlot = slot;
    node.isBehind = best - slot > this.behindSlotsMax;
  }
}

const NOBODY: ReadonlySet<RpcNode> = new Set();

function rank({ isLeftAlone, isDistrusted, isBehind, failures, inFlight }: RpcNode): number {
  const state = (isLeftAlone ? 8e6 : 0) + (isDistrusted ? 4e6 : 0) + (isBehind ? 2e6 : 0);
  return state + Math.min(failures, 99) * 1e4 + inFlight;
}
