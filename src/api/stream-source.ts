import type { Awaitable } from '../lib/awaitable.ts';

export interface Entry<Item> {
  /** Ascending, not always by one. */
  readonly seq: number;
  readonly item: Item;
}

/** Sequence numbers that a client requested and that are not available. */
export interface StreamGap {
  readonly from: number;
  readonly to: number;
}

/** Entries after a position in a stream: first the missing range, then the available entries. */
export interface Batch<Item> {
  readonly gap: StreamGap | null;
  /** Oldest first, possibly only part of them; empty at the end of the stream. */
  readonly entries: readonly Entry<Item>[];
  /** Position to continue from. */
  readonly next: number;
}

/** A numbered stream that can be read from any retained position. */
export interface StreamSource<Item> {
  /** Position of a client that only wants future entries. */
  newest(): Awaitable<number>;
  after(seq: number): Awaitable<Batch<Item>>;
  /**
   * `onEvents` is called when new entries are available. Returns a function that stops watching.
   */
  watch(onEvents: () => void): () => void;
}
