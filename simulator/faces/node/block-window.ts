import type { SimulatedBlock } from '../../chain/simulated-transaction.ts';
import type { ChainStep } from '../../market/world.ts';

export type Commitment = 'processed' | 'confirmed' | 'finalized';

export interface WindowOptions {
  /** Number of slots kept, counted back from the newest block. */
  readonly windowSlots: number;
  /** Number of slots until a block is confirmed, and until it is finalized. */
  readonly confirmedLagSlots: number;
  readonly finalizedLagSlots: number;
}

/**
 * The newest block of a commitment level; `step` is null for the block before the first one held.
 */
export interface Tip {
  readonly slot: number;
  readonly blockHeight: number;
  readonly blockhash: string;
  readonly step: ChainStep | null;
}

/** The position of a transaction on the canonical branch. */
export interface TransactionPlace {
  readonly block: SimulatedBlock;
  readonly txIndex: number;
}

/** Positions are stored as one number: slot times this plus the index in the block. */
const POSITIONS = 2 ** 16;

/** The blocks of the last slots, on all branches. */
export class BlockWindow {
  private readonly options: WindowOptions;
  private readonly bySlot = new Map<number, ChainStep>();
  private readonly positions = new Map<string, number>();
  private newest: ChainStep | null = null;

  constructor(options: WindowOptions) {
    const { windowSlots, confirmedLagSlots, finalizedLagSlots } = options;
    if (confirmedLagSlots > finalizedLagSlots || finalizedLagSlots >= windowSlots) {
      throw new RangeError(
        'a window holds more slots than finality waits, finality more than confirmation',
      );
    }
    this.options = options;
  }

  /** Number of blocks held on all branches. */
  get size(): number {
    return this.bySlot.size;
  }

  /** Adds the next block, in slot order. */
  accept(step: ChainStep): void {
    const { slot } = step.block;
    if (this.newest !== null && slot <= this.newest.block.slot) {
      throw new RangeError(`slot ${slot} comes after slot ${this.newest.block.slot}`);
    }
    this.bySlot.set(slot, step);
    this.newest = step;
    if (step.isCanonical) {
      step.block.transactions.forEach(({ signatures }, txIndex) => {
        const [signature] = signatures;
        if (signature !== undefined) this.positions.set(signature, slot * POSITIONS + txIndex);
      });
    }
    this.forgetBefore(slot - this.options.windowSlots + 1);
  }

  private forgetBefore(slot: number): void {
    for (const [held, { block, isCanonical }] of this.bySlot) {
      if (held >= slot) return;
      this.bySlot.delete(held);
      if (!isCanonical) continue;
      for (const { signatures } of block.transactions) this.positions.delete(signatures[0] ?? '');
    }
  }

  find(signature: string): TransactionPlace | null {
    const position = this.positions.get(signature);
    if (position === undefined) return null;
    const block = this.bySlot.get(Math.floor(position / POSITIONS))?.block;
    return block === undefined ? null : { block, txIndex: position % POSITIONS };
  }

  /**
   * The view `behindSlots` before the newest block. With `confirmsDropped`, only the lag decides
   * what is confirmed, so blocks of a branch that will be dropped can become final. Throws Error
   * before the first block.
   */
  view(behindSlots = 0, confirmsDropped = false): ChainView {
    if (this.newest === null) throw new Error('no block has been produced yet');
    return new ChainView(
      this.bySlot,
      this.options,
      this.newest.block.slot - behindSlots,
      confirmsDropped,
    );
  }
}

/** The visible part of the chain at one moment. */
export class ChainView {
  /** Steps in slot order, none newer than the head. */
  private readonly steps: readonly ChainStep[];
  private readonly isShown: (step: ChainStep) => boolean;
  private readonly tips: Readonly<Record<Commitment, Tip>>;
  readonly firstAvailable: number;

  constructor(
    bySlot: ReadonlyMap<number, ChainStep>,
    { confirmedLagSlots, finalizedLagSlots }: WindowOptions,
    newestSlot: number,
    confirmsDropped: boolean,
  ) {
    const all = [...bySlot.values()];
    const past = all.filter(({ block }) => block.slot <= newestSlot);
    this.steps = past.length > 0 ? past : all.slice(0, 1);
    const head = this.steps.at(-1) as ChainStep;
    const branch = confirmsDropped ? branchOf(head, bySlot) : null;
    this.isShown = (step) => branch?.has(step.block.slot) ?? step.isCanonical;
    this.firstAvailable = (this.steps[0] as ChainStep).block.slot;
    this.tips = {
      processed: tipAt(head),
      confirmed: this.tipBehind(head.block.slot - confirmedLagSlots),
      finalized: this.tipBehind(head.block.slot - finalizedLagSlots),
    };
  }

  tip(commitment: Commitment): Tip {
    return this.tips[commitment];
  }

  /** The block of a slot as visible at the commitment level; of any branch for `processed`. */
  blockAt(slot: number, commitment: Commitment): ChainStep | null {
    if (slot > this.tips[commitment].slot) return null;
    const step = this.steps.find(({ block }) => block.slot === slot);
    if (step === undefined) return null;
    return commitment === 'processed' || this.isShown(step) ? step : null;
  }

  /** Whether the newest block builds on a block of a branch that will be dropped. */
  isUnsettled(slot: number): boolean {
    const settled = this.steps.findLast(({ isCanonical }) => isCanonical);
    return slot >= this.firstAvailable && slot > (settled?.block.slot ?? -1);
  }

  /** The blocks visible at a commitment level after one slot and up to another, in order. */
  blocksBetween(afterSlot: number, lastSlot: number, commitment: Commitment): readonly ChainStep[] {
    const end = Math.min(lastSlot, this.tips[commitment].slot);
    return this.steps.filter(
      (step) =>
        step.block.slot > afterSlot &&
        step.block.slot <= end &&
        (commitment === 'processed' || this.isShown(step)),
    );
  }

  private tipBehind(slot: number): Tip {
    const step = this.steps.findLast((held) => held.block.slot <= slot && this.isShown(held));
    if (step !== undefined) return tipAt(step);
    return tipBefore(this.steps.find(this.isShown) ?? (this.steps[0] as ChainStep));
  }
}

function tipAt(step: ChainStep): Tip {
  const { slot, blockHeight, blockhash } = step.block;
  return { slot, blockHeight, blockhash, step };
}

function tipBefore({ block }: ChainStep): Tip {
  const { parentSlot, blockHeight, previousBlockhash } = block;
  return {
    slot: parentSlot,
    blockHeight: blockHeight - 1,
    blockhash: previousBlockhash,
    step: null,
  };
}

/** Slots of a block and of all held blocks before it on its branch. */
function branchOf(head: ChainStep, bySlot: ReadonlyMap<number, ChainStep>): Set<number> {
  const branch = new Set<number>();
  let step: ChainStep | undefined = head;
  while (step !== undefined) {
    branch.add(step.block.slot);
    step = bySlot.get(step.block.parentSlot);
  }
  return branch;
}
