/**
 * A cache with a bounded number of entries: those used since the last change of generations, and
 * those used in the generation before. Faster than evicting the least recently used entry.
 */
export class GenerationMap<Key, Value> {
  private readonly sizeMax: number;
  private young = new Map<Key, Value>();
  private old = new Map<Key, Value>();

  /** `sizeMax` is at least 2. */
  constructor(sizeMax: number) {
    this.sizeMax = sizeMax;
  }

  get(key: Key): Value | undefined {
    const value = this.young.get(key);
    if (value !== undefined) return value;
    const older = this.old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: Key, value: Value): void {
    if (this.young.size * 2 >= this.sizeMax) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
  }

  clear(): void {
    this.young.clear();
    this.old.clear();
  }
}
