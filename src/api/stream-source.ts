import type { Awaitable } from '../lib/awaitable.ts';

export interface Entry<Item> {
  /** Ascending, not always by one. */
  readonly seq: number;
  readonly item: Item;
}

/** Numbers that a client asked for and nobody has. */
export interface StreamGap {
  readonly from: number;
  readonly to: number;
}

/** What comes after a place in a stream: first what is missing there, then what there is. */
export interface Batch<Item> {
  readonly gap: StreamGap | null;
  /** Oldest first, some of all there are; empty when the end is reached. */
  readonly entries: readonly Entry<Item>[];
  /** The place to go on from. */
  readonly next: number;
}

/** A numbered stream that is read from any place that is still kept. */
export interface StreamSource<Item> {
  /** The place of a client that wants only what is to come. */
  newest(): Awaitable<number>;
  after(seq: number): Awaitable<Batch<Item>>;
  /** `onEvents` is called when there is more. Returns what ends that. */
  watch(onEvents: () => void): () => void;
}
