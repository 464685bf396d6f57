import type { PostEvent } from '../model/social-post.ts';

/** An item to be counted: post events, or the position of a collector after them. */
export type SocialItem =
  | { readonly kind: 'events'; readonly events: readonly PostEvent[] }
  | {
      readonly kind: 'cursor';
      readonly name: string;
      readonly text: string;
      readonly done: (isKept: boolean) => void;
    };

/**
 * A bounded FIFO queue. Producers wait while it is full, so that a flood of posts slows down the
 * collectors and does not use memory.
 */
export class SocialQueue {
  private readonly eventsMax: number;
  private items: SocialItem[] = [];
  private size = 0;
  private waiters: (() => void)[] = [];

  constructor(eventsMax: number) {
    this.eventsMax = eventsMax;
  }

  /** Number of waiting events. */
  get length(): number {
    return this.size;
  }

  /** Resolves when the item was queued. */
  async put(item: SocialItem): Promise<void> {
    while (this.size >= this.eventsMax) {
      await new Promise<void>((resolve) => this.waiters.push(resolve));
    }
    this.items.push(item);
    this.size += sizeOf(item);
  }

  /**
   * The first items with at least this many events, and their cursors. They stay queued until
   * `drop`.
   */
  head(eventsWanted: number): readonly SocialItem[] {
    let events = 0;
    const end = this.items.findIndex((item) => {
      const isEnough = events >= eventsWanted;
      events += sizeOf(item);
      return isEnough && item.kind === 'events';
    });
    return end < 0 ? [...this.items] : this.items.slice(0, end);
  }

  /** Removes the first items after they were stored. */
  drop(count: number): void {
    for (const item of this.items.splice(0, count)) this.size -= sizeOf(item);
    if (this.size >= this.eventsMax) return;
    for (const waiter of this.waiters.splice(0)) waiter();
  }

  /** Releases all waiting producers without storing their items. */
  abandon(): void {
    for (const item of this.items) if (item.kind === 'cursor') item.done(false);
    this.items = [];
    this.size = 0;
    for (const waiter of this.waiters.splice(0)) waiter();
  }
}

function sizeOf(item: SocialItem): number {
  return item.kind === 'events' ? item.events.length : 0;
}
