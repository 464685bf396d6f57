import fc from 'fast-check';
import type { BlockLink } from '../../src/chain/block-link.ts';
import type { LogStep } from '../../src/chain/log-step.ts';
import type { Slot } from '../../src/model/units.ts';

/** A block tree and its canonical branch: the one with the highest slot. */
export interface BlockTree {
  /** The root that everything grows from; not a block of the tree. */
  readonly anchor: { readonly slot: Slot; readonly blockhash: string };
  readonly blocks: readonly BlockLink[];
  readonly canonical: readonly BlockLink[];
}

export interface TreeShape {
  readonly length: number;
  /** Maximum number of slots between the last block of a dropped branch and its fork point. */
  readonly forkSlotsMax: number;
}

/** The plan of one slot. */
interface SlotPlan {
  readonly isSkipped: boolean;
  /** A dropped branch grows from the block of this slot: which slots after it have blocks. */
  readonly fork: readonly boolean[];
  /** A second block of the slot, followed by no block or by one. */
  readonly twin: 'none' | 'alone' | 'followed';
}

const FIRST_SLOT = 1_000;

/** Random trees: skipped slots, dropped branches, equivocation. The last block is canonical and alone. */
export function blockTrees({ length, forkSlotsMax }: TreeShape): fc.Arbitrary<BlockTree> {
  const plan = fc.record<SlotPlan>({
    isSkipped: weighted(0.2),
    fork: fc.oneof(
      { weight: 6, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(fc.boolean(), { maxLength: forkSlotsMax, size: 'max' }) },
    ),
    twin: fc.oneof(
      { weight: 8, arbitrary: fc.constant('none' as const) },
      { weight: 1, arbitrary: fc.constantFrom('alone' as const, 'followed' as const) },
    ),
  });
  const plans = fc.array(plan, { minLength: 1, maxLength: length, size: 'max' });
  return plans.map((slots) => growTree(slots, forkSlotsMax));
}

function weighted(rate: number): fc.Arbitrary<boolean> {
  return fc.integer({ min: 0, max: 99 }).map((roll) => roll < rate * 100);
}

function growTree(plans: readonly SlotPlan[], forkSlotsMax: number): BlockTree {
  const anchor = { slot: FIRST_SLOT as Slot, blockhash: 'anchor' };
  const canonical: BlockLink[] = [];
  const dropped: BlockLink[] = [];
  let parent = anchor;
  plans.forEach((plan, index) => {
    if (plan.isSkipped) return;
    const slot = FIRST_SLOT + 1 + index;
    if (plan.twin !== 'none') {
      const twin = blockAfter(parent, slot, 'twin');
      dropped.push(twin);
      const isInReach = slot + 1 - parent.slot <= forkSlotsMax;
      if (plan.twin === 'followed' && isInReach)
        dropped.push(blockAfter(twin, slot + 1, 'twin-child'));
    }
    const block = blockAfter(parent, slot, 'main');
    canonical.push(block);
    parent = block;
    dropped.push(...branchAfter(block, plan.fork));
  });
  const lastSlot = FIRST_SLOT + plans.length + forkSlotsMax + 2;
  canonical.push(blockAfter(parent, lastSlot, 'main'));
  return { anchor, blocks: [...canonical, ...dropped], canonical };
}

function branchAfter(from: BlockLink, hasBlock: readonly boolean[]): BlockLink[] {
  const branch: BlockLink[] = [];
  hasBlock.forEach((isMade, distance) => {
    if (!isMade) return;
    const slot = from.slot + 1 + distance;
    branch.push(blockAfter(branch.at(-1) ?? from, slot, `fork-of-${from.slot}`));
  });
  return branch;
}

export function blockAfter(
  parent: { readonly slot: Slot; readonly blockhash: string },
  slot: number,
  name: string,
): BlockLink {
  return {
    slot: slot as Slot,
    blockhash: `${name}-${slot}`,
    parentSlot: parent.slot,
    previousBlockhash: parent.blockhash,
  };
}

/**
 * Applies the log step by step to a plain list. Throws when a step breaks the rules of the log, so
 * that a test shows which one.
 */
export class LogReader {
  readonly blocks: BlockLink[] = [];
  readonly skipped = new Set<number>();
  missing: { readonly from: number; readonly to: number; readonly reason: string }[] = [];
  finalSlot: number;
  undos = 0;
  late = 0;
  drops = 0;
  private readonly anchor: { readonly slot: number; readonly blockhash: string };

  constructor(anchor: { readonly slot: number; readonly blockhash: string }) {
    this.anchor = anchor;
    this.finalSlot = anchor.slot;
  }

  read(steps: readonly LogStep<BlockLink>[]): void {
    for (const step of steps) this.readStep(step);
  }

  private readStep(step: LogStep<BlockLink>): void {
    if (step.kind === 'block') this.append(step.block);
    else if (step.kind === 'undo') this.undo(step.toSlot, step.toBlockhash);
    else if (step.kind === 'missing') this.missing.push(step);
    else if (step.kind === 'dropped') this.drop(step);
    else if (step.kind === 'skipped') this.skip(step.from, step.to);
    else this.finish(step.slot);
  }

  /** Slots reported as missing that neither arrived late nor were proven to be empty. */
  get stillMissing(): readonly number[] {
    const known = new Set([...this.skipped, ...this.blocks.map(({ slot }) => slot)]);
    return this.missing
      .flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
      .filter((slot) => !known.has(slot));
  }

  /** A late block is the parent of the next one, and its slot was reported as missing. */
  private insert(block: BlockLink): void {
    const next = this.blocks.findIndex(({ slot }) => slot > block.slot);
    const follower = this.blocks[next];
    const isParent =
      follower?.parentSlot === block.slot && follower.previousBlockhash === block.blockhash;
    if (!isParent) throw new Error(`${block.blockhash} comes late and belongs nowhere`);
    if (!this.stillMissing.includes(block.slot)) throw new Error(`${block.slot} was not missing`);
    this.blocks.splice(next, 0, block);
    this.late++;
  }

  private append(block: BlockLink): void {
    if (block.slot <= this.finalSlot) {
      this.insert(block);
      return;
    }
    const last = this.blocks.at(-1) ?? this.anchor;
    if (block.slot <= last.slot) throw new Error(`${block.slot} comes after ${last.slot}`);
    const isLinked = block.parentSlot === last.slot && block.previousBlockhash === last.blockhash;
    const isBehindGap = this.missing.some(({ to }) => to === block.parentSlot);
    if (!isLinked && !isBehindGap) throw new Error(`${block.blockhash} follows nothing`);
    this.blocks.push(block);
  }

  private undo(toSlot: number, toBlockhash: string): void {
    if (toSlot < this.finalSlot) throw new Error(`an undo to ${toSlot} takes back a final slot`);
    while ((this.blocks.at(-1)?.slot ?? -1) > toSlot) this.blocks.pop();
    this.missing = this.missing.filter(({ to }) => to <= toSlot);
    const last = this.blocks.at(-1) ?? this.anchor;
    if (last.slot !== toSlot || last.blockhash !== toBlockhash) {
      throw new Error(`an undo leads to ${toSlot}, which the log does not hold`);
    }
    this.undos++;
  }

  /** Earlier reports about these slots no longer apply. */
  private drop({ from, to }: { readonly from: number; readonly to: number }): void {
    if (to > this.finalSlot) throw new Error(`${to} is dropped and not final`);
    const kept = this.blocks.filter(({ slot }) => slot < from || slot > to);
    this.blocks.splice(0, this.blocks.length, ...kept);
    for (let slot = from; slot <= to; slot++) this.skipped.delete(slot);
    this.missing.push({ from, to, reason: 'dropped' });
    this.drops++;
  }

  private skip(from: number, to: number): void {
    for (let slot = from; slot <= to; slot++) this.skipped.add(slot);
  }

  private finish(slot: number): void {
    if (slot <= this.finalSlot) throw new Error(`final went back to ${slot}`);
    if (!this.blocks.some((block) => block.slot === slot)) throw new Error(`${slot} is not held`);
    this.finalSlot = slot;
  }
}
