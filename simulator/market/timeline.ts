interface Entry {
  readonly timeMs: number;
  readonly sequence: number;
  readonly action: () => void;
}

/** Scheduled actions: a heap by time; actions with equal times run in order of insertion. */
export class Timeline {
  private readonly heap: Entry[] = [];
  private sequence = 0;

  get size(): number {
    return this.heap.length;
  }

  /** Time of the earliest action; null if there is none. */
  get nextMs(): number | null {
    return this.heap[0]?.timeMs ?? null;
  }

  add(timeMs: number, action: () => void): void {
    const { heap } = this;
    heap.push({ timeMs, sequence: this.sequence++, action });
    let index = heap.length - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.swapIfEarlier(index, parent)) return;
      index = parent;
    }
  }

  /**
   * Removes the earliest action before `endMs` and returns it with its time; null if there is none.
   */
  takeBefore(endMs: number): { readonly timeMs: number; readonly action: () => void } | null {
    const { heap } = this;
    const first = heap[0];
    if (first === undefined || first.timeMs >= endMs) return null;
    const last = heap.pop() as Entry;
    if (heap.length > 0) {
      heap[0] = last;
      this.sink();
    }
    return first;
  }

  private sink(): void {
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      if (left >= this.heap.length) return;
      const right = left + 1;
      const child = right < this.heap.length && this.isEarlier(right, left) ? right : left;
      if (!this.swapIfEarlier(child, index)) return;
      index = child;
    }
  }

  private swapIfEarlier(index: number, other: number): boolean {
    if (!this.isEarlier(index, other)) return false;
    const { heap } = this;
    [heap[index], heap[other]] = [heap[other] as Entry, heap[index] as Entry];
    return true;
  }

  private isEarlier(index: number, other: number): boolean {
    const a = this.heap[index] as Entry;
    const b = this.heap[other] as Entry;
    return a.timeMs < b.timeMs || (a.timeMs === b.timeMs && a.sequence < b.sequence);
  }
}
