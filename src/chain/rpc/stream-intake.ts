import type { Slot } from '../../model/units.ts';
import type { BlockStream, StreamItem } from '../block-stream.ts';
import type { BlockStreamStatus } from '../source-status.ts';
import type { BlockFetches } from './block-fetches.ts';
import type { NodePool } from './nodes/node-pool.ts';
import type { BlockWitness } from './nodes/testimony.ts';
import type { ChainLog } from './tasks/chain-log.ts';
import type { Inbox } from './tasks/inbox.ts';

export interface StreamIntakeOptions {
  readonly stream: BlockStream;
  readonly pool: NodePool;
  readonly log: ChainLog;
  readonly fetches: BlockFetches;
  readonly inbox: Inbox;
  /** The stream counts as silent after this long without a block. */
  readonly silenceMs: number;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
  readonly onNotice?: ((sentence: string) => void) | undefined;
}

/**
 * Appends the blocks of a stream to the log, one at a time as the owner of the inbox processes
 * them: a slow owner slows the stream.
 */
export class StreamIntake {
  private readonly options: StreamIntakeOptions;
  private isBegun = false;
  private hasEnded = false;
  private newest: Slot | null = null;
  private lastBlockMs = Number.NEGATIVE_INFINITY;

  private readonly emitter: BlockWitness;

  constructor(options: StreamIntakeOptions) {
    this.options = options;
    this.emitter = { label: options.stream.status.origin };
  }

  get status(): BlockStreamStatus {
    return this.options.stream.status;
  }

  /** Newest confirmed slot that the stream reported. */
  get tipSlot(): Slot | null {
    return this.newest;
  }

  /** The server refuses this client, and nothing more will arrive. */
  get isOver(): boolean {
    return this.hasEnded;
  }

  /** How long nodes need not be polled for new blocks; 0 while the stream is silent. */
  quietMs(nowMs: number): number {
    return Math.max(0, this.lastBlockMs + this.options.silenceMs - nowMs);
  }

  /** Reads the stream until the signal; does nothing if it is already being read. */
  begin(): void {
    if (this.isBegun) return;
    this.isBegun = true;
    const { inbox } = this.options;
    inbox.expect(
      this.read().then(() => () => {
        this.hasEnded = true;
      }),
    );
  }

  private async read(): Promise<void> {
    const { stream, signal } = this.options;
    for await (const item of stream) {
      await this.handOver(item);
      if (signal.aborted) return;
    }
  }

  /** Resolves when the item has been processed, or at the signal. */
  private handOver(item: StreamItem): Promise<void> {
    const { inbox, signal } = this.options;
    return new Promise((resolve) => {
      const end = () => resolve();
      const use = () => {
        signal.removeEventListener('abort', end);
        this.take(item);
        resolve();
      };
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
      inbox.expect(Promise.resolve(use));
    });
  }

  private take(item: StreamItem): void {
    const { fetches, log, nowMs, onNotice } = this.options;
    switch (item.kind) {
      case 'block':
        this.takeBlock(item.block);
        return;
      case 'slot':
        if (item.status !== 'dead' && item.status !== 'processed') this.observe(item.slot);
        if (item.status === 'finalized') log.observeFinal(item.slot);
        return;
      case 'incomplete':
        fetches.tasks.list(item.slot, nowMs());
        return;
      case 'problem':
        log.reportProblem(item.problem);
        return;
      case 'interrupted':
        this.lastBlockMs = Number.NEGATIVE_INFINITY;
        onNotice?.(`The stream was interrupted: ${item.reason}. ${this.consequenceOf(item)}`);
        return;
      case 'denied':
        this.lastBlockMs = Number.NEGATIVE_INFINITY;
        log.report('source-denied', this.options.stream.status.origin, null, item.reason);
        return;
    }
  }

  private takeBlock(block: Extract<StreamItem, { kind: 'block' }>['block']): void {
    const { fetches, log, nowMs, stream } = this.options;
    const { slot } = block;
    this.lastBlockMs = nowMs();
    this.observe(slot);
    const failure = log.accept(block, this.emitter);
    if (failure === null) {
      fetches.tasks.settle(block);
      return;
    }
    const code = failure.problem ?? 'bad-transaction';
    log.report(code, stream.status.origin, `slot ${slot}`, failure.message);
  }

  private consequenceOf({ willReplay }: Extract<StreamItem, { kind: 'interrupted' }>): string {
    const replay = willReplay ? 'A replay is requested' : 'No replay is available';
    const hasNodes = this.options.pool.nodes.length > 0;
    if (hasNodes) return `${replay}; RPC nodes are used meanwhile.`;
    return willReplay ? `${replay}.` : `${replay}: the missed blocks stay missing.`;
  }

  private observe(slot: Slot): void {
    if (slot > (this.newest ?? -1)) this.newest = slot;
  }
}
