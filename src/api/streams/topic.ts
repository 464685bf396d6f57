import type { Batch, Entry, StreamSource } from '../stream-source.ts';

export interface TopicOptions {
  /**
   * Retention time of entries. Also the time without readers after which the topic stops
   * collecting.
   */
  readonly keptMs: number;
  /** Maximum total weight of the retained entries. */
  readonly weightMax: number;
  readonly nowMs: () => number;
  /** Called when the first reader arrives, and when the topic has had no readers for `keptMs`. */
  readonly onWanted: (isWanted: boolean) => void;
}

interface Kept<Item> extends Entry<Item> {
  readonly atMs: number;
  readonly weight: number;
}

const BATCH_MAX = 32;
/** Sequence numbers reserved per millisecond of process time. */
const NUMBERS_PER_MS = 1_000;

/**
 * An in-memory stream shared by all its readers. Sequence numbers start from the time and therefore
 * increase across restarts: a client that reconnects after a restart sees a gap.
 */
export class Topic<Item> implements StreamSource<Item> {
  private readonly options: TopicOptions;
  private readonly watchers = new Set<() => void>();
  private kept: Kept<Item>[] = [];
  private weight = 0;
  private last: number;
  private unwanting: NodeJS.Timeout | null = null;
  private isWanted = false;

  constructor(options: TopicOptions) {
    this.options = options;
    this.last = options.nowMs() * NUMBERS_PER_MS;
  }

  /** Number of readers. */
  get readers(): number {
    return this.watchers.size;
  }

  push(item: Item, weight: number): void {
    const atMs = this.options.nowMs();
    this.kept.push({ seq: ++this.last, item, atMs, weight });
    this.weight += weight;
    this.dropOld(atMs);
    for (const onEvents of this.watchers) onEvents();
  }

  /** Records that entries were missed: clients that resume from before this point receive a gap. */
  skip(): void {
    this.kept = [];
    this.weight = 0;
    this.last++;
    for (const onEvents of this.watchers) onEvents();
  }

  newest(): number {
    return this.last;
  }

  after(seq: number): Batch<Item> {
    const first = this.kept[0]?.seq ?? this.last + 1;
    if (seq > this.last) {
      // Position of a clock that was ahead, or of another service.
      return { gap: { from: this.last + 1, to: seq }, entries: [], next: this.last };
    }
    const gap = seq < first - 1 ? { from: seq + 1, to: first - 1 } : null;
    const begin = Math.max(0, seq + 1 - first);
    const entries = this.kept.slice(begin, begin + BATCH_MAX);
    return { gap, entries, next: entries.at(-1)?.seq ?? Math.max(seq, first - 1) };
  }

  watch(onEvents: () => void): () => void {
    this.watchers.add(onEvents);
    if (this.unwanting !== null) clearTimeout(this.unwanting);
    this.unwanting = null;
    if (!this.isWanted) this.want();
    return () => {
      if (!this.watchers.delete(onEvents) || this.watchers.size > 0) return;
      this.unwanting = setTimeout(() => this.unwant(), this.options.keptMs).unref();
    };
  }

  private want(): void {
    this.isWanted = true;
    this.options.onWanted(true);
  }

  private unwant(): void {
    this.isWanted = false;
    this.skip();
    this.options.onWanted(false);
  }

  private dropOld(nowMs: number): void {
    const { keptMs, weightMax } = this.options;
    let gone = 0;
    for (const { atMs, weight } of this.kept) {
      if (this.weight <= weightMax && nowMs - atMs <= keptMs) break;
      this.weight -= weight;
      gone++;
    }
    if (gone > 0) this.kept.splice(0, gone);
  }
}
