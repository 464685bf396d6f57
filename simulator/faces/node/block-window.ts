import type { SimulatedBlock } from '../../chain/simulated-transaction.ts';
import type { ChainStep } from '../../market/world.ts';

export type Commitment = 'processed' | 'confirmed' | 'finalized';

export interface WindowOptions {
  /** How many slots are kept, counted back from the newest block. */
  readonly windowSlots: number;
  /** How many slots a block waits to be confirmed, and to be finalized. */
  readonly confirmedLagSlots: number;
  readonly finalizedLagSlots: number;
}

/** The block a commitment has come to; `step` is null for the block before the first one held. */
export interface Tip {
  readonly slot: number;
  readonly blockHeight: number;
  readonly blockhash: string;
  readonly step: ChainStep | null;
}

/** Where a transaction of the branch that stayed stands. */
export interface TransactionPlace {
  readonly block: SimulatedBlock;
  readonly txIndex: number;
}

/** Places are kept as one number: slot times this plus the position. */
const POSITIONS = 2 ** 16;

/** The blocks of the last slots, on every branch. */
export class BlockWindow {
  private readonly options: WindowOptions;
  private readonly bySlot = new Map<number, ChainStep>();
  private readonly placeOf = new Map<string, number>();
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

  /** Blocks held, all branches counted. */
  get size(): number {
    return this.bySlot.size;
  }

  /** Takes the next block, in the order of slots. */
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
        if (signature !== undefined) this.placeOf.set(signature, slot * POSITIONS + txIndex);
      });
    }
    this.forgetBefore(slot - this.options.windowSlots + 1);
  }

  private forgetBefore(slot: number): void {
    for (const [held, { block, isCanonical }] of this.bySlot) {
      if (held >= slot) return;
      this.bySlot.delete(held);
      if (!isCanonical) continue;
      for (const { signatures } of block.transactions) this.placeOf.delete(signatures[0] ?? '');
    }
  }

  find(signature: string): TransactionPlace | null {
    const place = this.placeOf.get(signature);
    if (place === undefined) return null;
    const block = this.bySlot.get(Math.floor(place / POSITIONS))?.block;
    return block === undefined ? null : { block, txIndex: place % POSITIONS };
  }

  /**
   * What is to be seen `behindSlots` before the newest block. With `confirmsDropped`, lag alone
   * decides what is confirmed, so that blocks of a branch that will be dropped can become final.
   * Throws Error before the first block.
   */
  view(behindSlots = 0, confirmsDropped = false): ChainView {
    if (this.newest === null) throw new Error('no block has been made yet');
    return new ChainView(
      this.bySlot,
      this.options,
      this.newest.block.slot - behindSlots,
      confirmsDropped,
    );
  }
}

/** The chain as it is to be seen at one moment. */
export class ChainView {
  /** Steps in the order of slots, none newer than the head. */
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

  /** The block of a slot as far as the commitment shows it; of every branch for `processed`. */
  blockAt(slot: number, commitment: Commitment): ChainStep | null {
    if (slot > this.tips[commitment].slot) return null;
    const step = this.steps.find(({ block }) => block.slot === slot);
    if (step === undefined) return null;
    return commitment === 'processed' || this.isShown(step) ? step : null;
  }

  /** Whether the newest block stands on a block of a branch that will be dropped. */
  isUnsettled(slot: number): boolean {
    const settled = this.steps.findLast(({ isCanonical }) => isCanonical);
    return slot >= this.firstAvailable && slot > (settled?.block.slot ?? -1);
  }

  /** The blocks a commitment shows after one slot and up to another, in order. */
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

/** Slots of a block and of all held before it on its branch. */
function branchOf(head: ChainStep, bySlot: ReadonlyMap<number, ChainStep>): Set<number> {
  const branch = new Set<number>();
  let step: ChainStep | undefined = head;
  while (step !== undefined) {
    branch.add(step.block.slot);
    step = bySlot.get(step.block.parentSlot);
  }
  return branch;
}
