import { AgeCounts } from './age-counts.ts';
import { META, metaOf, type PageFrames } from './page-frames.ts';
import type { PooledObjects } from './pooled-objects.ts';

/** What is evicted beyond the excess, so that it is rarely decided which. */
const TRIMMED_SHARE = 0.05;
const OBJECTS_EXAMINED_EVERY = 16;

export interface EvictionLimits {
  readonly pagesMax: number;
  readonly objectBytesMax: number;
}

interface Choice {
  readonly count: number;
  readonly now: number;
  readonly mayLeave: (frame: number) => boolean;
}

/** Decides which pages and objects leave memory: those used longest ago. */
export class Eviction {
  private readonly frames: PageFrames;
  readonly limits: EvictionLimits;
  /** The frames to look at, and the last tick of pages that are evicted. */
  private next = 0;
  private end = 0;
  private tickMax = 0;
  /** Objects last used before it leave memory, and when that was decided. */
  private objectTickNow: number | null = null;
  private decidedObjects = 0;
  /** Pages that were chosen so far. */
  evictedPages = 0;
  /** Approximate bytes of objects when they were last examined. */
  objectBytes = 0;

  constructor(frames: PageFrames, limits: EvictionLimits) {
    this.frames = frames;
    this.limits = limits;
  }

  /** Whether there are more pages than there may be. */
  get isDue(): boolean {
    return this.frames.used > this.limits.pagesMax;
  }

  /**
   * Frames to evict now, of those that may leave: at most about `count`, but those in excess in any
   * case.
   */
  take(count: number, now: number, mayLeave: (frame: number) => boolean = always): number[] {
    const excess = this.frames.used - this.limits.pagesMax;
    const taken = new Set<number>();
    this.takeDecided(taken, { count: Math.max(count, excess), now, mayLeave });
    // An earlier decision may have left too few.
    if (taken.size < excess) this.takeDecided(taken, { count: excess, now, mayLeave });
    this.evictedPages += taken.size;
    return [...taken];
  }

  private takeDecided(taken: Set<number>, { count, now, mayLeave }: Choice): void {
    if (this.next >= this.end) this.decide(now);
    while (this.next < this.end && taken.size < count) {
      const frame = this.frames.at(this.next++);
      const tick = this.tickOf(frame);
      if (tick !== 0 && tick <= this.tickMax && mayLeave(frame)) taken.add(frame);
    }
  }

  /**
   * The tick before which objects must have been used to leave memory; null for none. It is decided
   * every few ticks.
   */
  objectTick(objects: readonly PooledObjects[], now: number): number | null {
    const { objectBytesMax } = this.limits;
    if (objectBytesMax === Number.POSITIVE_INFINITY) return null;
    if (now - this.decidedObjects >= OBJECTS_EXAMINED_EVERY) {
      this.objectTickNow = this.decideObjects(objects, now);
      this.decidedObjects = now;
    }
    return this.objectTickNow;
  }

  private decideObjects(objects: readonly PooledObjects[], now: number): number | null {
    const ages = new AgeCounts();
    for (const each of objects) each.addAges(ages);
    this.objectBytes = ages.total;
    const excess = ages.total - this.limits.objectBytesMax * (1 - TRIMMED_SHARE);
    return excess <= 0 ? null : now - ages.ageOfOldest(excess) + 1;
  }

  private decide(now: number): void {
    const { frames } = this;
    const ages = new AgeCounts();
    for (let index = 0; index < frames.size; index++) {
      const tick = this.tickOf(frames.at(index));
      if (tick !== 0) ages.add(now - tick, 1);
    }
    const excess = frames.used - Math.floor(this.limits.pagesMax * (1 - TRIMMED_SHARE));
    this.tickMax = now - ages.ageOfOldest(excess);
    this.next = 0;
    this.end = frames.size;
  }

  private tickOf(frame: number): number {
    return this.frames.slabOf(frame).meta[metaOf(frame) + META.tick] as number;
  }
}

function always(): boolean {
  return true;
}
