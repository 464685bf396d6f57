import { FrameList } from './frame-list.ts';
import { firstWordOf, META, metaOf, type PageFrames } from './page-frames.ts';
import { BLOCK_WORDS } from './page-layout.ts';

/** Takes what blocks contained before a change, to restore it. */
export interface BlockImages {
  /**
   * `place` is 32 times the number of the space plus that of the block in its page: all 2^32 pages of
   * a space have more blocks than one word can count. `at` is the block's first word in `words`; copy
   * it at once.
   */
  addBlock(place: number, page: number, words: Uint32Array, at: number): void;
}

/** The record of changes that is open, if one is: each block's contents before its first change. */
export class BlockRecord {
  private readonly frames: PageFrames;
  /** Frames with images in the record. */
  private readonly kept = new FrameList();
  private images: BlockImages | null = null;

  constructor(frames: PageFrames) {
    this.frames = frames;
  }

  get isOpen(): boolean {
    return this.images !== null;
  }

  begin(images: BlockImages): void {
    this.images = images;
  }

  end(): void {
    this.images = null;
    this.kept.drain((frame) => {
      this.frames.slabOf(frame).meta[metaOf(frame) + META.kept] = 0;
    });
  }

  /** Runs `work` as if no record were open. */
  suspended<Result>(work: () => Result): Result {
    const { images } = this;
    this.images = null;
    try {
      return work();
    } finally {
      this.images = images;
    }
  }

  /** The first change of some of the blocks of a frame in the record. */
  keep(frame: number, blocks: number): void {
    const { meta, words } = this.frames.slabOf(frame);
    const at = metaOf(frame);
    const kept = meta[at + META.kept] as number;
    if (kept === 0) this.kept.add(frame);
    meta[at + META.kept] = kept | blocks;
    const start = firstWordOf(frame);
    const page = meta[at + META.page] as number;
    const firstPlace = (meta[at + META.space] as number) << 5;
    for (let bits = blocks & ~kept; bits !== 0; bits &= bits - 1) {
      const block = 31 - Math.clz32(bits & -bits);
      this.images?.addBlock(firstPlace | block, page, words, start + block * BLOCK_WORDS);
    }
  }

  /**
   * Whether a page may leave memory although a record is open: it has no changes in it, and none of
   * before whose hash is still to be added to the sums, which an undo of the record would take back.
   */
  isAsBefore(frame: number): boolean {
    const { meta } = this.frames.slabOf(frame);
    const at = metaOf(frame);
    return meta[at + META.kept] === 0 && meta[at + META.waiting] === 0;
  }
}
