import type { Slot } from '../../model/units.ts';

/** Replays span a few hundred slots. */
const BLOCKS_MAX = 2_048;

/** Remembers which blocks were emitted recently. */
export class RecentBlocks {
  private readonly hashes = new Map<Slot, readonly string[]>();
  private newest: Slot | null = null;

  /** The highest slot of an emitted block. */
  get newestSlot(): Slot | null {
    return this.newest;
  }

  /** Returns false for a block that was emitted before. A slot may have several blocks. */
  add(slot: Slot, blockhash: string): boolean {
    const known = this.hashes.get(slot) ?? [];
    if (known.includes(blockhash)) return false;
    this.hashes.set(slot, [...known, blockhash].slice(-BLOCKS_OF_SLOT_MAX));
    if (this.newest === null || slot > this.newest) this.newest = slot;
    for (const oldest of this.hashes.keys()) {
      if (this.hashes.size <= BLOCKS_MAX) break;
      this.hashes.delete(oldest);
    }
    return true;
  }

  hasSlot(slot: Slot): boolean {
    return this.hashes.has(slot);
  }
}

/** A leader that signs many blocks of its slot must not fill memory. */
const BLOCKS_OF_SLOT_MAX = 8;
