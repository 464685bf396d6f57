import { asSlot, type Slot } from '../../model/units.ts';
import type { Source, SourceItem, SourceSummary } from '../source.ts';
import type { BlockFetcher } from './nodes/block-fetcher.ts';
import { RetryingNodes, type RetryingNodesOptions } from './nodes/retrying-nodes.ts';
import { RangeFetch } from './range-fetch.ts';

/** Consecutive slots, both ends included. */
export interface SlotRun {
  readonly from: Slot;
  readonly to: Slot;
}

export interface RangeSourceOptions extends RetryingNodesOptions {
  /** The slots to fetch, ascending and disjoint. */
  readonly runs: readonly SlotRun[];
  readonly fetcher?: BlockFetcher | null;
  /** Called with sentences about nodes for the operator. */
  readonly onNotice?: (sentence: string) => void;
}

/** Slots of the past, and how fetching them ended. */
export interface RangeSource extends Source {
  /** The newest final slot at the start; null before. Slots after it are not fetched. */
  readonly finalSlot: Slot | null;
  /** Why it ended early, in a sentence; null when it did not, or was stopped by the signal. */
  readonly stopReason: string | null;
}

/**
 * Runs of past slots from RPC nodes: each slot is returned, proven skipped or reported missing.
 * Ends with `signal`, at the end of the runs, or when nodes no longer answer.
 */
export function createRangeSource(options: RangeSourceOptions): RangeSource {
  return new FetchedRuns(options);
}

class FetchedRuns implements RangeSource {
  readonly areBlocksFinal = true;
  finalSlot: Slot | null = null;
  stopReason: string | null = null;
  private readonly options: RangeSourceOptions;
  private counts = { blocks: 0, transactions: 0, votes: 0, duplicates: 0, problems: 0 };

  constructor(options: RangeSourceOptions) {
    this.options = options;
  }

  get summary(): SourceSummary {
    return { ...this.counts };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SourceItem> {
    this.counts = { blocks: 0, transactions: 0, votes: 0, duplicates: 0, problems: 0 };
    this.stopReason = null;
    const nodes = new RetryingNodes(this.options);
    await nodes.checkClusters(this.options.onNotice);
    const newest = await nodes.finalSlot();
    if (newest.status === 'denied' || newest.status === 'outage') {
      const { message, name } = newest.failure;
      this.stopReason = `No RPC node reports the final slot: ${message} (${name}).`;
    }
    if (newest.status !== 'ok') return;
    this.finalSlot = newest.value;
    for (const run of this.options.runs) {
      yield* this.fetchRun(nodes, run, newest.value);
      if (this.stopReason !== null || nodes.signal.aborted) return;
    }
  }

  private async *fetchRun(
    nodes: RetryingNodes,
    run: SlotRun,
    finalSlot: Slot,
  ): AsyncGenerator<SourceItem> {
    const to = asSlot(Math.min(run.to, finalSlot));
    if (run.from > to) return;
    const { fetcher = null } = this.options;
    const fetch = new RangeFetch(nodes, fetcher, { from: run.from, to, finalSlot });
    for await (const item of fetch.items()) {
      this.count(item);
      yield item;
    }
    this.stopReason = fetch.stopReason;
  }

  private count(item: SourceItem): void {
    const slot = item.kind === 'facts' ? item.facts : item.kind === 'block' ? item.block : null;
    if (slot === null) return;
    this.counts.blocks++;
    this.counts.transactions += slot.transactions.length;
    this.counts.votes += slot.voteCount;
  }
}
