import { AgeCounts } from './age-counts.ts';
import { BlockSums } from './block-sums.ts';
import { packBytes, packedLengthMax, unpackBytes } from './packed-bytes.ts';
import { firstByteOf, firstWordOf, META, metaOf, PageFrames } from './page-frames.ts';
import { BLOCK_WORDS, PAGE_BYTES } from './page-layout.ts';
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
  /** The same for the approximate bytes of objects. */
  readonly objectBytesMax?: number;
  /** Where evicted pages and objects go; null if nothing is ever evicted. */
  readonly store?: PageStore | null;
}

/** The objects of a map (object-map.ts), as the pool settles, evicts and stores them. */
export interface PooledObjects {
  settle(): void;
  /** Approximate bytes of memory by age in ticks. */
  addAges(ages: AgeCounts): void;
  /** Removes from memory what was last used before `tick`, as far as no undo needs it. */
  evictBefore(tick: number): void;
  /** Numbers of the objects that changed since they were stored. */
  dirtyIds(): number[];
  /** Stores an object as of the open checkpoint, unless that happened already. */
  writeAsOf(id: number): void;
}

/** A page or an object was stored, but what was read is another one. */
export class DamagedStateError extends Error {
  override readonly name = 'DamagedStateError';
}

/** Share of the pages that is evicted beyond the excess, so that it is rarely decided which. */
const TRIMMED_SHARE = 0.05;
const OBJECTS_TRIMMED_EVERY = 16;

/**
 * The memory of all tables of a state: pages of 1 KiB, each of a space, the pages of one table.
 *
 * Changes are recorded by block of 32 bytes. The first change of a block within a record passes its
 * earlier contents to the images of the record, for an undo.
 *
 * Pages move only in `trim`, which is called between slots: an offset of a page stays valid while a
 * slot is applied.
 */
export class PagePool {
  readonly frames = new PageFrames();
  readonly store: PageStore | null;
  /** Number of the current slot; the pages used longest ago are evicted first. */
  tick = 1;
  /** Number of the checkpoint that changes belong to. */
  checkpoint = 1;
  /** The checkpoint before is being written. */
  isWriting = false;
  private readonly pagesMax: number;
  private readonly objectBytesMax: number;
  private readonly objects: PooledObjects[] = [];
  private readonly spaces: PageSpace[] = [];
  private readonly sums = new BlockSums(this.frames);
  /** Number of the current record, and of the current period between two settlements. */
  private record = 1;
  private period = 1;
  private images: BlockImages | null = null;
  /** Frames before are written, while a checkpoint is, and objects to write. */
  private writtenTo = 0;
  private objectsToWrite: (readonly [objects: PooledObjects, ids: number[]])[] = [];
  /** The frames to look at, and the last tick of pages that are evicted. */
  private readonly trimming = { next: 0, end: 0, tickMax: 0 };
  private readonly packed = new Uint8Array(packedLengthMax(PAGE_BYTES));

  constructor({
    pagesMax = Number.POSITIVE_INFINITY,
    objectBytesMax = Number.POSITIVE_INFINITY,
    store = null,
  }: PagePoolOptions = {}) {
    this.pagesMax = pagesMax;
    this.objectBytesMax = objectBytesMax;
    this.store = store;
  }

  /** Creates the next space. Spaces are numbered in the order of creation, from 0. */
  createSpace(name: string): PageSpace {
    const space = new PageSpace(this, this.spaces.length, name);
    this.spaces.push(space);
    this.sums.addSpace();
    return space;
  }

  /** Adds the objects of a map. */
  addObjects(objects: PooledObjects): void {
    this.objects.push(objects);
  }

  /** Starts a record: changes pass the earlier contents of blocks to `images`. */
  beginRecord(images: BlockImages): void {
    this.record++;
    this.images = images;
  }

  /** Ends a record. Changes between records belong to no record and cannot be undone. */
  endRecord(): void {
    this.images = null;
  }

  /** Restores the contents of a block that a record passed to its images. */
  restoreBlock(space: number, block: number, source: Uint32Array, from: number): void {
    const frame = (this.spaces[space] as PageSpace).frameOf(Math.floor(block / 32));
    this.change(frame, 1 << (block & 31));
    const { words } = this.frames.slabOf(frame);
    const at = firstWordOf(frame) + (block & 31) * BLOCK_WORDS;
    for (let word = 0; word < BLOCK_WORDS; word++) words[at + word] = source[from + word] as number;
  }

  /** Call before blocks of a frame change; `blocks` has a bit for each. */
  change(frame: number, blocks: number): void {
    const { meta } = this.frames.slabOf(frame);
    const at = metaOf(frame);
    if (
      meta[at + META.period] !== this.period ||
      (blocks & ~(meta[at + META.counted] as number)) !== 0
    ) {
      this.changeFirst(frame, blocks);
    }
    if (this.images === null) return;
    if (
      meta[at + META.record] !== this.record ||
      (blocks & ~(meta[at + META.kept] as number)) !== 0
    ) {
      this.keep(frame, blocks, this.images);
    }
  }

  /** The first change of blocks since the sums were settled. */
  private changeFirst(frame: number, blocks: number): void {
    const { meta } = this.frames.slabOf(frame);
    const at = metaOf(frame);
    const isFirst = meta[at + META.period] !== this.period;
    const counted = isFirst ? 0 : (meta[at + META.counted] as number);
    meta[at + META.period] = this.period;
    meta[at + META.counted] = counted | blocks;
    this.sums.leave(frame, blocks & ~counted);
    if (!isFirst) return;
    const dirty = meta[at + META.dirty] as number;
    if (dirty === this.checkpoint) return;
    if (dirty !== 0 && this.isWriting) this.write(frame);
    meta[at + META.dirty] = this.checkpoint;
  }

  /** The first change of blocks in a record. */
  private keep(frame: number, blocks: number, images: BlockImages): void {
    const { meta, words } = this.frames.slabOf(frame);
    const at = metaOf(frame);
    const kept = meta[at + META.record] === this.record ? (meta[at + META.kept] as number) : 0;
    meta[at + META.record] = this.record;
    meta[at + META.kept] = kept | blocks;
    const start = firstWordOf(frame);
    const first = (meta[at + META.page] as number) * 32;
    const space = meta[at + META.space] as number;
    for (let bits = blocks & ~kept; bits !== 0; bits &= bits - 1) {
      const block = 31 - Math.clz32(bits & -bits);
      images.addBlock(space, first + block, words, start + block * BLOCK_WORDS);
    }
  }

  /** Brings a page into memory and returns its frame. Called by its space. */
  load(space: number, page: number): number {
    const frame = this.frames.take(space, page, this.tick);
    const { bytes } = this.frames.slabOf(frame);
    const start = firstByteOf(frame);
    const packed = this.store?.read(space, page) ?? null;
    if (packed === null) {
      bytes.fill(0, start, start + PAGE_BYTES);
    } else if (!unpackBytes(packed, bytes, start, PAGE_BYTES)) {
      this.frames.release(frame);
      throw new DamagedStateError(`page ${page} of "${this.nameOf(space)}" is damaged`);
    }
    return frame;
  }

  /** Ends a slot: later uses of pages count as more recent. */
  advance(): void {
    this.tick++;
    // Those who never ask for sums must not collect changes for ever. Objects are not settled: most
    // of those that change often would be encoded many times between two questions.
    if (this.sums.isLong) this.settleBlocks();
  }

  /** Adds the hashes of all changed blocks and objects to the sums. */
  settle(): void {
    for (const objects of this.objects) objects.settle();
    this.settleBlocks();
  }

  private settleBlocks(): void {
    if (this.sums.settle()) this.period++;
  }

  /**
   * The sum of the hashes of all blocks of a space, in hexadecimal. It depends on the contents only,
   * wherever the pages are.
   */
  sumOf(space: number): string {
    this.settle();
    return this.sums.of(space);
  }

  /** The sums of all spaces, for `restoreSums`. */
  copySums(): Uint32Array {
    this.settle();
    return this.sums.copy();
  }

  /** Throws RangeError unless there is a sum for each space. */
  restoreSums(sums: Uint32Array): void {
    this.sums.restore(sums);
  }

  /** Names of the spaces, in order. */
  get spaceNames(): readonly string[] {
    return this.spaces.map(({ name }) => name);
  }

  /** Pages in memory. */
  get residentPages(): number {
    return this.frames.used;
  }

  /**
   * Evicts pages while there are more than `pagesMax`, at most about `count` per call, the ones
   * used longest ago first. Returns how many. Offsets of pages are invalid afterwards.
   */
  trim(count = Number.POSITIVE_INFINITY): number {
    const { store, trimming, frames } = this;
    if (store === null) return 0;
    this.trimObjects();
    if (frames.used <= this.pagesMax) return 0;
    this.settle();
    if (trimming.next >= trimming.end) this.startTrimming();
    let evicted = 0;
    while (trimming.next < trimming.end && evicted < count) {
      const frame = frames.at(trimming.next++);
      const tick = frames.slabOf(frame).meta[metaOf(frame) + META.tick] as number;
      if (tick === 0 || tick > trimming.tickMax) continue;
      this.evict(frame, store);
      evicted++;
    }
    return evicted;
  }

  private trimObjects(): void {
    if (this.objectBytesMax === Number.POSITIVE_INFINITY) return;
    if (this.tick % OBJECTS_TRIMMED_EVERY !== 0) return;
    const ages = new AgeCounts();
    for (const objects of this.objects) objects.addAges(ages);
    const excess = ages.total - this.objectBytesMax * (1 - TRIMMED_SHARE);
    if (excess <= 0) return;
    this.settle();
    const tick = this.tick - ages.ageOfOldest(excess) + 1;
    for (const objects of this.objects) objects.evictBefore(tick);
  }

  private startTrimming(): void {
    const { frames, tick: now } = this;
    const ages = new AgeCounts();
    for (let index = 0; index < frames.size; index++) {
      const frame = frames.at(index);
      const tick = frames.slabOf(frame).meta[metaOf(frame) + META.tick] as number;
      if (tick !== 0) ages.add(now - tick, 1);
    }
    const excess = frames.used - Math.floor(this.pagesMax * (1 - TRIMMED_SHARE));
    this.trimming.tickMax = now - ages.ageOfOldest(excess);
    this.trimming.next = 0;
    this.trimming.end = frames.size;
  }

  private evict(frame: number, store: PageStore): void {
    const { meta } = this.frames.slabOf(frame);
    const at = metaOf(frame);
    const space = meta[at + META.space] as number;
    const page = meta[at + META.page] as number;
    const dirty = meta[at + META.dirty] as number;
    if (dirty !== 0) {
      if (this.isWriting && dirty !== this.checkpoint) this.write(frame);
      else store.put(space, page, this.pack(frame));
    }
    (this.spaces[space] as PageSpace).evicted(page);
    this.frames.release(frame);
  }

  /** Begins a checkpoint of the current contents; `writeSome` stores them. */
  beginCheckpoint(): void {
    if (this.isWriting) throw new Error('a checkpoint is being written already');
    this.settle();
    this.isWriting = true;
    this.checkpoint++;
    this.writtenTo = 0;
    this.objectsToWrite = this.objects.map((objects) => [objects, objects.dirtyIds()] as const);
  }

  /**
   * Stores up to about `count` pages and objects as they were when the checkpoint began. Returns
   * true when all are stored. What changes meanwhile is stored before it does.
   */
  writeSome(count: number): boolean {
    const { frames, checkpoint } = this;
    let written = this.writeObjects(count);
    while (this.writtenTo < frames.size && written < count) {
      const frame = frames.at(this.writtenTo++);
      const { meta } = frames.slabOf(frame);
      const dirty = meta[metaOf(frame) + META.dirty] as number;
      if (meta[metaOf(frame) + META.tick] === 0 || dirty === 0 || dirty === checkpoint) continue;
      this.write(frame);
      written++;
    }
    if (written >= count || this.writtenTo < frames.size) return false;
    this.isWriting = false;
    return true;
  }

  private writeObjects(count: number): number {
    let written = 0;
    for (const [objects, ids] of this.objectsToWrite) {
      while (written < count && ids.length > 0) {
        objects.writeAsOf(ids.pop() as number);
        written++;
      }
    }
    return written;
  }

  /** Stops writing; pages not written yet belong to the next checkpoint. */
  abortCheckpoint(): void {
    this.isWriting = false;
  }

  /** Stores a page as of the open checkpoint. */
  private write(frame: number): void {
    const { meta } = this.frames.slabOf(frame);
    const at = metaOf(frame);
    const [space, page] = [meta[at + META.space] as number, meta[at + META.page] as number];
    this.store?.putAsOf(space, page, this.pack(frame));
    meta[at + META.dirty] = 0;
  }

  private pack(frame: number): Uint8Array {
    const length = packBytes(
      this.frames.slabOf(frame).bytes,
      firstByteOf(frame),
      PAGE_BYTES,
      this.packed,
    );
    return this.packed.subarray(0, length);
  }

  private nameOf(space: number): string {
    return (this.spaces[space] as PageSpace).name;
  }
}
