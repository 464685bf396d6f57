/** A list that grows at its end and shrinks at its start, each in constant time on average. */
export class SlidingList<Item> {
  private items: (Item | undefined)[] = [];
  private start = 0;

  get size(): number {
    return this.items.length - this.start;
  }

  push(item: Item): void {
    this.items.push(item);
  }

  /** Removes the first item and returns it; undefined if there is none. */
  shift(): Item | undefined {
    const first = this.at(0);
    if (this.size === 0) return undefined;
    this.items[this.start++] = undefined;
    // At least half of the array is unused: copying the rest costs no more than the removals did.
    if (this.start * 2 >= this.items.length) {
      this.items = this.items.slice(this.start);
      this.start = 0;
    }
    return first;
  }

  /** The item at an index; undefined outside of the list. */
  at(index: number): Item | undefined {
    return index < 0 ? undefined : this.items[this.start + index];
  }

  clear(): void {
    this.items = [];
    this.start = 0;
  }
}
