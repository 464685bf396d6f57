import { monotonicClock } from '../../lib/clock.ts';
import type { Slot } from '../../model/units.ts';
import type { Source, SourceItem, SourceSummary } from '../source.ts';
import type { SourceStatus } from '../source-status.ts';
import { ChainFollower } from './chain-follower.ts';
import { RPC_TUNING, type RpcSourceOptions } from './nodes/rpc-options.ts';

/** A source that follows a chain, with the current state of chain and nodes. */
export interface RpcSource extends Source {
  readonly headSlot: Slot | null;
  /** Null before the first iteration. */
  readonly status: SourceStatus | null;
}

/**
 * Follows the chain through RPC nodes and a stream, from the anchor or from the newest final slot.
 * Ends with `signal`, or after the problem that says why the log cannot continue.
 */
export function createRpcSource(options: RpcSourceOptions): RpcSource {
  return new FollowingSource(options);
}

class FollowingSource implements RpcSource {
  readonly areBlocksFinal = false;
  private readonly options: RpcSourceOptions;
  private follower: ChainFollower | null = null;
  private counts = { blocks: 0, transactions: 0, votes: 0, problems: 0 };

  constructor(options: RpcSourceOptions) {
    this.options = options;
  }

  get headSlot(): Slot | null {
    return this.status?.tipSlot ?? null;
  }

  get status(): SourceStatus | null {
    return this.follower?.status ?? null;
  }

  get summary(): SourceSummary {
    return { ...this.counts, duplicates: this.status?.duplicates ?? 0 };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SourceItem> {
    const { options } = this;
    const { signal } = options;
    this.counts = { blocks: 0, transactions: 0, votes: 0, problems: 0 };
    const follower = new ChainFollower({
      endpoints: options.endpoints,
      anchor: options.anchor ?? null,
      gaps: options.gaps ?? [],
      finality: options.finality ?? null,
      fetcher: options.fetcher ?? null,
      comparison: options.comparison ?? null,
      stream: options.stream ?? null,
      tuning: { ...RPC_TUNING, ...options.tuning },
      clock: options.clock ?? monotonicClock,
      random: options.random ?? Math.random,
      ...(options.pool === undefined ? {} : { pool: options.pool }),
      ...(options.onNotice === undefined ? {} : { onNotice: options.onNotice }),
    });
    this.follower = follower;
    const close = () => follower.close();
    signal?.addEventListener('abort', close, { once: true });
    if (signal?.aborted === true) close();
    const background = follower.runInBackground(options.beside);
    try {
      for await (const item of follower.follow()) {
        this.count(item);
        yield item;
      }
    } finally {
      signal?.removeEventListener('abort', close);
      close();
      await background;
    }
  }

  private count(item: SourceItem): void {
    if (item.kind === 'problem') this.counts.problems++;
    const slot = item.kind === 'facts' ? item.facts : item.kind === 'block' ? item.block : null;
    if (slot === null) return;
    this.counts.blocks++;
    this.counts.transactions += slot.transactions.length;
    this.counts.votes += slot.voteCount;
  }
}
