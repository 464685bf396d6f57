import { metaOf, type PageFrames } from './page-frames.ts';

/** What brings pages into memory: the pool of the space. */
export interface PageLoader {
  readonly frames: PageFrames;
  /** Number of the current slot. */
  readonly tick: number;
  /** Brings a page into memory and returns its frame. */
  load(space: number, page: number): number;
}

/** The pages of one table, numbered from 0. Pages are zeros until they are changed. */
export class PageSpace {
  readonly number: number;
  readonly name: string;
  private readonly pool: PageLoader;
  /** By page: its frame in the pool, -1 if it is not in memory. */
  private frames = new Int32Array(8).fill(-1);
  private resident = 0;

  /** Created by its pool. */
  constructor(pool: PageLoader, number: number, name: string) {
    this.pool = pool;
    this.number = number;
    this.name = name;
  }

  /** The frame of a page, which counts as used now. Valid until the pool is trimmed. */
  frameOf(page: number): number {
    const { frames, pool } = this;
    const frame = page < frames.length ? (frames[page] as number) : -1;
    if (frame < 0) return this.load(page);
    pool.frames.slabOf(frame).meta[metaOf(frame)] = pool.tick;
    return frame;
  }

  /** Pages in memory. */
  get residentPages(): number {
    return this.resident;
  }

  /** Called by the pool when a page leaves memory. */
  evicted(page: number): void {
    this.frames[page] = -1;
    this.resident--;
  }

  private load(page: number): number {
    if (page >= this.frames.length) {
      const larger = new Int32Array(2 ** Math.ceil(Math.log2(page + 1) + 1)).fill(-1);
      larger.set(this.frames);
      this.frames = larger;
    }
    const frame = this.pool.load(this.number, page);
    this.frames[page] = frame;
    this.resident++;
    return frame;
  }
}
