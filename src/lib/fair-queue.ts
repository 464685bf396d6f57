/** An item and whom it is for. */
export interface OwnedItem<Item> {
  readonly owner: string | null;
  readonly item: Item;
}

/**
 * Waiting items of several owners, taken in turns: one of each owner, its oldest first. However much
 * one owner has waiting, the next item of any other is at most one turn away.
 */
export class FairQueue<Item> {
  /** Owners with something waiting, the one whose turn comes next first. */
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

  /** The next item of the first owner in turn that `mayTake` allows; null when there is none. */
  take(mayTake: (owner: string | null) => boolean = () => true): OwnedItem<Item> | null {
    for (const [owner, items] of this.waiting) {
      const item = items[0];
      if (item === undefined || !mayTake(owner)) continue;
      items.shift();
      this.total--;
      // The others come first before this owner's next one.
      this.waiting.delete(owner);
      if (items.length > 0) this.waiting.set(owner, items);
      return { owner, item };
    }
    return null;
  }

  /** Whether the item was waiting. */
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
