import { type Clock, monotonicClock } from '../../../lib/clock.ts';
import type { Slot } from '../../../model/units.ts';
import type { NodeStatus } from '../../source-status.ts';
import { ClusterCheck } from './cluster-check.ts';
import { createNodePool } from './create-node-pool.ts';
import type { Endpoint } from './endpoint.ts';
import type { NodePool } from './node-pool.ts';
import type { RpcFailure } from './rpc-failure.ts';
import type { RpcNode } from './rpc-node.ts';
import { RPC_TUNING, type RpcTuning } from './rpc-options.ts';

export interface RetryingNodesOptions {
  /** At least one, the preferred one first. */
  readonly endpoints: readonly Endpoint[];
  readonly tuning?: Partial<RpcTuning>;
  /** Ends every question. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** Numbers from 0 to below 1, for jitter. */
  readonly random?: () => number;
}

/** What one node makes of a question. */
export type Attempt<Value> =
  | { readonly status: 'ok'; readonly value: Value }
  | { readonly status: 'failed'; readonly failure: RpcFailure };

/**
 * What came of asking everybody.
 * - `denied`: the nodes answer, and none of them has it; the last one's words.
 * - `outage`: nobody answers as a node should.
 * - `stopped`: by the signal.
 */
export type Asked<Value> =
  | { readonly status: 'ok'; readonly value: Value }
  | { readonly status: 'denied' | 'outage'; readonly failure: RpcFailure }
  | { readonly status: 'stopped' };

/** A wait is looked at again after this. */
const WAIT_MAX_MS = 250;

/**
 * Nodes for work that can wait: each question goes from node to node, within every node's rate, until
 * one of them answers it, all of them deny it, or nobody has answered for too long. Questions may be
 * asked beside each other.
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

  /** Leaves out nodes of another chain; `onNotice` is told which, and who does not say. */
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

  /** A small question with a result of a known kind; `read` gives null for another. */
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

  /** The newest slot that no node takes back. */
  finalSlot(): Promise<Asked<Slot>> {
    return this.call('getSlot', [{ commitment: 'finalized' }], (result) =>
      isSlot(result) ? result : null,
    );
  }

  /** Begins a new round where those not asked yet are out of reach for long. */
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

export function isSlot(value: unknown): value is Slot {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** One question on its way: who was asked in this round, and what was said. */
class Inquiry {
  readonly asked = new Set<RpcNode>();
  rounds = 0;
  private readonly nodes: readonly RpcNode[];
  private readonly tuning: RpcTuning;
  private readonly sinceMs: number;
  private readonly said = new Map<RpcNode, RpcFailure>();
  private last: RpcFailure | null = null;

  constructor(nodes: readonly RpcNode[], tuning: RpcTuning, nowMs: number) {
    this.nodes = nodes;
    this.tuning = tuning;
    this.sinceMs = nowMs;
  }

  note(node: RpcNode, failure: RpcFailure): void {
    this.last = failure;
    if (failure.harm === 'none' && failure.name !== 'stopped') this.said.set(node, failure);
  }

  /** Null while a node may still have it: nodes deny what they do not have yet. */
  denial(nowMs: number): End | null {
    const isGone = (node: RpcNode) => GONE.has(this.said.get(node)?.action ?? '');
    const working = this.nodes.filter((node) => !node.isLeftAlone);
    const isAnswered = working.length > 0 && working.every((node) => this.said.has(node));
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
  message: 'every node was left alone for its earlier failures',
  retryAfterMs: null,
  problem: null,
};
