import type { Clock } from '../../lib/clock.ts';
import type { NodeChoice, NodePool } from './nodes/node-pool.ts';
import type { RpcNode } from './nodes/rpc-node.ts';
import type { Inbox } from './tasks/inbox.ts';

/** A small question about the chain. One of a name is out at a time. */
export interface Question<Result> {
  readonly name: string;
  readonly method: string;
  readonly params: readonly unknown[];
  /** Null for a result of another kind than was asked for. */
  readonly read: (result: unknown) => Result | null;
  readonly onResult: (result: Result) => void;
  /** The node does not know the question. Without it this is a failure like others. */
  readonly onRefusal?: () => void;
  /** The only node that is meant; without it the best one is asked. */
  readonly node?: RpcNode;
}

/** A question that brought nothing is asked again after this. */
const ASK_AGAIN_MS = 250;

/** Asks nodes small questions and hands the answers to the inbox. */
export class Questions {
  private readonly pool: NodePool;
  private readonly inbox: Inbox;
  private readonly clock: Clock;
  private readonly signal: AbortSignal;
  private readonly out = new Set<string>();
  private readonly notBeforeMs = new Map<string, number>();

  constructor(pool: NodePool, inbox: Inbox, clock: Clock, signal: AbortSignal) {
    this.pool = pool;
    this.inbox = inbox;
    this.clock = clock;
    this.signal = signal;
  }

  /** 0 when it was asked, else how long it cannot be; infinite while it is out. */
  ask<Result>(question: Question<Result>): number {
    const { name } = question;
    if (this.out.has(name)) return Number.POSITIVE_INFINITY;
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

  private send<Result>(question: Question<Result>, node: RpcNode): void {
    const { name, method, params, read, onResult, onRefusal } = question;
    this.out.add(name);
    const answered = node.call(method, params, read, this.signal).then((answer) => () => {
      this.out.delete(name);
      if (answer.status === 'ok') onResult(answer.result);
      else if (answer.failure.action === 'refused' && onRefusal !== undefined) onRefusal();
      else this.notBeforeMs.set(name, this.clock.nowMs() + ASK_AGAIN_MS);
    });
    this.inbox.expect(answered);
  }
}
