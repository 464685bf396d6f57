import type { Clock } from '../../../lib/clock.ts';
import type { NodePool } from './node-pool.ts';
import type { RpcNode } from './rpc-node.ts';

export interface ClusterCheckOptions {
  readonly pool: NodePool;
  readonly clock: Clock;
  /** Between two questions to a node that has not answered yet. */
  readonly againMs: number;
  readonly onNotice?: ((sentence: string) => void) | undefined;
}

/** Questions without an answer after which a node is taken on trust, until it answers. */
const TRIES_MAX = 5;
const WAIT_MAX_MS = 250;
/** Nobody waits longer for one that is silent. */
const SILENCE_MS = 2_000;
/** A hash of 32 bytes in base58 has 32 to 44 letters. */
const HASH = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/**
 * Whether all nodes show one chain, by the hash of its first block. The chain is that of the first
 * node of the list that says it before anything else is asked; nodes of another are asked nothing. A
 * single node is believed.
 */
export class ClusterCheck {
  private readonly options: ClusterCheckOptions;
  private readonly hashes = new Map<RpcNode, string>();
  private readonly tries = new Map<RpcNode, number>();
  private readonly trusted = new Set<RpcNode>();
  /** Those that do not know the question. */
  private readonly mute = new Set<RpcNode>();
  private chainHash: string | null = null;

  constructor(options: ClusterCheckOptions) {
    this.options = options;
  }

  /** Whether every node has answered or is taken on trust. */
  get isDone(): boolean {
    return !this.isNeeded || this.nodes.every((node) => this.isKnown(node));
  }

  /** Asks each node until it has answered or is taken on trust. */
  async firstRound(signal: AbortSignal): Promise<void> {
    while (!this.isDone && !signal.aborted) {
      await this.ask(
        this.nodes.filter((node) => !this.isKnown(node)),
        signal,
      );
    }
  }

  /** Goes on asking those that were taken on trust, until they have answered or the signal. */
  async run(signal: AbortSignal): Promise<void> {
    await this.firstRound(signal);
    const { clock, againMs } = this.options;
    while (this.isNeeded && !signal.aborted) {
      const open = this.nodes.filter((node) => !this.hashes.has(node) && !this.mute.has(node));
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
    const patience = AbortSignal.any([signal, AbortSignal.timeout(SILENCE_MS)]);
    const answer = await node.call('getGenesisHash', [], read, patience);
    if (signal.aborted) return;
    if (answer.status === 'ok') {
      this.hashes.set(node, answer.result);
      return;
    }
    const tries = (this.tries.get(node) ?? 0) + 1;
    this.tries.set(node, tries);
    const isRefused = answer.failure.action === 'refused';
    if (isRefused) this.mute.add(node);
    const isExhausted = isRefused || patience.aborted || tries >= TRIES_MAX;
    if (this.trusted.has(node) || !isExhausted) return;
    this.trusted.add(node);
    const { message, name } = answer.failure;
    const reason = patience.aborted ? `no answer in ${SILENCE_MS} ms` : `${message} (${name})`;
    this.tell(`${node.label} does not say which chain it shows and is taken on trust: ${reason}.`);
  }

  private judge(): void {
    if (!this.isDone) return;
    for (const node of this.nodes) {
      const hash = this.hashes.get(node);
      if (hash === undefined) continue;
      this.chainHash ??= hash;
      if (hash === this.chainHash || node.isOfOtherCluster) continue;
      node.isOfOtherCluster = true;
      this.tell(
        `${node.label} shows another chain and is not asked: its first block is ${hash}, that of the chain followed ${this.chainHash}. Leave it out, or follow it alone with a data folder of its own.`,
      );
    }
  }

  private tell(sentence: string): void {
    this.options.onNotice?.(sentence);
  }
}
