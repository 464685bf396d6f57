import { type ChainPoint, isSamePoint } from '../block-link.ts';
import type { NodePool } from './nodes/node-pool.ts';
import type { RpcNode } from './nodes/rpc-node.ts';

/** A missing block, and the node to request it from. */
export interface LateRequest {
  readonly point: ChainPoint;
  readonly node: RpcNode;
}

/**
 * Requests slots that were reported missing, one at a time: every node once for the first gap, then
 * for the next, and again from the start after a pause. After a block arrives, its parent is
 * requested at once.
 */
export class LateSlots {
  private readonly pool: NodePool;
  private readonly retryMs: number;
  private point: ChainPoint | null = null;
  private readonly asked = new Set<RpcNode>();
  /** Gaps for which all nodes failed since the last pause. */
  private failed = 0;
  private notBeforeMs = Number.NEGATIVE_INFINITY;
  private isRunning = false;

  constructor(pool: NodePool, retryMs: number) {
    this.pool = pool;
    this.retryMs = retryMs;
  }

  /** The next request, which then runs until `end`; null if there is none now. */
  begin(wanted: readonly ChainPoint[], nowMs: number): LateRequest | null {
    const isIdle = wanted.length === 0 || this.pool.nodes.length === 0;
    if (this.isRunning || isIdle || nowMs < this.notBeforeMs) return null;
    const point = this.current(wanted);
    if (point === undefined) {
      this.failed = 0;
      this.notBeforeMs = nowMs + this.retryMs;
      return null;
    }
    const choice = this.pool.choose(nowMs, this.asked);
    if (choice.kind === 'wait') {
      if (choice.ms > this.retryMs) this.skip();
      return null;
    }
    this.asked.add(choice.node);
    this.isRunning = true;
    return { point, node: choice.node };
  }

  end(isFilled: boolean): void {
    this.isRunning = false;
    const isTriedEverywhere = this.asked.size >= this.pool.nodes.length;
    if (isFilled) this.point = null;
    else if (isTriedEverywhere) this.skip();
  }

  /** The current point while it is wanted, else the next one that has not failed. */
  private current(wanted: readonly ChainPoint[]): ChainPoint | undefined {
    const { point } = this;
    if (point !== null && wanted.some((other) => isSamePoint(other, point))) return point;
    this.asked.clear();
    const next = wanted[this.failed];
    this.point = next ?? null;
    return next;
  }

  private skip(): void {
    this.failed++;
    this.point = null;
  }
}
