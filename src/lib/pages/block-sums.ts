import { addBlockHash, HASH_WORDS } from './block-hash.ts';
import { firstWordOf, META, metaOf, type PageFrames } from './page-frames.ts';
import { BLOCK_WORDS } from './page-layout.ts';

/** Blocks may wait for so long to be counted. */
const WAITING_MAX = 1 << 17;

/** The sum of a space among copied sums, in hexadecimal. */
export function sumText(sums: Uint32Array, space: number): string {
  const words = sums.subarray(space * HASH_WORDS, (space + 1) * HASH_WORDS);
  return Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');
}

/**
 * The sum of the hashes of all blocks of each space. The hash of a block is taken out of it at its
 * first change, and the new one added when the sums are settled.
 */
export class BlockSums {
  private readonly frames: PageFrames;
  private sums = new Uint32Array(0);
  /** Blocks to be counted: frame times 32 plus block. */
  private waiting = new Float64Array(1_024);
  private waitingCount = 0;

  constructor(frames: PageFrames) {
    this.frames = frames;
  }

  addSpace(): void {
    const larger = new Uint32Array(this.sums.length + HASH_WORDS);
    larger.set(this.sums);
    this.sums = larger;
  }

  /** Call before blocks of a frame change, `blocks` has a bit for each, unless they wait already. */
  leave(frame: number, blocks: number): void {
    for (let bits = blocks; bits !== 0; bits &= bits - 1) {
      const block = frame * 32 + 31 - Math.clz32(bits & -bits);
      this.add(block, -1);
      if (this.waitingCount === this.waiting.length) this.grow();
      this.waiting[this.waitingCount++] = block;
    }
  }

  /** Counts the blocks that wait; false if there are none. */
  settle(): boolean {
    if (this.waitingCount === 0) return false;
    for (let index = 0; index < this.waitingCount; index++) {
      this.add(this.waiting[index] as number, 1);
    }
    this.waitingCount = 0;
    return true;
  }

  get isLong(): boolean {
    return this.waitingCount > WAITING_MAX;
  }

  /** The sum of a space, in hexadecimal. */
  of(space: number): string {
    return sumText(this.sums, space);
  }

  /** A copy of all sums, for `restore`. */
  copy(): Uint32Array {
    return this.sums.slice();
  }

  /** Throws RangeError unless there is a sum for each space. */
  restore(sums: Uint32Array): void {
    if (sums.length !== this.sums.length) {
      throw new RangeError(`there are ${this.sums.length} words of sums, not ${sums.length}`);
    }
    this.sums.set(sums);
  }

  private add(frameBlock: number, sign: 1 | -1): void {
    const { frames, sums } = this;
    const block = frameBlock % 32;
    const frame = (frameBlock - block) / 32;
    const { meta, words } = frames.slabOf(frame);
    const at = metaOf(frame);
    const number = (meta[at + META.page] as number) * 32 + block;
    const sumAt = (meta[at + META.space] as number) * HASH_WORDS;
    const from = firstWordOf(frame) + block * BLOCK_WORDS;
    addBlockHash(words, from, number, sums, sumAt, sign);
  }

  private grow(): void {
    const larger = new Float64Array(this.waiting.length * 2);
    larger.set(this.waiting);
    this.waiting = larger;
  }
}
