import type { PostEvent } from '../model/social-post.ts';

/** What waits to be counted: news, and how far a collector had read when it told them. */
export type SocialItem =
  | { readonly kind: 'news'; readonly events: readonly PostEvent[] }
  | {
      readonly kind: 'cursor';
      readonly name: string;
      readonly text: string;
      readonly done: (isKept: boolean) => void;
    };

/**
 * A queue of bounded length, first in, first out. Who brings news waits while it is full, so that a
 * flood slows the readers of platforms and not the memory.
 */
export class SocialQueue {
  private readonly eventsMax: number;
  private items: SocialItem[] = [];
  private size = 0;
  private waiters: (() => void)[] = [];

  constructor(eventsMax: number) {
    this.eventsMax = eventsMax;
  }

  /** News that wait. */
  get length(): number {
    return this.size;
  }

  /** Resolves when it was taken in. */
  async put(item: SocialItem): Promise<void> {
    while (this.size >= this.eventsMax) {
      await new Promise<void>((resolve) => this.waiters.push(resolve));
    }
    this.items.push(item);
    this.size += sizeOf(item);
  }

  /** The first items with so many news at least, and their cursors; they stay until `drop`. */
  head(eventsWanted: number): readonly SocialItem[] {
    let events = 0;
    const end = this.items.findIndex((item) => {
      const isEnough = events >= eventsWanted;
      events += sizeOf(item);
      return isEnough && item.kind === 'news';
    });
    return end < 0 ? [...this.items] : this.items.slice(0, end);
  }

  /** Forgets the first items: they are kept elsewhere. */
  drop(count: number): void {
    for (const item of this.items.splice(0, count)) this.size -= sizeOf(item);
    if (this.size >= this.eventsMax) return;
    for (const waiter of this.waiters.splice(0)) waiter();
  }

  /** Lets everybody go who waits, without what they brought being kept. */
  abandon(): void {
    for (const item of this.items) if (item.kind === 'cursor') item.done(false);
    this.items = [];
    this.size = 0;
    for (const waiter of this.waiters.splice(0)) waiter();
  }
}

function sizeOf(item: SocialItem): number {
  return item.kind === 'news' ? item.events.length : 0;
}
