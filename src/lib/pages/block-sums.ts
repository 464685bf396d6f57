import { addBlockHash, HASH_WORDS } from './block-hash.ts';
import { FrameList } from './frame-list.ts';
import { firstWordOf, META, metaOf, type PageFrames } from './page-frames.ts';
import { BLOCK_WORDS } from './page-layout.ts';

/** When so many pages have blocks that wait to be counted, they are counted in the next slots. */
const WAITING_PAGES = 1 << 14;
const SLOTS_OF_COUNTING = 8;

/** The sum of a space among copied sums, in hexadecimal. */
export function sumText(sums: Uint32Array, space: number): string {
  const words = sums.subarray(space * HASH_WORDS, (space + 1) * HASH_WORDS);
  return Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');
}

/**
 * The sum of the hashes of all blocks of each space. The hash of a block is taken out of it at its
 * first change, and the new one added when the sums are settled: META.waiting has a bit for each
 * block in between.
 */
export class BlockSums {
  private readonly frames: PageFrames;
  private readonly areCounted: boolean;
  private sums = new Uint32Array(0);
  /** Frames with waiting blocks, some of them twice or settled already. */
  private waiting = new FrameList();
  /** Those of them that are counted a few at a time. */
  private counting = new FrameList();
  private countedPerSlot = 0;

  /** `areCounted`: without, only META.waiting is kept, and there are no sums to ask for. */
  constructor(frames: PageFrames, areCounted = true) {
    this.frames = frames;
    this.areCounted = areCounted;
  }

  /** Entries of frames that wait; some frames have several. */
  get waitingEntries(): number {
    return this.waiting.length + this.counting.length;
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
    meta[at] = waiting | blocks;
    if (!this.areCounted) return;
    if (waiting === 0) this.waiting.add(frame);
    this.add(frame, blocks, -1);
  }

  /** Counts the blocks that wait. Throws Error where blocks are not counted. */
  settle(): void {
    if (!this.areCounted) throw new Error('the pages have no sums');
    this.counting.drain((frame) => this.settleFrame(frame));
    this.waiting.drain((frame) => this.settleFrame(frame));
  }

  /**
   * Counts some of them. Call once a slot: those who never ask for sums must not collect changes for
   * ever, and counting all at once would take long.
   */
  settleSome(): void {
    if (this.counting.length === 0 && this.waiting.length > WAITING_PAGES) {
      [this.counting, this.waiting] = [this.waiting, this.counting];
      this.countedPerSlot = Math.ceil(this.counting.length / SLOTS_OF_COUNTING);
    }
    if (this.counting.length === 0) return;
    this.counting.take(this.countedPerSlot, (frame) => this.settleFrame(frame));
  }

  /** The same for those of one frame, before its page leaves memory. */
  settleFrame(frame: number): void {
    const { meta } = this.frames.slabOf(frame);
    const at = metaOf(frame) + META.waiting;
    if (this.areCounted) this.add(frame, meta[at] as number, 1);
    meta[at] = 0;
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

  private add(frame: number, blocks: number, sign: 1 | -1): void {
    const { meta, words } = this.frames.slabOf(frame);
    const at = metaOf(frame);
    const page = meta[at + META.page] as number;
    const sumAt = (meta[at + META.space] as number) * HASH_WORDS;
    const start = firstWordOf(frame);
    for (let bits = blocks; bits !== 0; bits &= bits - 1) {
      const block = 31 - Math.clz32(bits & -bits);
      addBlockHash(words, start + block * BLOCK_WORDS, page, block, this.sums, sumAt, sign);
    }
  }
}
