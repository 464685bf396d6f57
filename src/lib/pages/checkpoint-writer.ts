import { META, metaOf, type PageFrames } from './page-frames.ts';
import type { PooledObjects } from './pooled-objects.ts';
import type { StoredPages } from './stored-pages.ts';

/** Frames examined in the time that one takes to be written. */
const FRAMES_PER_WRITTEN = 128;

/**
 * Stores the pages and objects that changed since the last checkpoint, as they were when this one
 * began: those that change again meanwhile before they do, the others in portions.
 */
export class CheckpointWriter {
  /** Number of the checkpoint that changes belong to: they are stored with it at the latest. */
  number = 1;
  /** The checkpoint before that one is being written. */
  isWriting = false;
  /** Pages and objects that it had to store when it began, or the last one had. */
  size = 0;
  private readonly frames: PageFrames;
  private readonly stored: StoredPages;
  /** Pages in memory that are not as stored. */
  private changedPages = 0;
  /** Frames examined, and the objects left to write. */
  private writtenTo = 0;
  private objectsToWrite: (readonly [objects: PooledObjects, ids: number[]])[] = [];

  constructor(frames: PageFrames, stored: StoredPages) {
    this.frames = frames;
    this.stored = stored;
  }

  /** Throws Error while a checkpoint is being written. */
  assertIdle(): void {
    if (this.isWriting) throw new Error('a checkpoint is being written already');
  }

  begin(objects: readonly PooledObjects[]): void {
    this.assertIdle();
    this.isWriting = true;
    this.number++;
    this.writtenTo = 0;
    this.objectsToWrite = objects.map((each) => [each, each.dirtyIds()] as const);
    this.size = this.changedPages;
    for (const [, ids] of this.objectsToWrite) this.size += ids.length;
  }

  /** What is not written yet belongs to the next checkpoint. */
  abort(): void {
    this.isWriting = false;
  }

  /** Call before the first change of a page since the checkpoint began. */
  beforeChange(frame: number): void {
    const { meta } = this.frames.slabOf(frame);
    const at = metaOf(frame) + META.dirty;
    const dirty = meta[at] as number;
    if (dirty === this.number) return;
    if (dirty === 0) this.changedPages++;
    else if (this.isWriting) this.stored.write(frame, true);
    meta[at] = this.number;
  }

  /** Call before a page leaves memory. */
  beforeEviction(frame: number): void {
    const dirty = this.frames.slabOf(frame).meta[metaOf(frame) + META.dirty] as number;
    if (dirty === 0) return;
    this.stored.write(frame, this.isWriting && dirty !== this.number);
    this.changedPages--;
  }

  /** Writes up to `count` pages and objects; returns true when all are written. */
  writeSome(count: number): boolean {
    const { frames } = this;
    let written = this.writeObjects(count);
    const end = Math.min(frames.size, this.writtenTo + count * FRAMES_PER_WRITTEN);
    while (this.writtenTo < end && written < count) {
      const frame = frames.at(this.writtenTo++);
      if (!this.isPending(frame)) continue;
      this.stored.write(frame, true);
      this.changedPages--;
      written++;
    }
    if (written >= count || this.writtenTo < frames.size) return false;
    this.isWriting = false;
    return true;
  }

  private isPending(frame: number): boolean {
    const { meta } = this.frames.slabOf(frame);
    const at = metaOf(frame);
    const dirty = meta[at + META.dirty] as number;
    return meta[at + META.tick] !== 0 && dirty !== 0 && dirty !== this.number;
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
}
