import type { Clock } from '../../../lib/clock.ts';
import type { NodePool } from './node-pool.ts';
import type { RpcNode } from './rpc-node.ts';

export interface ClusterCheckOptions {
  readonly pool: NodePool;
  readonly clock: Clock;
  /** Pause between two requests to a node that has not answered yet. */
  readonly againMs: number;
  readonly onNotice?: ((sentence: string) => void) | undefined;
}

/** Unanswered requests after which a node is trusted without proof, until it answers. */
const TRIES_MAX = 5;
const WAIT_MAX_MS = 250;
/** How long the check waits for a silent node. */
const SILENCE_MS = 2_000;
/** The base58 text of a 32-byte hash has 32 to 44 characters. */
const HASH = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/**
 * Checks that all nodes are on one chain, by the hash of its first block. The chain is that of the
 * first node in the list that reports its hash before anything else is requested; nodes of another
 * chain are not used. A single node is trusted.
 */
export class ClusterCheck {
  private readonly options: ClusterCheckOptions;
  private readonly hashes = new Map<RpcNode, string>();
  private readonly tries = new Map<RpcNode, number>();
  private readonly trusted = new Set<RpcNode>();
  /** Nodes that refused the request as unsupported. */
  private readonly refused = new Set<RpcNode>();
  private chainHash: string | null = null;

  constructor(options: ClusterCheckOptions) {
    this.options = options;
  }

  /** Whether every node has answered or is trusted without proof. */
  get isDone(): boolean {
    return !this.isNeeded || this.nodes.every((node) => this.isKnown(node));
  }

  /** Asks each node until it has answered or is trusted without proof. */
  async firstRound(signal: AbortSignal): Promise<void> {
    while (!this.isDone && !signal.aborted) {
      await this.ask(
        this.nodes.filter((node) => !this.isKnown(node)),
        signal,
      );
    }
  }

  /** Keeps asking nodes that were trusted without proof, until they answer or the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    await this.firstRound(signal);
    const { clock, againMs } = this.options;
    while (this.isNeeded && !signal.aborted) {
      const open = this.nodes.filter((node) => !this.hashes.has(node) && !this.refused.has(node));
      if (open.length === 0) return;
      await clock.sleep(againMs, signal);
      await this.ask(open, signal);
    }
  }

  private get nodes(): readonly RpcNode[] {
    return this.options.pool.all;
  }

  private get isNeeded(): boolean {
    return this.nodes.length > 1;
  }

  private isKnown(node: RpcNode): boolean {
    return this.hashes.has(node) || this.trusted.has(node);
  }

  private async ask(nodes: readonly RpcNode[], signal: AbortSignal): Promise<void> {
    const { clock } = this.options;
    const nowMs = clock.nowMs();
    const free = nodes.filter((node) => node.waitMs(nowMs) === 0);
    await Promise.all(free.map((node) => this.askOne(node, signal)));
    this.judge();
    const waits = this.nodes
      .filter((node) => !this.isKnown(node))
      .map((node) => node.waitMs(nowMs));
    if (waits.length === 0) return;
    await clock.sleep(Math.min(WAIT_MAX_MS, Math.max(1, ...waits)), signal);
  }

  private async askOne(node: RpcNode, signal: AbortSignal): Promise<void> {
    const read = (result: unknown) =>
      typeof result === 'string' && HASH.test(result) ? result : null;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(SILENCE_MS)]);
    const answer = await node.call('getGenesisHash', [], read, limited);
    if (signal.aborted) return;
    if (answer.status === 'ok') {
      this.hashes.set(node, answer.result);
      return;
    }
    const tries = (this.tries.get(node) ?? 0) + 1;
    this.tries.set(node, tries);
    const isRefused = answer.failure.action === 'refused';
    if (isRefused) this.refused.add(node);
    const isExhausted = isRefused || limited.aborted || tries >= TRIES_MAX;
    if (this.trusted.has(node) || !isExhausted) return;
    this.trusted.add(node);
    const { message, name } = answer.failure;
    const reason = limited.aborted ? `no answer in ${SILENCE_MS} ms` : `${message} (${name})`;
    this.notify(
      `${node.label} does not report its genesis hash and is trusted without it: ${reason}.`,
    );
  }

  private judge(): void {
    if (!this.isDone) return;
    for (const node of this.nodes) {
      const hash = this.hashes.get(node);
      if (hash === undefined) continue;
      this.chainHash ??= hash;
      if (hash === this.chainHash || node.isOfOtherCluster) continue;
      node.isOfOtherCluster = true;
      this.notify(
        `${node.label} is on another chain and is not used: its first block is ${hash}, that of the followed chain is ${this.chainHash}. Remove it, or follow it alone with a separate data folder.`,
      );
    }
  }

  private notify(sentence: string): void {
    this.options.onNotice?.(sentence);
  }
}
