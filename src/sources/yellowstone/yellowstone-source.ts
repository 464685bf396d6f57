import type { ChainBlock } from '../../model/transaction.ts';
import type { Slot } from '../../model/units.ts';
import { type ChainPoint, keyOf } from '../block-link.ts';
import { Continuity, type LogStep } from '../continuity.ts';
import { confirmedPlus, type FinalityStrategy } from '../finality.ts';
import type { Source, SourceItem, SourceSummary } from '../source.ts';
import {
  type FeedOptions,
  type LinkedBlock,
  YellowstoneFeed,
  type YellowstoneItem,
} from './yellowstone-feed.ts';

/** What somebody else has of a block that the stream did not bring. */
export type HoleFill =
  | { readonly kind: 'block'; readonly block: LinkedBlock }
  /** Nobody has it, as far as can be told; a sentence says why. */
  | { readonly kind: 'nobody'; readonly reason: string };

export interface YellowstoneSourceOptions extends Omit<FeedOptions, 'resumeSlot'> {
  /** The last final block that is stored; null: the log begins with the first block that comes. */
  readonly anchor?: ChainPoint | null;
  readonly finality?: FinalityStrategy;
  /** Gets a block elsewhere, bounded in time. The stream waits meanwhile. Never rejects. */
  readonly fillHole: (point: ChainPoint) => Promise<HoleFill>;
  /** Told of everything that is not part of the log. */
  readonly onEvent?: (event: FeedEvent) => void;
}

export type FeedEvent =
  | Extract<YellowstoneItem, { kind: 'interrupted' | 'incomplete' | 'denied' }>
  /** The log cannot go on. */
  | { readonly kind: 'stopped'; readonly reason: string };

/**
 * The log of a Yellowstone stream: blocks in order, forks as `undo`, holes filled from elsewhere or
 * named missing. Ends with the signal, when the server refuses this caller, or when the chain
 * contradicts what was final.
 */
export class YellowstoneSource implements Source {
  readonly areBlocksFinal = false;
  readonly feed: YellowstoneFeed;
  private readonly options: YellowstoneSourceOptions;
  private readonly continuity: Continuity<LinkedBlock>;
  private tipSlot: Slot | null = null;
  private readonly counts = { blocks: 0, transactions: 0, votes: 0 };

  constructor(options: YellowstoneSourceOptions) {
    this.options = options;
    this.continuity = new Continuity({
      anchor: options.anchor ?? null,
      finality: options.finality ?? confirmedPlus(),
    });
    this.feed = new YellowstoneFeed({
      ...options,
      // What waits for its parent would be lost with this process, so that it does not count.
      resumeSlot: () => this.continuity.head?.slot ?? null,
    });
  }

  get headSlot(): Slot | null {
    return this.tipSlot;
  }

  get summary(): SourceSummary {
    const { duplicates, problems } = this.feed.summary;
    return { ...this.counts, duplicates, problems };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SourceItem, void> {
    for await (const item of this.feed) {
      yield* this.itemsOf(item);
      yield* this.fillHoles();
      const { stopReason } = this.continuity;
      if (stopReason === null) continue;
      this.options.onEvent?.({ kind: 'stopped', reason: stopReason });
      return;
    }
  }

  private itemsOf(item: YellowstoneItem): readonly SourceItem[] {
    switch (item.kind) {
      case 'block':
        this.observe(item.block.slot);
        return this.logged(this.continuity.accept(item.block).steps);
      case 'slot':
        if (item.status !== 'dead') this.observe(item.slot);
        if (item.status !== 'finalized') return [];
        return this.logged(this.continuity.observeFinal(item.slot));
      case 'problem':
        return [item];
      case 'incomplete':
      case 'interrupted':
      case 'denied':
        this.options.onEvent?.(item);
        return [];
    }
  }

  /** Goes back from block to parent until the log is met, or nobody has one. */
  private async *fillHoles(): AsyncGenerator<SourceItem, void> {
    const { signal, fillHole } = this.options;
    const tried = new Set<string>();
    for (;;) {
      const point = this.continuity.wanted().find((wanted) => !tried.has(keyOf(wanted)));
      if (point === undefined || signal.aborted) return;
      tried.add(keyOf(point));
      const fill = await fillHole(point);
      const isIt =
        fill.kind === 'block' &&
        fill.block.slot === point.slot &&
        fill.block.blockhash === point.blockhash;
      const accepted = isIt ? this.continuity.accept(fill.block) : null;
      if (accepted?.verdict === 'taken') {
        yield* this.logged(accepted.steps);
        continue;
      }
      const reason = fill.kind === 'nobody' ? fill.reason : REASON_OF[accepted?.verdict ?? 'other'];
      yield* this.logged(this.continuity.giveUp(point, reason));
    }
  }

  private logged(steps: readonly LogStep<LinkedBlock>[]): readonly SourceItem[] {
    for (const step of steps) if (step.kind === 'block') this.count(step.block);
    return steps;
  }

  private count({ transactions, voteCount }: ChainBlock): void {
    this.counts.blocks++;
    this.counts.transactions += transactions.length;
    this.counts.votes += voteCount;
  }

  private observe(slot: Slot): void {
    if (this.tipSlot === null || slot > this.tipSlot) this.tipSlot = slot;
  }
}

/** Why a block that was got elsewhere did not close its hole. */
const REASON_OF = {
  other: 'another block was given in its place',
  known: 'it was given before',
  late: 'its slot is final',
  refused: 'it claims a parent that does not come before it',
  'no-room': 'too many blocks wait for it',
  taken: '',
};
