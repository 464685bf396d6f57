import { addBlockHash, HASH_WORDS } from './block-hash.ts';
import {
  BLOCK_WORDS,
  PAGE_BYTES,
  PAGE_WORDS,
  SLAB_BITS,
  SLAB_MASK,
  SLAB_PAGES,
} from './page-layout.ts';
import { packBytes, packedLengthMax, unpackBytes } from './packed-bytes.ts';
import { PageSpace } from './page-space.ts';
import type { PageStore } from './page-store.ts';

/** Takes what blocks contained before a change, to restore it. */
export interface BlockImages {
  /** `at` is the block's first word in `words`; copy it at once. */
  addBlock(space: number, block: number, words: Uint32Array, at: number): void;
}

export interface PagePoolOptions {
  /** `trim` evicts pages beyond this number. */
  readonly pagesMax?: number;
  /** Where evicted pages go; null if pages are never evicted. */
  readonly store?: PageStore | null;
}

/** A page was stored, but what was read is not one. */
export class DamagedPageError extends Error {
  override readonly name = 'DamagedPageError';
}

/**
 * The memory of all tables of a state: pages of 1 KiB, each of a space, the pages of one table.
 *
 * Changes are recorded by block of 32 bytes. The first change of a block within a record passes its
 * earlier contents to the images of the record, for an undo, and takes its hash out of the sum of
 * its space; `settle` adds the hash of its new contents.
 *
 * Pages move only in `trim`, which is called between slots: an offset of a page stays valid while a
 * slot is applied.
 */
export class PagePool {
  /** Views of the slabs; read by tables. */
  readonly views: DataView[] = [];
  readonly words: Uint32Array[] = [];
  readonly bytes: Uint8Array[] = [];
  /** By frame: META words, see the constants below. */
  meta = new Uint32Array(META);
  /** Number of the current slot; the pages used longest ago are evicted first. */
  tick = 1;
  private readonly spaces: PageSpace[] = [];
  private readonly pagesMax: number;
  private readonly store: PageStore | null;
  private pageOfFrame = new Uint32Array(0);
  private spaceOfFrame = new Uint16Array(0);
  /** Frames below `framesEnd` are in use, except those in `free`. */
  private framesEnd = 0;
  private readonly free: number[] = [];
  /** Number of the current record; frames remember the last one in which they changed. */
  private record = 1;
  private images: BlockImages | null = null;
  /** Changed blocks whose new hash is not in the sums: frame times 32 plus block. */
  private unsettled = new Float64Array(1_024);
  private unsettledCount = 0;
  private sums = new Uint32Array(0);
  /** Number of the checkpoint that changes belong to, and whether the one before is being written. */
  private checkpoint = 1;
  private isWriting = false;
  private writtenTo = 0;
  /** The next frame to look at, and the last tick of pages that are evicted. */
  private readonly trimming = { hand: 0, tickMax: 0 };
  private readonly packed = new Uint8Array(packedLengthMax(PAGE_BYTES));

  constructor({ pagesMax = Number.POSITIVE_INFINITY, store = null }: PagePoolOptions = {}) {
    this.pagesMax = pagesMax;
    this.store = store;
  }

  /** Creates the next space. Spaces are numbered in the order of creation, from 0. */
  createSpace(name: string): PageSpace {
    const space = new PageSpace(this, this.spaces.length, name);
    this.spaces.push(space);
    const sums = new Uint32Array(this.spaces.length * HASH_WORDS);
    sums.set(this.sums);
    this.sums = sums;
    return space;
  }

  /** Pages in memory. */
  get residentPages(): number {
    return this.framesEnd - this.free.length;
  }

  /** Starts a record: changes pass the earlier contents of blocks to `images`, if there are any. */
  beginRecord(images: BlockImages | null): void {
    this.settle();
    this.record++;
    this.images = images;
  }

  /**
   * Ends a record and settles the sums. Changes between records belong to no record and cannot be
   * undone.
   */
  endRecord(): void {
    this.beginRecord(null);
  }

  /** Adds the hashes of all changed blocks to the sums. */
  settle(): void {
    const { unsettled, unsettledCount } = this;
    if (unsettledCount === 0) return;
    for (let index = 0; index < unsettledCount; index++) {
      this.addHash(unsettled[index] as number, 1);
    }
    this.unsettledCount = 0;
    this.record++;
  }

  /**
   * The sum of the hashes of all blocks of a space, as hexadecimal text. It depends on the contents
   * only, wherever the pages are.
   */
  sumOf(space: number): string {
    this.settle();
    const words = this.sums.subarray(space * HASH_WORDS, (space + 1) * HASH_WORDS);
    return Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');
  }

  /** Names of the spaces, in order. */
  get spaceNames(): readonly string[] {
    return this.spaces.map(({ name }) => name);
  }

  /** The sums of all spaces, in order, for `restoreSums`. */
  copySums(): Uint32Array {
    this.settle();
    return this.sums.slice();
  }

  /** Throws RangeError unless there is a sum for each space. */
  restoreSums(sums: Uint32Array): void {
    if (sums.length !== this.sums.length) {
      throw new RangeError(`there are ${this.sums.length} words of sums, not ${sums.length}`);
    }
    this.sums.set(sums);
  }

  /** Restores the contents of a block that a record passed to its images. */
  restoreBlock(space: number, block: number, source: Uint32Array, from: number): void {
    const page = Math.floor(block / 32);
    const frame = (this.spaces[space] as PageSpace).frameOf(page);
    this.change(frame, 1 << (block & 31));
    const words = this.words[frame >>> SLAB_BITS] as Uint32Array;
    const at = (frame & SLAB_MASK) * PAGE_WORDS + (block & 31) * BLOCK_WORDS;
    for (let word = 0; word < BLOCK_WORDS; word++) words[at + word] = source[from + word] as number;
  }

  /** Call before blocks of a frame change; `blocks` has a bit for each. */
  change(frame: number, blocks: number): void {
    const { meta } = this;
    const at = frame * META;
    const changed = meta[at + RECORD] === this.record ? (meta[at + CHANGED] as number) : 0;
    const fresh = blocks & ~changed;
    if (fresh !== 0) this.changeFirst(frame, at, fresh, changed);
  }

  private changeFirst(frame: number, at: number, fresh: number, changed: number): void {
    const { meta } = this;
    const dirty = meta[at + DIRTY] as number;
    if (dirty !== this.checkpoint) {
      if (dirty !== 0 && this.isWriting) this.write(frame);
      meta[at + DIRTY] = this.checkpoint;
    }
    meta[at + RECORD] = this.record;
    meta[at + CHANGED] = changed | fresh;
    const { images } = this;
    const words = this.words[frame >>> SLAB_BITS] as Uint32Array;
    const start = (frame & SLAB_MASK) * PAGE_WORDS;
    const first = (this.pageOfFrame[frame] as number) * 32;
    for (let bits = fresh; bits !== 0; bits &= bits - 1) {
      const block = 31 - Math.clz32(bits & -bits);
      this.addHash(frame * 32 + block, -1);
      this.noteUnsettled(frame * 32 + block);
      images?.addBlock(
        this.spaceOfFrame[frame] as number,
        first + block,
        words,
        start + block * BLOCK_WORDS,
      );
    }
  }

  private noteUnsettled(frameBlock: number): void {
    if (this.unsettledCount === this.unsettled.length) {
      const larger = new Float64Array(this.unsettled.length * 2);
      larger.set(this.unsettled);
      this.unsettled = larger;
    }
    this.unsettled[this.unsettledCount++] = frameBlock;
  }

  private addHash(frameBlock: number, sign: 1 | -1): void {
    const block = frameBlock % 32;
    const frame = (frameBlock - block) / 32;
    addBlockHash(
      this.words[frame >>> SLAB_BITS] as Uint32Array,
      (frame & SLAB_MASK) * PAGE_WORDS + block * BLOCK_WORDS,
      (this.pageOfFrame[frame] as number) * 32 + block,
      this.sums,
      (this.spaceOfFrame[frame] as number) * HASH_WORDS,
      sign,
    );
  }

  /** Brings a page into memory and returns its frame. Called by its space. */
  load(space: number, page: number): number {
    const frame = this.takeFrame();
    this.spaceOfFrame[frame] = space;
    this.pageOfFrame[frame] = page;
    this.meta[frame * META + TICK] = this.tick;
    this.meta[frame * META + RECORD] = 0;
    this.meta[frame * META + DIRTY] = 0;
    const bytes = this.bytes[frame >>> SLAB_BITS] as Uint8Array;
    const start = (frame & SLAB_MASK) * PAGE_BYTES;
    const packed = this.store?.read(space, page) ?? null;
    if (packed === null) {
      bytes.fill(0, start, start + PAGE_BYTES);
    } else if (!unpackBytes(packed, bytes, start, PAGE_BYTES)) {
      const { name } = this.spaces[space] as PageSpace;
      throw new DamagedPageError(`page ${page} of "${name}" is damaged`);
    }
    return frame;
  }

  private takeFrame(): number {
    const known = this.free.pop();
    if (known !== undefined) return known;
    const frame = this.framesEnd++;
    if (frame % SLAB_PAGES === 0) this.addSlab();
    return frame;
  }

  private addSlab(): void {
    // Shared buffers do not count against the heap of their thread. With others, V8 marks the whole
    // heap again for each 64 MB or so of them.
    const buffer = new SharedArrayBuffer(SLAB_PAGES * PAGE_BYTES);
    this.views.push(new DataView(buffer));
    this.words.push(new Uint32Array(buffer));
    this.bytes.push(new Uint8Array(buffer));
    const frames = this.views.length * SLAB_PAGES;
    if (frames <= this.pageOfFrame.length) return;
    const room = frames * 2;
    const [meta, pages, spaces] = [
      new Uint32Array(room * META),
      new Uint32Array(room),
      new Uint16Array(room),
    ];
    meta.set(this.meta.subarray(0, this.pageOfFrame.length * META));
    pages.set(this.pageOfFrame);
    spaces.set(this.spaceOfFrame);
    this.meta = meta;
    this.pageOfFrame = pages;
    this.spaceOfFrame = spaces;
  }

  /** Ends a slot: later uses of pages count as more recent. */
  advance(): void {
    this.tick++;
  }

  /**
   * Evicts pages while there are more than `pagesMax`, at most about `count` per call, the ones
   * used longest ago first. Returns how many. Offsets of pages are invalid afterwards.
   */
  trim(count = Number.POSITIVE_INFINITY): number {
    const { store, trimming } = this;
    if (store === null || this.residentPages <= this.pagesMax) return 0;
    this.settle();
    if (trimming.hand >= this.framesEnd) this.startTrimming();
    let evicted = 0;
    while (trimming.hand < this.framesEnd && evicted < count) {
      const frame = trimming.hand++;
      const tick = this.meta[frame * META + TICK] as number;
      if (tick === 0 || tick > trimming.tickMax) continue;
      this.evict(frame, store);
      evicted++;
    }
    return evicted;
  }

  /** Decides which pages to evict: a little more than the excess, so that it is rarely decided. */
  private startTrimming(): void {
    const excess = this.residentPages - Math.floor(this.pagesMax * (1 - TRIMMED_SHARE));
    this.trimming.tickMax = this.tickOfOldest(excess);
    this.trimming.hand = 0;
  }

  /** A tick such that about `count` resident pages were last used at or before it. */
  private tickOfOldest(count: number): number {
    const ages = new Uint32Array(AGE_BUCKETS);
    for (let frame = 0; frame < this.framesEnd; frame++) {
      const tick = this.meta[frame * META + TICK] as number;
      if (tick !== 0) this.countAge(ages, tick);
    }
    let older = 0;
    for (let bucket = AGE_BUCKETS - 1; bucket >= 0; bucket--) {
      older += ages[bucket] as number;
      if (older >= count) return this.tick - ageOfBucket(bucket);
    }
    return this.tick;
  }

  private countAge(ages: Uint32Array, tick: number): void {
    const bucket = bucketOfAge(this.tick - tick);
    ages[bucket] = (ages[bucket] as number) + 1;
  }

  private evict(frame: number, store: PageStore): void {
    const at = frame * META;
    const dirty = this.meta[at + DIRTY] as number;
    const space = this.spaceOfFrame[frame] as number;
    const page = this.pageOfFrame[frame] as number;
    if (dirty !== 0) {
      if (this.isWriting && dirty !== this.checkpoint) this.write(frame);
      else store.put(space, page, this.pack(frame));
    }
    (this.spaces[space] as PageSpace).evicted(page);
    this.meta[at + TICK] = 0;
    this.meta[at + RECORD] = 0;
    this.meta[at + DIRTY] = 0;
    this.free.push(frame);
  }

  /** Begins a checkpoint of the current contents; `writeSome` stores them. */
  beginCheckpoint(): void {
    if (this.isWriting) throw new Error('a checkpoint is being written already');
    this.settle();
    this.isWriting = true;
    this.checkpoint++;
    this.writtenTo = 0;
  }

  /**
   * Stores up to about `count` pages as they were when the checkpoint began. Returns true when all
   * are stored. Pages that change meanwhile are stored before.
   */
  writeSome(count: number): boolean {
    const { meta, checkpoint } = this;
    let written = 0;
    while (this.writtenTo < this.framesEnd && written < count) {
      const frame = this.writtenTo++;
      const dirty = meta[frame * META + DIRTY] as number;
      if (dirty === 0 || dirty === checkpoint) continue;
      this.write(frame);
      written++;
    }
    if (this.writtenTo < this.framesEnd) return false;
    this.isWriting = false;
    return true;
  }

  /** Stops writing; pages not written yet belong to the next checkpoint. */
  abortCheckpoint(): void {
    this.isWriting = false;
  }

  /** Stores a page as of the open checkpoint. */
  private write(frame: number): void {
    this.store?.putAsOf(
      this.spaceOfFrame[frame] as number,
      this.pageOfFrame[frame] as number,
      this.pack(frame),
    );
    this.meta[frame * META + DIRTY] = 0;
  }

  private pack(frame: number): Uint8Array {
    const bytes = this.bytes[frame >>> SLAB_BITS] as Uint8Array;
    const start = (frame & SLAB_MASK) * PAGE_BYTES;
    const length = packBytes(bytes, start, PAGE_BYTES, this.packed);
    return this.packed.subarray(0, length);
  }
}

/** Words by frame: when it was last used, the last record that changed it, and which blocks. */
const META = 4;
export const META_WORDS = META;
const TICK = 0;
const RECORD = 1;
const CHANGED = 2;
/** The checkpoint that its changes belong to; 0 if it is as stored. */
const DIRTY = 3;

/** Share of the pages that a trim evicts beyond the excess, so that it is rare. */
const TRIMMED_SHARE = 0.05;
/** Eight buckets per doubling of the age. */
const AGE_STEP_BITS = 3;
const AGE_BUCKETS = 32 << AGE_STEP_BITS;

/** The exponent of the age in base 2, and the three bits after its first one. */
function bucketOfAge(age: number): number {
  const shifted = age + (1 << AGE_STEP_BITS);
  const exponent = 31 - Math.clz32(shifted) - AGE_STEP_BITS;
  return (exponent << AGE_STEP_BITS) + ((shifted >>> exponent) & ((1 << AGE_STEP_BITS) - 1));
}

/** The least age of a bucket. */
function ageOfBucket(bucket: number): number {
  const mantissa = (bucket & ((1 << AGE_STEP_BITS) - 1)) + (1 << AGE_STEP_BITS);
  return mantissa * 2 ** (bucket >>> AGE_STEP_BITS) - (1 << AGE_STEP_BITS);
}
