import type { LogLevel } from '../config/config-settings.ts';
import type { OffchainAppend, OffchainEffect, OffchainPosition } from '../model/offchain-stream.ts';
import type { TrackedToken } from '../model/social-post.ts';
import type { Address, Slot } from '../model/units.ts';
import type { CollectorSettings } from '../social/collectors/registry.ts';

/** Settings passed to the gathering thread at its start. */
export interface GatheringSettings {
  /** Where appended transactions are answered; without it, nothing is shared with other replicas. */
  readonly answers?: SharedArrayBuffer;
  readonly dataDir: string;
  readonly logLevel: LogLevel;
  /** Origins that serve `/ipfs/<cid>/<path>`, in order of preference. */
  readonly ipfsGateways: readonly string[];
  /** Origins that serve `/<transaction>/<path>`. */
  readonly arweaveGateways: readonly string[];
  /** Requests to all hosts together. */
  readonly requestsPerSecond: number;
  /** Platforms to collect posts from; none if omitted. Contains secrets. */
  readonly collectors?: CollectorSettings;
  /** Private addresses (host and port) that may be contacted, for tests. */
  readonly allowedPrivate?: readonly string[];
  /** Origin of the web of a simulated market. If set, no other host is contacted. */
  readonly simulatedWeb?: string;
}

/** A slot in one epoch of the fold. Another epoch may have more data of the same slots. */
export interface FoldPoint {
  readonly epoch: number;
  readonly slot: Slot;
}

/** On-chain data of a token that gathering needs. */
export interface TokenUpdate {
  readonly mint: Address;
  /** URI of the metadata; null if the token has none. */
  readonly uri: string | null;
  readonly name: string | null;
  readonly symbol: string | null;
  /** Null for a token older than the retained history. */
  readonly createdSlot: Slot | null;
  readonly createdAtMs: number | null;
}

/** A token whose posts are collected, or whose symbol or liquidity changed. */
export type TrackingUpdate = Omit<TrackedToken, 'officialLinks'>;

/**
 * Final updates since the previous batch. A batch is stored in one transaction with the position it
 * reaches, and then confirmed with `taken`; unconfirmed batches are sent again.
 */
export interface TokenBatch {
  readonly kind: 'tokens';
  /** Increases with each batch sent to one thread. */
  readonly number: number;
  readonly tokens: readonly TokenUpdate[];
  readonly tracked: readonly TrackingUpdate[];
  /**
   * All updates up to here have been sent with this batch; null if earlier ones are still pending.
   */
  readonly reached: FoldPoint | null;
}

export type ToGathering =
  | TokenBatch
  /** A message of the stream, for what is shared with other replicas. */
  | { readonly kind: 'store'; readonly seq: number; readonly effect: OffchainEffect }
  /** This replica no longer gathers. */
  | { readonly kind: 'rest' }
  /** No further job is started; the thread ends within `drainMs`. */
  | { readonly kind: 'close'; readonly drainMs: number };

export type FromGathering =
  /**
   * The thread gathers from now on. Everything up to `reached` was stored before; null if nothing
   * was.
   */
  | {
      readonly kind: 'ready';
      readonly reached: FoldPoint | null;
      readonly tracked: readonly TrackingUpdate[];
    }
  /** The thread no longer gathers, until it is ready again. */
  | { readonly kind: 'resting' }
  /** What is shared with other replicas is stored up to here. */
  | { readonly kind: 'opened'; readonly position: OffchainPosition; readonly schema: number }
  /** A message of the stream was stored. */
  | { readonly kind: 'stored'; readonly seq: number }
  /** The thread waits until this is answered in `answers`. */
  | { readonly kind: 'append'; readonly transaction: OffchainAppend }
  /** A batch was stored. */
  | { readonly kind: 'taken'; readonly number: number }
  | { readonly kind: 'counts'; readonly counts: GatheringCounts }
  /** The reader of the log is gone. */
  | { readonly kind: 'unread' };

/** Metric samples; names are without prefix. */
export interface GatheringCounts {
  readonly counters: readonly GatheringFamily[];
  readonly gauges: readonly GatheringFamily[];
}

export interface GatheringFamily {
  readonly name: string;
  readonly samples: readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];
}
