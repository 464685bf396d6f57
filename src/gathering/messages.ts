import type { LogLevel } from '../config/config-settings.ts';
import type { TrackedToken } from '../model/social-post.ts';
import type { Address, Slot } from '../model/units.ts';
import type { CollectorSettings } from '../social/collectors/registry.ts';

/** What the gathering thread is told at its start. */
export interface GatheringSettings {
  readonly dataDir: string;
  readonly logLevel: LogLevel;
  /** Origins that serve `/ipfs/<cid>/<path>`, the first is asked first. */
  readonly ipfsGateways: readonly string[];
  /** Origins that serve `/<transaction>/<path>`. */
  readonly arweaveGateways: readonly string[];
  /** Requests to all places together. */
  readonly requestsPerSecond: number;
  /** Which platforms are asked for posts; none when left out. Holds secrets. */
  readonly collectors?: CollectorSettings;
  /** Addresses of this machine that may be asked all the same: for tests, by address and port. */
  readonly allowedPrivate?: readonly string[];
  /** Origin of the web of a simulated market: nothing else is asked then. */
  readonly simulatedWeb?: string;
}

/** A slot of one fold: another fold of the same slots may know more of them. */
export interface FoldPoint {
  readonly epoch: number;
  readonly slot: Slot;
}

/** A token as the chain tells of it, as far as the gathering of off-chain facts needs it. */
export interface TokenUpdate {
  readonly mint: Address;
  /** Where its metadata lies; null for a token that names no place. */
  readonly uri: string | null;
  readonly name: string | null;
  readonly symbol: string | null;
  /** Null for a token that is older than the held history. */
  readonly createdSlot: Slot | null;
  readonly createdAtMs: number | null;
}

/** A token whose posts are collected from now on, or of which another symbol or liquidity counts. */
export type TrackingUpdate = Omit<TrackedToken, 'officialLinks'>;

/**
 * What of the chain is final and new since the batch before. Written whole, with the place it
 * reaches, before it is answered `taken`: what is lost on the way is told again.
 */
export interface TokenBatch {
  readonly kind: 'tokens';
  /** Counts up with each batch of a start of the thread. */
  readonly number: number;
  readonly tokens: readonly TokenUpdate[];
  readonly tracked: readonly TrackingUpdate[];
  /** Everything up to here is told with this batch; null while something before it is not. */
  readonly reached: FoldPoint | null;
}

export type ToGathering =
  | TokenBatch
  /** Nothing more is begun; the thread ends after `drainMs` at the latest. */
  | { readonly kind: 'close'; readonly drainMs: number };

export type FromGathering =
  /** Everything up to `reached` was told by an earlier start; null: nothing was. */
  | {
      readonly kind: 'ready';
      readonly reached: FoldPoint | null;
      readonly tracked: readonly TrackingUpdate[];
    }
  /** A batch is kept. */
  | { readonly kind: 'taken'; readonly number: number }
  | { readonly kind: 'counts'; readonly counts: GatheringCounts }
  /** Nobody reads the log any more. */
  | { readonly kind: 'unread' };

/** Figures for the metrics page: names without prefix, each with its samples. */
export interface GatheringCounts {
  readonly counters: readonly GatheringFamily[];
  readonly gauges: readonly GatheringFamily[];
}

export interface GatheringFamily {
  readonly name: string;
  readonly samples: readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];
}
