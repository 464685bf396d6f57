/** An item and its owner. */
export interface OwnedItem<Item> {
  readonly owner: string | null;
  readonly item: Item;
}

/**
 * A queue of items of several owners that serves the owners in turn, the oldest item of each first.
 * However many items one owner has queued, any other owner waits for at most one of them.
 */
export class FairQueue<Item> {
  /** Owners with queued items, the next in turn first. */
  private readonly waiting = new Map<string | null, Item[]>();
  private total = 0;

  get size(): number {
    return this.total;
  }

  countOf(owner: string | null): number {
    return this.waiting.get(owner)?.length ?? 0;
  }

  push(owner: string | null, item: Item): void {
    const items = this.waiting.get(owner);
    if (items === undefined) this.waiting.set(owner, [item]);
    else items.push(item);
    this.total++;
  }

  /**
   * Removes and returns the next item of the first owner in turn that `mayTake` allows; null if
   * none.
   */
  take(mayTake: (owner: string | null) => boolean = () => true): OwnedItem<Item> | null {
    for (const [owner, items] of this.waiting) {
      const item = items[0];
      if (item === undefined || !mayTake(owner)) continue;
      items.shift();
      this.total--;
      // Moves the owner to the end of the turn order.
      this.waiting.delete(owner);
      if (items.length > 0) this.waiting.set(owner, items);
      return { owner, item };
    }
    return null;
  }

  /** Returns whether the item was queued. */
  remove(owner: string | null, item: Item): boolean {
    const items = this.waiting.get(owner);
    const index = items?.indexOf(item) ?? -1;
    if (items === undefined || index < 0) return false;
    items.splice(index, 1);
    this.total--;
    if (items.length === 0) this.waiting.delete(owner);
    return true;
  }
}
