import type { Source, SourceItem, SourceSummary } from '../../src/chain/source.ts';
import { type Clock, monotonicClock } from '../../src/lib/clock.ts';
import type { ChainStep } from '../market/world.ts';
import { toChainBlock } from './to-chain-block.ts';

/** A simulation with a clock of its own. */
export interface TimedChain {
  readonly world: { readonly nowMs: number };
  /** Lets one slot pass; null when it brings no block. */
  step(): ChainStep | null;
}

export interface PacedSourceOptions {
  readonly chain: TimedChain;
  /** How much of the chain's time has passed when the source begins to keep pace with the clock. */
  readonly pastMs: number;
  readonly signal: AbortSignal;
  /** Called once, when the past has been told. */
  readonly onPresent?: () => void;
  readonly clock?: Clock;
}

/** How often others get their turn while the past is told. */
const SLOTS_PER_TURN = 8;

/**
 * A simulation that lives: its past as fast as it is read, then its blocks when their time has come.
 * Only blocks that stay. It can be iterated once, and ends with the signal.
 */
export class PacedSource implements Source {
  readonly areBlocksFinal = true;
  private readonly options: PacedSourceOptions;
  private readonly clock: Clock;
  private counts = { blocks: 0, transactions: 0, votes: 0, duplicates: 0, problems: 0 };

  constructor(options: PacedSourceOptions) {
    this.options = options;
    this.clock = options.clock ?? monotonicClock;
  }

  get summary(): SourceSummary {
    return { ...this.counts };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SourceItem> {
    const { chain, pastMs, onPresent } = this.options;
    const presentMs = chain.world.nowMs + pastMs;
    // The present is when the telling begins: what the past takes to be told is made up for.
    const aheadMs = presentMs - this.clock.nowMs();
    yield* this.past(presentMs);
    onPresent?.();
    yield* this.present(aheadMs);
  }

  private async *past(presentMs: number): AsyncGenerator<SourceItem> {
    const { chain, signal } = this.options;
    for (let passed = 1; chain.world.nowMs < presentMs && !signal.aborted; passed++) {
      const item = this.nextSlot();
      if (item !== null) yield item;
      if (passed % SLOTS_PER_TURN === 0) await this.clock.sleep(0, signal);
    }
  }

  private async *present(aheadMs: number): AsyncGenerator<SourceItem> {
    const { chain, signal } = this.options;
    while (!signal.aborted) {
      const item = this.nextSlot();
      await this.clock.sleep(chain.world.nowMs - aheadMs - this.clock.nowMs(), signal);
      if (item !== null) yield item;
    }
  }

  private nextSlot(): SourceItem | null {
    const step = this.options.chain.step();
    if (step?.isCanonical !== true) return null;
    const block = toChainBlock(step.block);
    this.counts.blocks++;
    this.counts.transactions += block.transactions.length;
    this.counts.votes += block.voteCount;
    return { kind: 'block', block };
  }
}
