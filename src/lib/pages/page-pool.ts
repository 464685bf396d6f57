import { type BlockImages, BlockRecord } from './block-record.ts';
import { BlockSums } from './block-sums.ts';
import { CheckpointWriter } from './checkpoint-writer.ts';
import { Eviction } from './eviction.ts';
import { firstWordOf, META, metaOf, PageFrames } from './page-frames.ts';
import { BLOCK_WORDS } from './page-layout.ts';
import type { PagePoolOptions } from './page-pool-options.ts';
import { PageSpace } from './page-space.ts';
import type { PageStore } from './page-store.ts';
import type { PoolUse } from './pool-use.ts';
import type { PooledObjects } from './pooled-objects.ts';
import { StoredPages } from './stored-pages.ts';

/** Pages that are evicted in the time of an object, which is encoded. */
const PAGES_PER_OBJECT = 16;
/** Pages beyond the limit within a slot, as a share of the limit, before some of them are evicted. */
const EXCESS_SHARE = 1 / 8;

/** A page or an object was stored, but what was read is another one. */
export class DamagedStateError extends Error {
  override readonly name = 'DamagedStateError';
}

/**
 * The memory of all tables of a state: pages of 1 KiB, each of a space, the pages of one table.
 *
 * Changes are recorded by block of 32 bytes. The first change of a block within a record passes its
 * earlier contents to the images of the record, for an undo.
 *
 * Pages move only in `trim`, which is called between slots, and in `trimWithin`, between the parts of
 * one: an offset of a page stays valid within a part.
 */
export class PagePool {
  readonly frames = new PageFrames();
  readonly store: PageStore | null;
  private readonly hasSums: boolean;
  /** Number of the current slot; what was used longest ago is evicted first. */
  tick = 1;
  /** Another number after each time that pages may have moved, or a slot has ended. */
  generation = 0;
  private readonly spaces: PageSpace[] = [];
  private readonly layouts: string[] = [];
  private readonly objects: PooledObjects[] = [];
  private readonly sums: BlockSums;
  private readonly stored: StoredPages;
  private readonly eviction: Eviction;
  private readonly writer: CheckpointWriter;
  private readonly excessMax: number;
  /** Within a slot pages are evicted when there are more than these. */
  private trimAbove: number;
  private readonly record = new BlockRecord(this.frames);

  constructor({
    pagesMax = Number.POSITIVE_INFINITY,
    objectBytesMax = Number.POSITIVE_INFINITY,
    store = null,
    hasSums = true,
  }: PagePoolOptions = {}) {
    this.store = store;
    this.hasSums = hasSums;
    this.sums = new BlockSums(this.frames, hasSums);
    this.stored = new StoredPages(this.frames, store);
    this.eviction = new Eviction(this.frames, { pagesMax, objectBytesMax });
    this.excessMax = Math.ceil(pagesMax * EXCESS_SHARE);
    this.trimAbove = pagesMax + this.excessMax;
    this.writer = new CheckpointWriter(this.frames, this.stored);
  }

  /**
   * Creates the next space. Spaces are numbered in the order of creation, from 0. `layout` describes
   * what its bytes mean.
   */
  createSpace(name: string, layout = ''): PageSpace {
    const space = new PageSpace(this, this.spaces.length, name);
    this.layouts.push(`${name}: ${layout}`);
    this.spaces.push(space);
    this.sums.addSpace();
    return space;
  }

  /** Adds the objects of a map. */
  addObjects(objects: PooledObjects): void {
    this.objects.push(objects);
  }

  /** What the bytes of all spaces mean: those of another layout must not be read. */
  get layout(): string {
    return this.layouts.join('\n');
  }

  /** Names of the spaces, in order. */
  get spaceNames(): readonly string[] {
    return this.spaces.map(({ name }) => name);
  }

  /** Pages in memory. */
  get residentPages(): number {
    return this.frames.used;
  }

  /** What is in memory, its bounds, and what was moved. */
  get use(): PoolUse {
    const { frames, eviction, stored } = this;
    const { limits, evictedPages, objectBytes } = eviction;
    return {
      pages: frames.used,
      evictedPages,
      loadedPages: stored.loadedPages,
      objectBytes,
      pagesMax: limits.pagesMax,
      objectBytesMax: limits.objectBytesMax,
    };
  }

  /** Starts a record: changes pass the earlier contents of blocks to `images`. */
  beginRecord(images: BlockImages): void {
    this.record.begin(images);
  }

  /** Ends a record. Changes between records belong to no record and cannot be undone. */
  endRecord(): void {
    this.record.end();
  }

  /** Runs `work` as if between records, without ending the open one. */
  withoutRecord<Result>(work: () => Result): Result {
    return this.record.suspended(work);
  }

  /** Restores the contents of a block that a record passed to its images, with `place` and `page`. */
  restoreBlock(place: number, page: number, source: Uint32Array, from: number): void {
    const frame = this.spaceOf(place >>> 5).frameOf(page);
    this.change(frame, 1 << (place & 31));
    const { words } = this.frames.slabOf(frame);
    const at = firstWordOf(frame) + (place & 31) * BLOCK_WORDS;
    for (let word = 0; word < BLOCK_WORDS; word++) words[at + word] = source[from + word] as number;
  }

  /**
   * Exchanges what a block contains with `image`. Only of blocks that changed in the open record, and
   * in pairs: the contents count as those of the page again after the second exchange.
   */
  exchangeBlock(place: number, page: number, image: Uint32Array, from: number): void {
    const frame = this.spaceOf(place >>> 5).frameOf(page);
    const { words } = this.frames.slabOf(frame);
    const at = firstWordOf(frame) + (place & 31) * BLOCK_WORDS;
    for (let word = 0; word < BLOCK_WORDS; word++) {
      const present = words[at + word] as number;
      words[at + word] = image[from + word] as number;
      image[from + word] = present;
    }
  }

  /** Call before blocks of a frame change; `blocks` has a bit for each. */
  change(frame: number, blocks: number): void {
    const { meta } = this.frames.slabOf(frame);
    const at = metaOf(frame);
    if ((blocks & ~(meta[at + META.waiting] as number)) !== 0) this.changeFirst(frame, blocks);
    if (this.record.isOpen && (blocks & ~(meta[at + META.kept] as number)) !== 0) {
      this.record.keep(frame, blocks);
    }
  }

  /**
   * Brings a page into memory and returns its frame. Called by its space. Throws what the store
   * throws, and DamagedStateError for what is no page: nothing has changed then.
   */
  load(space: number, page: number): number {
    const frame = this.frames.take(space, page, this.tick);
    let isRead = false;
    try {
      isRead = this.stored.read(frame);
    } finally {
      if (!isRead) this.frames.release(frame);
    }
    if (isRead) return frame;
    const { name } = this.spaceOf(space);
    throw new DamagedStateError(`page ${page} of "${name}" is damaged`);
  }

  /** Notes that a frame was used in this slot. Called by its space, once. */
  noteUse(frame: number): void {
    this.frames.slabOf(frame).meta[metaOf(frame) + META.tick] = this.tick;
  }

  /** Ends a slot: later uses of pages count as more recent. */
  advance(): void {
    this.endUses();
    this.tick++;
    if (!this.hasSums) return;
    // Objects in use are not settled: they would be encoded many times between two questions.
    for (const objects of this.objects) objects.settleIdle();
    this.sums.settleSome();
  }

  private endUses(): void {
    this.generation++;
    for (const space of this.spaces) space.endUses();
  }

  private spaceOf(space: number): PageSpace {
    return this.spaces[space] as PageSpace;
  }

  /**
   * Adds the hashes of all changed blocks and objects to the sums. Throws Error within a record: an
   * undo would take back what was settled of earlier changes; and without sums.
   */
  settle(): void {
    this.assertBetweenRecords();
    for (const objects of this.objects) objects.settle();
    this.sums.settle();
  }

  private assertBetweenRecords(): void {
    if (this.record.isOpen) throw new Error('a record of changes is open');
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

  /**
   * Evicts pages and objects beyond the limits, those used longest ago first: at most about `count`
   * pages per call, or all in excess, and fewer objects, or as many as came into memory. Returns the
   * number of pages. Offsets of pages are invalid afterwards.
   */
  trim(count = Number.POSITIVE_INFINITY): number {
    if (this.store === null) return 0;
    this.assertBetweenRecords();
    const { objects, eviction, tick } = this;
    const objectTick = eviction.objectTick(objects, tick);
    if (objectTick !== null)
      for (const each of objects) each.evictBefore(objectTick, Math.ceil(count / PAGES_PER_OBJECT));
    this.trimAbove = eviction.limits.pagesMax + this.excessMax;
    if (!eviction.isDue) return 0;
    this.endUses();
    const frames = eviction.take(count, tick);
    for (const frame of frames) this.evict(frame);
    return frames.length;
  }

  /**
   * Evicts pages in excess within a slot: one that reads more pages than there may be, as the end of
   * a minute does, would else keep all of them in memory. Call between parts of the slot, where nobody
   * holds an offset of a page. Pages with changes that an undo reverts stay until the slot ends, and
   * objects too, which others may hold.
   */
  trimWithin(): void {
    if (this.frames.used <= this.trimAbove || this.store === null) return;
    const { eviction, record } = this;
    this.endUses();
    this.tick++;
    const mayLeave = (frame: number) => !record.isOpen || record.isAsBefore(frame);
    for (const frame of eviction.take(0, this.tick, mayLeave)) this.evict(frame);
    // What could not leave now does not after every part.
    this.trimAbove = Math.max(this.frames.used, eviction.limits.pagesMax) + this.excessMax;
  }

  /** Number of the checkpoint that changes belong to. */
  get checkpoint(): number {
    return this.writer.number;
  }

  /** Whether the checkpoint before is being written. */
  get isWriting(): boolean {
    return this.writer.isWriting;
  }

  /** Pages and objects that the newest checkpoint had to store when it began. */
  get checkpointSize(): number {
    return this.writer.size;
  }

  /**
   * Does a part of what `beginCheckpoint` would have to do at once. Call after each of the last slots
   * before it, with how many are left.
   */
  prepareCheckpoint(slotsLeft: number): void {
    this.assertBetweenRecords();
    for (const objects of this.objects) objects.settleAhead(slotsLeft);
  }

  /** Begins a checkpoint of the current contents; `writeSome` stores them. */
  beginCheckpoint(): void {
    this.assertBetweenRecords();
    this.writer.assertIdle();
    for (const objects of this.objects) objects.settleForCheckpoint();
    this.sums.settle();
    this.writer.begin(this.objects);
  }

  /**
   * Stores up to about `count` pages and objects as they were when the checkpoint began. Returns
   * true when all are stored. What changes meanwhile is stored before it does.
   */
  writeSome(count: number): boolean {
    return this.writer.writeSome(count);
  }

  /** Stops writing; what is not written yet belongs to the next checkpoint. */
  abortCheckpoint(): void {
    this.writer.abort();
  }

  /** The first change of some of the blocks since the sums were settled. */
  private changeFirst(frame: number, blocks: number): void {
    const waiting = this.frames.slabOf(frame).meta[metaOf(frame) + META.waiting] as number;
    if (waiting === 0) this.writer.beforeChange(frame);
    this.sums.leave(frame, blocks & ~waiting);
  }

  private evict(frame: number): void {
    const { meta } = this.frames.slabOf(frame);
    const at = metaOf(frame);
    this.sums.settleFrame(frame);
    this.writer.beforeEviction(frame);
    this.spaceOf(meta[at + META.space] as number).evicted(meta[at + META.page] as number);
    this.frames.release(frame);
  }
}
