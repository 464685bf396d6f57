import type { Source, SourceItem, SourceSummary } from '../../src/chain/source.ts';
import { type Clock, monotonicClock } from '../../src/lib/clock.ts';
import type { ChainStep } from '../market/world.ts';
import { toChainBlock } from './to-chain-block.ts';

/** A simulation with its own clock. */
export interface TimedChain {
  readonly world: { readonly nowMs: number };
  /** Advances one slot; null if it has no block. */
  step(): ChainStep | null;
}

export interface PacedSourceOptions {
  readonly chain: TimedChain;
  /** The chain time that is emitted without delay before the source follows the clock. */
  readonly pastMs: number;
  readonly signal: AbortSignal;
  /** Called once, when all of the past has been emitted. */
  readonly onPresent?: () => void;
  readonly clock?: Clock;
}

/** Slots per turn of the event loop while the past is emitted. */
const SLOTS_PER_TURN = 8;

/**
 * A live simulation: its past as fast as it is read, then each block when its time has come. Emits
 * canonical blocks only. It can be iterated once, and ends with the signal.
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
    // The present is fixed at the start: the time needed to emit the past is caught up afterwards.
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
