/** A map with a bounded number of entries that evicts the least recently read one. */
export class RecentMap<Key, Value> {
  private readonly entries = new Map<Key, Value>();
  private readonly sizeMax: number;

  /** `sizeMax` is at least 1. */
  constructor(sizeMax: number) {
    this.sizeMax = sizeMax;
  }

  get size(): number {
    return this.entries.size;
  }

  /** Marks the entry as recently read. */
  get(key: Key): Value | undefined {
    const value = this.entries.get(key);
    if (value === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  /** Does not mark the entry as recently read. */
  peek(key: Key): Value | undefined {
    return this.entries.get(key);
  }

  /** Returns the evicted entry, null if none was evicted. */
  set(key: Key, value: Value): { readonly key: Key; readonly value: Value } | null {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.sizeMax) return null;
    const [oldest] = this.entries;
    if (oldest === undefined) return null;
    this.entries.delete(oldest[0]);
    return { key: oldest[0], value: oldest[1] };
  }

  delete(key: Key): boolean {
    return this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }
}
