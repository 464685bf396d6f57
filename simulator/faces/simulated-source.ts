import type { Source, SourceItem, SourceSummary } from '../../src/chain/source.ts';
import type { ChainStep } from '../market/world.ts';
import { toChainBlock } from './to-chain-block.ts';

/** A chain that is advanced slot by slot, such as a `World` or a `Simulation`. */
export interface SteppingChain {
  /** Advances one slot; null if it has no block. */
  step(): ChainStep | null;
}

export interface SimulatedSourceOptions {
  /** Number of slots until the source ends. */
  readonly slots: number;
  /** Ends the source between two slots. */
  readonly signal?: AbortSignal;
}

/** Slots per turn of the event loop: the simulation itself never waits for anything. */
const SLOTS_PER_TURN = 16;

/**
 * The canonical blocks of a simulation as a source, in slot order, generated while they are read,
 * so nothing accumulates. `begin` restarts the simulation from its seed for each iteration.
 */
export function createSimulatedSource(
  begin: () => SteppingChain,
  options: SimulatedSourceOptions,
): Source {
  return new SimulatedSource(begin, options);
}

class SimulatedSource implements Source {
  readonly areBlocksFinal = true;
  private readonly begin: () => SteppingChain;
  private readonly options: SimulatedSourceOptions;
  private counts = noCounts();

  constructor(begin: () => SteppingChain, options: SimulatedSourceOptions) {
    this.begin = begin;
    this.options = options;
  }

  get summary(): SourceSummary {
    return { ...this.counts };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SourceItem> {
    this.counts = noCounts();
    const chain = this.begin();
    for (let passed = 0; passed < this.options.slots; passed++) {
      if (this.options.signal?.aborted === true) return;
      const step = chain.step();
      if (step?.isCanonical === true) yield this.toItem(step);
      if (passed % SLOTS_PER_TURN === SLOTS_PER_TURN - 1) await new Promise(setImmediate);
    }
  }

  private toItem({ block: simulated }: ChainStep): SourceItem {
    const block = toChainBlock(simulated);
    this.counts.blocks++;
    this.counts.transactions += block.transactions.length;
    this.counts.votes += block.voteCount;
    return { kind: 'block', block };
  }
}

function noCounts(): { -readonly [Name in keyof SourceSummary]: number } {
  return { blocks: 0, transactions: 0, votes: 0, duplicates: 0, problems: 0 };
}
