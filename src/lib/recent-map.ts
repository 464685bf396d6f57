/** A map of a bounded number of entries: the one that was read longest ago makes room. */
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

  /** Counts as a read. */
  get(key: Key): Value | undefined {
    const value = this.entries.get(key);
    if (value === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  /** Counts as no read. */
  peek(key: Key): Value | undefined {
    return this.entries.get(key);
  }

  /** Returns the entry that had to make room, null when none had to. */
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
