import { PAGE_BYTES, PAGE_WORDS, SLAB_BITS, SLAB_MASK, SLAB_PAGES } from './page-layout.ts';

/** Words of `PageFrames.meta` by frame, and what they say. */
export const META_BITS = 3;
export const META = {
  /** When the page was last used; 0 for a frame without a page. */
  tick: 0,
  /** The period of its last change, and the blocks changed in it. */
  period: 1,
  counted: 2,
  /** The record of its last change, and the blocks that its images have. */
  record: 3,
  kept: 4,
  /** The checkpoint that its changes belong to; 0 if it is as stored. */
  dirty: 5,
  /** The number of its space, and of the page in it. */
  space: 6,
  page: 7,
} as const;

/** Memory for pages: frames of 1 KiB in slabs, because a buffer and its views take as much again. */
export class PageFrames {
  /** Views of the slabs. */
  readonly views: DataView[] = [];
  readonly words: Uint32Array[] = [];
  readonly bytes: Uint8Array[] = [];
  /** META words by frame. Replaced as frames are added. */
  meta = new Uint32Array(0);
  private endFrame = 0;
  private readonly free: number[] = [];

  /** One more than the largest frame ever used. */
  get end(): number {
    return this.endFrame;
  }

  /** Frames in use. */
  get used(): number {
    return this.endFrame - this.free.length;
  }

  /** Returns a frame that is not in use; its bytes are undefined. */
  take(space: number, page: number, tick: number): number {
    const frame = this.free.pop() ?? this.endFrame++;
    if (frame >>> SLAB_BITS === this.views.length) this.addSlab();
    const at = frame << META_BITS;
    this.meta.fill(0, at, at + (1 << META_BITS));
    this.meta[at + META.tick] = tick;
    this.meta[at + META.space] = space;
    this.meta[at + META.page] = page;
    return frame;
  }

  release(frame: number): void {
    this.meta[(frame << META_BITS) + META.tick] = 0;
    this.free.push(frame);
  }

  wordsOf(frame: number): Uint32Array {
    return this.words[frame >>> SLAB_BITS] as Uint32Array;
  }

  bytesOf(frame: number): Uint8Array {
    return this.bytes[frame >>> SLAB_BITS] as Uint8Array;
  }

  private addSlab(): void {
    // Shared buffers do not count against the heap of their thread. With others, V8 marks the whole
    // heap again for each 64 MB or so of them.
    const buffer = new SharedArrayBuffer(SLAB_PAGES * PAGE_BYTES);
    this.views.push(new DataView(buffer));
    this.words.push(new Uint32Array(buffer));
    this.bytes.push(new Uint8Array(buffer));
    const needed = (this.views.length * SLAB_PAGES) << META_BITS;
    if (needed <= this.meta.length) return;
    const larger = new Uint32Array(Math.max(needed, this.meta.length * 2));
    larger.set(this.meta);
    this.meta = larger;
  }
}

/** The first word of a frame in its slab. */
export function firstWordOf(frame: number): number {
  return (frame & SLAB_MASK) * PAGE_WORDS;
}

/** The first byte of a frame in its slab. */
export function firstByteOf(frame: number): number {
  return (frame & SLAB_MASK) * PAGE_BYTES;
}
