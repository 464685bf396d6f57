import { addBlockHash, HASH_WORDS } from './block-hash.ts';
import { FrameList } from './frame-list.ts';
import { firstWordOf, META, metaOf, type PageFrames } from './page-frames.ts';
import { BLOCK_WORDS } from './page-layout.ts';

/** So many pages may have blocks that wait to be counted. */
const WAITING_PAGES_MAX = 1 << 16;

/**
 * The sum of the hashes of all blocks of each space. The hash of a block is taken out of it at its
 * first change, and the new one added when the sums are settled: META.waiting has a bit for each
 * block in between.
 */
export class BlockSums {
  private readonly frames: PageFrames;
  private sums = new Uint32Array(0);
  /** Frames with waiting blocks, some of them twice or settled already. */
  private readonly waiting = new FrameList();

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
    const { meta } = this.frames.slabOf(frame);
    const at = metaOf(frame) + META.waiting;
    const waiting = meta[at] as number;
    if (waiting === 0) this.waiting.add(frame);
    meta[at] = waiting | blocks;
    this.add(frame, blocks, -1);
  }

  /** Counts the blocks that wait. */
  settle(): void {
    this.waiting.drain((frame) => this.settleFrame(frame));
  }

  /** The same for those of one frame, before its page leaves memory. */
  settleFrame(frame: number): void {
    const { meta } = this.frames.slabOf(frame);
    const at = metaOf(frame) + META.waiting;
    this.add(frame, meta[at] as number, 1);
    meta[at] = 0;
  }

  get isLong(): boolean {
    return this.waiting.length > WAITING_PAGES_MAX;
  }

  /** The sum of a space, in hexadecimal. */
  of(space: number): string {
    const words = this.sums.subarray(space * HASH_WORDS, (space + 1) * HASH_WORDS);
    return Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');
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

  private add(frame: number, blocks: number, sign: 1 | -1): void {
    const { meta, words } = this.frames.slabOf(frame);
    const at = metaOf(frame);
    const first = (meta[at + META.page] as number) * 32;
    const sumAt = (meta[at + META.space] as number) * HASH_WORDS;
    const start = firstWordOf(frame);
    for (let bits = blocks; bits !== 0; bits &= bits - 1) {
      const block = 31 - Math.clz32(bits & -bits);
      addBlockHash(words, start + block * BLOCK_WORDS, first + block, this.sums, sumAt, sign);
    }
  }
}
