import type { Clock } from '../../lib/clock.ts';
import type { Platform, PostEvent } from '../../model/social-post.ts';
import type { Address } from '../../model/units.ts';

/**
 * Collects the posts of one platform. A collector throws only for faults of its own code; faults of
 * the platform are reported as a state. The same post may be emitted again, for example after a
 * restart, and a deletion may name a post that was never emitted: the receiver identifies posts by
 * `(platform, postId)`.
 */
export interface Collector {
  readonly platform: Platform;
  /** Unique and stable: its cursor is stored under this name. */
  readonly name: string;
  /** Runs until the signal, or until a person has to act. */
  run(context: CollectorContext): Promise<void>;
}

/**
 * The functions that a collector uses. Their promises never reject; once the signal aborts, all of
 * them resolve, whether or not the data were stored.
 */
export interface CollectorContext {
  readonly signal: AbortSignal;
  /** For waits and rate limits. */
  readonly clock: Clock;
  /** Wall-clock time in milliseconds since 1970. */
  nowMs(): number;
  /** From 0 to below 1, to spread waits. */
  random(): number;
  /** Emits at most `EVENT_BATCH_MAX` events, in order. Resolves when more can be accepted. */
  emit(events: readonly PostEvent[]): Promise<void>;
  readonly cursor: Cursor;
  /** The names to search posts for; the same object until it changes. */
  wanted(): Wanted;
  report(status: CollectorStatus): void;
}

export interface Cursor {
  /** The text written last, also by an earlier process, or null. */
  read(): string | null;
  /**
   * Resolves when the text and all events emitted before survive a crash: some platforms delete
   * what was acknowledged.
   */
  write(text: string): Promise<void>;
}

/** Names of tokens, the most important first, since no platform accepts a long list in full. */
export interface Wanted {
  readonly mints: readonly Address[];
  /** Without `$`, in lower case; only those that belong to one token. */
  readonly cashtags: readonly string[];
  /** Official pages as `officialPage` writes them, such as `x.com/name`. */
  readonly links: readonly string[];
}

export const EVENT_BATCH_MAX = 100;

export type WaitReason =
  | 'nothing-wanted'
  | 'rate-limited'
  | 'failing'
  /** The maximum number of posts was read this month. */
  | 'budget-spent';

export type CollectorState =
  | { readonly kind: 'running' }
  | {
      readonly kind: 'waiting';
      readonly reason: WaitReason;
      readonly untilMs: number;
      readonly message: string;
    }
  /** Ended: a person must do what the message says and start it again. */
  | { readonly kind: 'stopped'; readonly message: string };

/** Plain data, without secrets. */
export interface CollectorStatus {
  readonly name: string;
  readonly platform: Platform;
  readonly state: CollectorState;
  readonly counts: CollectorCounts;
}

/** Counts since the start. */
export interface CollectorCounts {
  /** Requests sent and connections tried. */
  readonly requests: number;
  readonly failures: number;
  /** Posts and edits emitted. */
  readonly posts: number;
  readonly deletions: number;
  /** Unchanged repeats, which were not emitted again. */
  readonly repeats: number;
  /** Answers, messages and posts that differ from the platform's documentation. */
  readonly malformed: number;
  /** Posts dated more than five minutes ahead of this clock, which were set back to it. */
  readonly fromFuture: number;
  /** Times at which older posts were skipped: there were too many, or the pause was too long. */
  readonly gaps: number;
  /** Search terms that exceeded the limits of the platform and were not requested. */
  readonly unasked: number;
}
