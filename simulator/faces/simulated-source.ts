import type { Source, SourceItem, SourceSummary } from '../../src/chain/source.ts';
import type { ChainStep } from '../market/world.ts';
import { toChainBlock } from './to-chain-block.ts';

/** A chain that can be watched slot by slot. A `World` is one, and a `Simulation`. */
export interface SteppingChain {
  /** Lets one slot pass; null when it brings no block. */
  step(): ChainStep | null;
}

export interface SimulatedSourceOptions {
  /** How many slots pass before the source ends. */
  readonly slots: number;
  /** Ends the source between two slots. */
  readonly signal?: AbortSignal;
}

/** How often others get their turn: the simulation itself never waits for anything. */
const SLOTS_PER_TURN = 16;

/**
 * Blocks of a simulation as a source: those that stay, in slot order, made while they are read, so
 * that nothing piles up. `begin` makes the simulation anew for each iteration, from its seed.
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
      if (step?.isCanonical === true) yield this.told(step);
      if (passed % SLOTS_PER_TURN === SLOTS_PER_TURN - 1) await new Promise(setImmediate);
    }
  }

  private told({ block: simulated }: ChainStep): SourceItem {
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
