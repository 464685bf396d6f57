import { type Clock, monotonicClock } from '../../../lib/clock.ts';
import { isSlot, type Slot } from '../../../model/units.ts';
import type { NodeStatus } from '../../source-status.ts';
import { ClusterCheck } from './cluster-check.ts';
import { createNodePool } from './create-node-pool.ts';
import type { Endpoint } from './endpoint.ts';
import type { NodePool } from './node-pool.ts';
import type { RpcFailure } from './rpc-failure.ts';
import type { RpcNode } from './rpc-node.ts';
import { RPC_TUNING, type RpcTuning } from './rpc-options.ts';

export interface RetryingNodesOptions {
  /** At least one, in order of preference. */
  readonly endpoints: readonly Endpoint[];
  readonly tuning?: Partial<RpcTuning>;
  /** Stops every request. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** Returns numbers in [0, 1), for jitter. */
  readonly random?: () => number;
}

/** The result of one attempt at a node. */
export type Attempt<Value> =
  | { readonly status: 'ok'; readonly value: Value }
  | { readonly status: 'failed'; readonly failure: RpcFailure };

/**
 * The result of asking all nodes.
 * - `denied`: the nodes answer, and none of them has it; `failure` is the last answer.
 * - `outage`: no node gives a valid answer.
 * - `stopped`: by the signal.
 */
export type Asked<Value> =
  | { readonly status: 'ok'; readonly value: Value }
  | { readonly status: 'denied' | 'outage'; readonly failure: RpcFailure }
  | { readonly status: 'stopped' };

/** Longest wait before the nodes are checked again. */
const WAIT_MAX_MS = 250;

/**
 * Nodes for work that can wait: each request goes from node to node, within every node's rate
 * limit, until one answers it, all deny it, or none has answered for too long. Requests may run
 * concurrently.
 */
export class RetryingNodes {
  readonly tuning: RpcTuning;
  readonly signal: AbortSignal;
  private readonly pool: NodePool;
  private readonly clock: Clock;
  private readonly random: () => number;

  constructor(options: RetryingNodesOptions) {
    const { endpoints, clock = monotonicClock, random = Math.random } = options;
    const tuning = { ...RPC_TUNING, ...options.tuning };
    this.pool = createNodePool({ endpoints, tuning, clock, random });
    this.tuning = tuning;
    this.signal = options.signal ?? new AbortController().signal;
    this.clock = clock;
    this.random = random;
  }

  get status(): readonly NodeStatus[] {
    return this.pool.status;
  }

  /**
   * Leaves out nodes of another chain. `onNotice` is called for each of these, and for each node
   * that does not report its chain.
   */
  async checkClusters(onNotice?: (sentence: string) => void): Promise<void> {
    const { pool, clock, tuning, signal } = this;
    const check = new ClusterCheck({ pool, clock, againMs: tuning.nodeCheckMs, onNotice });
    await check.firstRound(signal);
  }

  async ask<Value>(attempt: (node: RpcNode) => Promise<Attempt<Value>>): Promise<Asked<Value>> {
    const inquiry = new Inquiry(this.pool.nodes, this.tuning, this.clock.nowMs());
    while (!this.signal.aborted) {
      const choice = this.pool.choose(this.clock.nowMs(), inquiry.asked);
      let end: End | null = null;
      if (choice.kind === 'wait') {
        await this.clock.sleep(this.waitMs(inquiry, choice.ms), this.signal);
      } else {
        inquiry.asked.add(choice.node);
        const answer = await attempt(choice.node);
        if (answer.status === 'ok') return answer;
        inquiry.note(choice.node, answer.failure);
        end = inquiry.denial(this.clock.nowMs());
      }
      end ??= inquiry.outage(this.clock.nowMs());
      if (end !== null && !this.signal.aborted) return end;
    }
    return { status: 'stopped' };
  }

  /** A small request with a result of a known type; `read` returns null for another type. */
  call<Value>(
    method: string,
    params: readonly unknown[],
    read: (result: unknown) => Value | null,
  ): Promise<Asked<Value>> {
    return this.ask(async (node) => {
      const answer = await node.call(method, params, read, this.signal);
      return answer.status === 'ok' ? { status: 'ok', value: answer.result } : answer;
    });
  }

  /** The newest slot that the nodes report as final. */
  finalSlot(): Promise<Asked<Slot>> {
    return this.call('getSlot', [{ commitment: 'finalized' }], (result) =>
      isSlot(result) ? result : null,
    );
  }

  /** Starts a new round when the untried nodes are unavailable for long. */
  private waitMs(inquiry: Inquiry, ms: number): number {
    if (inquiry.asked.size === 0 || ms <= WAIT_MAX_MS) {
      return Math.min(WAIT_MAX_MS, Math.max(1, ms));
    }
    const { retryBaseMs, retryMaxMs } = this.tuning;
    const boundMs = Math.min(retryMaxMs, retryBaseMs * 2 ** Math.min(inquiry.rounds, 20));
    inquiry.asked.clear();
    inquiry.rounds++;
    return boundMs * (0.5 + this.random() / 2);
  }
}

/** One request in progress: the nodes tried in this round, and their answers. */
class Inquiry {
  readonly asked = new Set<RpcNode>();
  rounds = 0;
  private readonly nodes: readonly RpcNode[];
  private readonly tuning: RpcTuning;
  private readonly sinceMs: number;
  private readonly answers = new Map<RpcNode, RpcFailure>();
  private last: RpcFailure | null = null;

  constructor(nodes: readonly RpcNode[], tuning: RpcTuning, nowMs: number) {
    this.nodes = nodes;
    this.tuning = tuning;
    this.sinceMs = nowMs;
  }

  note(node: RpcNode, failure: RpcFailure): void {
    this.last = failure;
    if (failure.harm === 'none' && failure.name !== 'stopped') this.answers.set(node, failure);
  }

  /** Null while a node may still have the result: nodes deny what they do not have yet. */
  denial(nowMs: number): End | null {
    const isGone = (node: RpcNode) => GONE.has(this.answers.get(node)?.action ?? '');
    const working = this.nodes.filter((node) => !node.isCoolingDown);
    const isAnswered = working.length > 0 && working.every((node) => this.answers.has(node));
    const isDenied = isAnswered && nowMs - this.sinceMs >= this.tuning.giveUpAfterMs;
    if (!this.nodes.every(isGone) && !isDenied) return null;
    return { status: 'denied', failure: this.last ?? NEVER_ASKED };
  }

  /** Null while there is time to wait for a node. */
  outage(nowMs: number): End | null {
    if (nowMs - this.sinceMs < this.tuning.outageGiveUpAfterMs) return null;
    return { status: 'outage', failure: this.last ?? NEVER_ASKED };
  }
}

type End = Extract<Asked<never>, { readonly status: 'denied' | 'outage' }>;

const GONE: ReadonlySet<string> = new Set(['pruned', 'refused']);

const NEVER_ASKED: RpcFailure = {
  action: 'retry',
  harm: 'none',
  name: 'never asked',
  message: 'every node was skipped because of earlier failures',
  retryAfterMs: null,
  problem: null,
};
