import { PAGE_BYTES, PAGE_WORDS, SLAB_BITS, SLAB_MASK, SLAB_PAGES } from './page-layout.ts';

/** Words of `Slab.meta` by page, and what they say. */
export const META_BITS = 3;
export const META = {
  /** When the page was last used; 0 for a frame without a page. */
  tick: 0,
  /** Blocks whose hash is in no sum, as they change: a bit for each. */
  waiting: 1,
  /** Blocks of which the open record has an image. */
  kept: 2,
  /** The checkpoint that its changes belong to; 0 if it is as stored. */
  dirty: 3,
  /** The number of its space, and of the page in it. */
  space: 4,
  page: 5,
} as const;

/** Pages of the first slab. */
const FIRST_PAGES = 16;
/** From this slab on, slabs have SLAB_PAGES pages: the ones before have as many in total. */
const FULL_SLAB = Math.log2(SLAB_PAGES / FIRST_PAGES) + 1;

/** Memory for some pages, and what is known of each. */
export class Slab {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
  readonly view: DataView;
  /** META words by page. */
  readonly meta: Uint32Array;

  constructor(pages: number) {
    // Shared buffers do not count against the heap of their thread. With others, V8 marks the whole
    // heap again for each 64 MB or so of them.
    const buffer = new SharedArrayBuffer(pages * PAGE_BYTES);
    this.bytes = new Uint8Array(buffer);
    this.words = new Uint32Array(buffer);
    this.view = new DataView(buffer);
    this.meta = new Uint32Array(pages << META_BITS);
  }
}

/**
 * Memory for pages, in slabs: a buffer and its views for each page would take as much again. A frame
 * is the number of a slab and of the page in it. Slabs double in size up to SLAB_PAGES, because most
 * states, those of tests, are small.
 */
export class PageFrames {
  readonly slabs: Slab[] = [];
  private count = 0;
  private readonly free: number[] = [];

  /** Frames ever used; `at` lists them. */
  get size(): number {
    return this.count;
  }

  /** Frames in use. */
  get used(): number {
    return this.count - this.free.length;
  }

  /** The frame used first, second, and so on. */
  at(index: number): number {
    if (index >= SLAB_PAGES) {
      return ((FULL_SLAB + (index >>> SLAB_BITS) - 1) << SLAB_BITS) | (index & SLAB_MASK);
    }
    const slab = 32 - Math.clz32(Math.floor(index / FIRST_PAGES));
    return (slab << SLAB_BITS) | (index - (slab === 0 ? 0 : FIRST_PAGES << (slab - 1)));
  }

  /** Returns a frame that is not in use; its bytes are undefined. */
  take(space: number, page: number, tick: number): number {
    const frame = this.free.pop() ?? this.at(this.count++);
    const number = frame >>> SLAB_BITS;
    if (number === this.slabs.length) this.slabs.push(new Slab(pagesOfSlab(number)));
    const { meta } = this.slabOf(frame);
    const at = metaOf(frame);
    meta.fill(0, at, at + (1 << META_BITS));
    meta[at + META.tick] = tick;
    meta[at + META.space] = space;
    meta[at + META.page] = page;
    return frame;
  }

  release(frame: number): void {
    this.slabOf(frame).meta[metaOf(frame) + META.tick] = 0;
    this.free.push(frame);
  }

  slabOf(frame: number): Slab {
    return this.slabs[frame >>> SLAB_BITS] as Slab;
  }
}

/** Where the META words of a frame begin in its slab. */
export function metaOf(frame: number): number {
  return (frame & SLAB_MASK) << META_BITS;
}

/** The first word of a frame in its slab. */
export function firstWordOf(frame: number): number {
  return (frame & SLAB_MASK) * PAGE_WORDS;
}

/** The first byte of a frame in its slab. */
export function firstByteOf(frame: number): number {
  return (frame & SLAB_MASK) * PAGE_BYTES;
}

function pagesOfSlab(slab: number): number {
  if (slab >= FULL_SLAB) return SLAB_PAGES;
  return slab === 0 ? FIRST_PAGES : FIRST_PAGES << (slab - 1);
}
