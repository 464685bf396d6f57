import { hashOfBytes } from './pages/bytes-hash.ts';
import { firstWordOf } from './pages/page-frames.ts';
import type { PagePool } from './pages/page-pool.ts';
import type { PageSpace } from './pages/page-space.ts';
import type { UndoLog } from './undo-log.ts';

const FIRST_SEED = 0x9e3779b1;
const SECOND_SEED = 0x7f4a7c15;

/**
 * Hashes of encoded objects by number: two words each, both 0 without an object. A WordList has
 * room for the words of half of all numbers below 2^32 only.
 */
export class ObjectHashes {
  private readonly space: PageSpace;
  private readonly pool: PagePool;

  constructor(undo: UndoLog, name: string) {
    this.pool = undo.pages;
    this.space = this.pool.createSpace(name, 'words');
  }

  /** Whether there is a hash of this number. */
  has(id: number): boolean {
    return !this.isPair(id, 0, 0);
  }

  /** Whether these are the bytes of the hash. */
  isOf(id: number, bytes: Uint8Array): boolean {
    return this.isPair(id, firstOf(bytes), hashOfBytes(bytes, SECOND_SEED));
  }

  /** Sets the hash to that of the bytes; null for no object. */
  set(id: number, bytes: Uint8Array | null): void {
    const frame = this.space.frameOf(id >>> PAIR_BITS);
    const index = (id & PAIR_MASK) * 2;
    this.pool.change(frame, 1 << (index >>> BLOCK_SHIFT));
    const { words } = this.pool.frames.slabOf(frame);
    const at = firstWordOf(frame) + index;
    words[at] = bytes === null ? 0 : firstOf(bytes);
    words[at + 1] = bytes === null ? 0 : hashOfBytes(bytes, SECOND_SEED);
  }

  private isPair(id: number, first: number, second: number): boolean {
    const frame = this.space.frameOf(id >>> PAIR_BITS);
    const { words } = this.pool.frames.slabOf(frame);
    const at = firstWordOf(frame) + (id & PAIR_MASK) * 2;
    return words[at] === first && words[at + 1] === second;
  }
}

/** A page has 128 pairs of words, a block eight words. */
const PAIR_BITS = 7;
const PAIR_MASK = (1 << PAIR_BITS) - 1;
const BLOCK_SHIFT = 3;

/** Never 0, so that the two words never say that there is no object. */
function firstOf(bytes: Uint8Array): number {
  return hashOfBytes(bytes, FIRST_SEED) || 1;
}
