import type { Clock } from '../../lib/clock.ts';
import type { NodeChoice, NodePool } from './nodes/node-pool.ts';
import type { RpcNode } from './nodes/rpc-node.ts';
import type { Inbox } from './tasks/inbox.ts';

/** A small request about the chain. At most one of each name is in flight. */
export interface ChainRequest<Result> {
  readonly name: string;
  readonly method: string;
  readonly params: readonly unknown[];
  /** Returns null for a result of an unexpected type. */
  readonly read: (result: unknown) => Result | null;
  readonly onResult: (result: Result) => void;
  /** Called when the node does not support the method. Without it this is a failure like others. */
  readonly onRefusal?: () => void;
  /** The only node to use; by default the best one. */
  readonly node?: RpcNode;
}

/** Pause after a request without a result. */
const ASK_AGAIN_MS = 250;

/** Sends small requests to nodes and delivers the answers to the inbox. */
export class ChainRequests {
  private readonly pool: NodePool;
  private readonly inbox: Inbox;
  private readonly clock: Clock;
  private readonly signal: AbortSignal;
  private readonly pending = new Set<string>();
  private readonly notBeforeMs = new Map<string, number>();

  constructor(pool: NodePool, inbox: Inbox, clock: Clock, signal: AbortSignal) {
    this.pool = pool;
    this.inbox = inbox;
    this.clock = clock;
    this.signal = signal;
  }

  /**
   * Returns 0 when the request was sent, else how long it cannot be; infinite while it is in
   * flight.
   */
  ask<Result>(question: ChainRequest<Result>): number {
    const { name } = question;
    if (this.pending.has(name)) return Number.POSITIVE_INFINITY;
    const nowMs = this.clock.nowMs();
    const waitMs = (this.notBeforeMs.get(name) ?? nowMs) - nowMs;
    if (waitMs > 0) return waitMs;
    const choice = this.choose(question.node, nowMs);
    if (choice.kind === 'wait') return Math.max(1, choice.ms);
    this.send(question, choice.node);
    return 0;
  }

  private choose(node: RpcNode | undefined, nowMs: number): NodeChoice {
    if (node === undefined) return this.pool.choose(nowMs);
    const ms = node.waitMs(nowMs);
    return ms > 0 ? { kind: 'wait', ms } : { kind: 'node', node };
  }

  private send<Result>(question: ChainRequest<Result>, node: RpcNode): void {
    const { name, method, params, read, onResult, onRefusal } = question;
    this.pending.add(name);
    const answered = node.call(method, params, read, this.signal).then((answer) => () => {
      this.pending.delete(name);
      if (answer.status === 'ok') onResult(answer.result);
      else if (answer.failure.action === 'refused' && onRefusal !== undefined) onRefusal();
      else this.notBeforeMs.set(name, this.clock.nowMs() + ASK_AGAIN_MS);
    });
    this.inbox.expect(answered);
  }
}
