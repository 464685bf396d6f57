import { ABSENT, FrameMap } from './frame-map.ts';

/** What brings pages into memory: the pool of the space. */
export interface PageLoader {
  /** Brings a page into memory and returns its frame. */
  load(space: number, page: number): number;
  /** Called for the first use of a frame in a slot. */
  noteUse(frame: number): void;
}

/** The pages of one table, numbered from 0. Pages are zeros until they are changed. */
export class PageSpace {
  readonly number: number;
  readonly name: string;
  private readonly pool: PageLoader;
  /**
   * By page: its frame if the page was used in the current slot, -2 minus the frame if it is in
   * memory, else ABSENT. Its last use is thus noted once in a slot.
   */
  private readonly frames = new FrameMap();
  private resident = 0;
  /** The pages used in the current slot, each once. */
  private used = new Int32Array(8);
  private usedCount = 0;

  /** Created by its pool. */
  constructor(pool: PageLoader, number: number, name: string) {
    this.pool = pool;
    this.number = number;
    this.name = name;
  }

  /** The frame of a page, which counts as used now. Valid until the pool is trimmed. */
  frameOf(page: number): number {
    const frame = this.frames.get(page);
    return frame >= 0 ? frame : this.use(page, frame);
  }

  /** Pages in memory. */
  get residentPages(): number {
    return this.resident;
  }

  /** Called by the pool at the end of a slot: none of the pages is used in the next one yet. */
  endUses(): void {
    const { frames, used, usedCount } = this;
    for (let index = 0; index < usedCount; index++) {
      const page = used[index] as number;
      frames.set(page, -2 - frames.get(page));
    }
    this.usedCount = 0;
  }

  /** Called by the pool when a page leaves memory. */
  evicted(page: number): void {
    this.frames.delete(page);
    this.resident--;
  }

  private use(page: number, known: number): number {
    const frame = known === ABSENT ? this.load(page) : -2 - known;
    this.frames.set(page, frame);
    if (this.usedCount === this.used.length) {
      const larger = new Int32Array(2 * this.usedCount);
      larger.set(this.used);
      this.used = larger;
    }
    this.used[this.usedCount++] = page;
    this.pool.noteUse(frame);
    return frame;
  }

  private load(page: number): number {
    const frame = this.pool.load(this.number, page);
    this.resident++;
    return frame;
  }
}
