import type { Clock } from '../../lib/clock.ts';
import type { Platform, PostEvent } from '../../model/social-post.ts';
import type { Address } from '../../model/units.ts';

/**
 * Brings what is posted in one place. A collector throws for faults of its own code only: whatever a
 * platform does is told as a state. The same post may be told again, after a restart for one, and a
 * deletion may name a post that nobody was told of: the reader goes by `(platform, postId)`.
 */
export interface Collector {
  readonly platform: Platform;
  /** Unique among collectors and lasting: what its cursor is kept by. */
  readonly name: string;
  /** Runs until the signal, or until a person has to do something. */
  run(context: CollectorContext): Promise<void>;
}

/**
 * What a collector gets from whoever runs it. Nothing of it rejects; once the signal is given, all of
 * it resolves, whether or not something was kept.
 */
export interface CollectorContext {
  readonly signal: AbortSignal;
  /** For waits and rates. */
  readonly clock: Clock;
  /** Time of day, milliseconds since 1970. */
  nowMs(): number;
  /** From 0 to below 1; spreads waits. */
  random(): number;
  /** Resolves when there is room for more: at most `EVENT_BATCH_MAX` at a time, in order. */
  tell(events: readonly PostEvent[]): Promise<void>;
  readonly cursor: Cursor;
  /** What posts are looked for now; the same object until it changes. */
  wanted(): Wanted;
  report(status: CollectorStatus): void;
}

export interface Cursor {
  /** What was written last, also by an earlier process; null for nothing. */
  read(): string | null;
  /**
   * Resolves when the text and all that was told before are kept through a crash: some platforms
   * forget what they are told was read.
   */
  write(text: string): Promise<void>;
}

/** What tokens are named by, the most wanted first, since no platform takes all of a long list. */
export interface Wanted {
  readonly mints: readonly Address[];
  /** Without `$`, in small letters; only those that mean one token. */
  readonly cashtags: readonly string[];
  /** Official pages as `officialPage` writes them, such as `x.com/name`. */
  readonly links: readonly string[];
}

export const EVENT_BATCH_MAX = 100;

export type WaitReason =
  | 'nothing-wanted'
  | 'rate-limited'
  | 'failing'
  /** Posts that may be read in this month have been read. */
  | 'budget-spent';

export type CollectorState =
  | { readonly kind: 'running' }
  | {
      readonly kind: 'waiting';
      readonly reason: WaitReason;
      readonly untilMs: number;
      readonly message: string;
    }
  /** Ended for good: a person has to do what the message says, and start it again. */
  | { readonly kind: 'stopped'; readonly message: string };

/** Plain data, without secrets. */
export interface CollectorStatus {
  readonly name: string;
  readonly platform: Platform;
  readonly state: CollectorState;
  readonly counts: CollectorCounts;
}

/** Since the start. */
export interface CollectorCounts {
  /** Requests sent and connections tried. */
  readonly requests: number;
  readonly failures: number;
  /** Posts and edits told. */
  readonly posts: number;
  readonly deletions: number;
  /** Came again unchanged, and were not told again. */
  readonly repeats: number;
  /** Answers, messages and posts that are not what the platform documents. */
  readonly malformed: number;
  /** Posts dated more than five minutes ahead of this clock, brought back to it. */
  readonly fromFuture: number;
  /** Times at which older posts were given up, because there were too many or the pause was long. */
  readonly gaps: number;
  /** Things to look for that found no room in what the platform is asked. */
  readonly unasked: number;
}
