import { type BlockLink, type ChainPoint, keyOf, parentOf } from './block-link.ts';

/** A chain of pending blocks; the parent of `root` is not among them. */
export interface PendingBranch<Block> {
  readonly root: Block;
  /** The block of the highest slot. */
  readonly tip: Block;
  /** Blocks from root to tip, both included. */
  readonly length: number;
}

/** Blocks that wait for their turn, at most `max`. */
export class PendingBlocks<Block extends BlockLink> {
  private readonly blocks = new Map<string, Block>();
  private readonly max: number;

  constructor(max: number) {
    this.max = max;
  }

  get size(): number {
    return this.blocks.size;
  }

  has(point: ChainPoint): boolean {
    return this.blocks.has(keyOf(point));
  }

  get(point: ChainPoint): Block | null {
    return this.blocks.get(keyOf(point)) ?? null;
  }

  /** The earliest pending ancestor of this block. */
  rootOf(block: Block): Block {
    let root = block;
    for (
      let parent = this.get(parentOf(root));
      parent !== null;
      parent = this.get(parentOf(root))
    ) {
      root = parent;
    }
    return root;
  }

  /**
   * When full, drops the branches that end at or before `headSlot`, or else the block of the
   * highest slot. Returns false if that is the block being added.
   */
  add(block: Block, headSlot: number): boolean {
    if (this.blocks.size >= this.max) this.dropBranchesUpTo(headSlot);
    this.blocks.set(keyOf(block), block);
    if (this.blocks.size <= this.max) return true;
    let highest = block;
    for (const pending of this.blocks.values()) if (pending.slot > highest.slot) highest = pending;
    this.blocks.delete(keyOf(highest));
    return highest !== block;
  }

  /** One branch per block without a pending child, the lowest root first. */
  branches(): PendingBranch<Block>[] {
    const inOrder = [...this.blocks.values()].sort(bySlotThenHash);
    const branchAt = new Map<string, PendingBranch<Block>>();
    const tips = new Set<string>();
    for (const block of inOrder) {
      const parentKey = keyOf(parentOf(block));
      const parent = branchAt.get(parentKey);
      const branch =
        parent === undefined
          ? { root: block, tip: block, length: 1 }
          : { root: parent.root, tip: block, length: parent.length + 1 };
      branchAt.set(keyOf(block), branch);
      tips.delete(parentKey);
      tips.add(keyOf(block));
    }
    const branches = [...branchAt].filter(([key]) => tips.has(key)).map(([, branch]) => branch);
    return branches.sort((one, other) => bySlotThenHash(one.root, other.root));
  }

  /** Removes and returns the blocks of a branch, from root to tip. */
  take({ root, tip }: PendingBranch<Block>): Block[] {
    const path: Block[] = [];
    let block: Block | undefined = tip;
    while (block !== undefined) {
      path.push(block);
      this.blocks.delete(keyOf(block));
      block = block === root ? undefined : this.blocks.get(keyOf(parentOf(block)));
    }
    return path.reverse();
  }

  private dropBranchesUpTo(slot: number): void {
    const kept = new Map<string, Block>();
    for (const { root, tip } of this.branches()) {
      if (tip.slot <= slot) continue;
      for (let block: Block | undefined = tip; block !== undefined; ) {
        kept.set(keyOf(block), block);
        block = block === root ? undefined : this.blocks.get(keyOf(parentOf(block)));
      }
    }
    for (const key of this.blocks.keys()) if (!kept.has(key)) this.blocks.delete(key);
  }

  drop(point: ChainPoint): void {
    this.blocks.delete(keyOf(point));
  }

  /** Forgets blocks up to a slot. */
  dropUpTo(slot: number): void {
    for (const [key, block] of this.blocks) if (block.slot <= slot) this.blocks.delete(key);
  }
}

/** Orders two blocks of one slot by hash, independent of their order of arrival. */
function bySlotThenHash(one: ChainPoint, other: ChainPoint): number {
  return one.slot - other.slot || (one.blockhash < other.blockhash ? -1 : 1);
}
