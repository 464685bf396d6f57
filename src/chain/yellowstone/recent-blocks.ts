import type { Slot } from '../../model/units.ts';

/** Replays span some hundred slots. */
const BLOCKS_MAX = 2_048;

/** Which blocks were given lately. */
export class RecentBlocks {
  private readonly hashes = new Map<Slot, readonly string[]>();
  private newest: Slot | null = null;

  /** The highest slot of which a block was given. */
  get newestSlot(): Slot | null {
    return this.newest;
  }

  /** False for a block that was given before. A slot may have several. */
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

/** A leader that signs many blocks of its slot is not to fill memory. */
const BLOCKS_OF_SLOT_MAX = 8;
