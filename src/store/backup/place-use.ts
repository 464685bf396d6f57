import { randomUUID } from 'node:crypto';
import { type Clock, monotonicClock } from '../../lib/clock.ts';
import { StoreError } from '../../model/errors.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { getText, putText } from '../blobs/blob-texts.ts';

/** What is done to a place of backups: writing relies on files that are there, pruning removes some. */
export type UseKind = 'writing' | 'pruning';

export interface PlaceUseTiming {
  /** How often a use shows that it goes on. */
  readonly renewMs: number;
  /** A use that shows nothing for this long, by the clock of who waits for it, is taken for dead. */
  readonly staleMs: number;
  /** A use that could not show anything for this long takes itself for dead. */
  readonly lostMs: number;
  readonly pollMs: number;
  /** The longest wait for uses of the other kind that go on. */
  readonly waitMs: number;
}

export interface PlaceUseOptions {
  readonly clock?: Clock;
  readonly timing?: Partial<PlaceUseTiming>;
  /** Ends waiting. */
  readonly signal?: AbortSignal;
  /** Receives a sentence when something is waited for, and when a dead use is removed. */
  readonly onNotice?: (sentence: string) => void;
}

const TIMING: PlaceUseTiming = {
  renewMs: 60_000,
  staleMs: 15 * 60_000,
  lostMs: 5 * 60_000,
  pollMs: 5_000,
  waitMs: 60 * 60_000,
};
const BEAT_CHARS = 16;
const OTHER = { writing: 'pruning', pruning: 'writing' } as const;

/**
 * Keeps writers and pruners of a place of backups apart, without any other server: each announces
 * itself first and looks for the other kind afterwards, so that of two that begin together at least
 * one sees the other. Uses of the same kind do not exclude each other.
 *
 * No two clocks are compared. A use that was killed is removed by who has waited for it and has seen
 * nothing new of it for `staleMs`. Its announcement is stored once and never again, so that a process
 * that was stopped and wakes finds that it is gone.
 */
export class PlaceUse {
  private readonly blobs: BlobStore;
  private readonly kind: UseKind;
  private readonly clock: Clock;
  private readonly timing: PlaceUseTiming;
  private readonly id = randomUUID();
  private readonly ending = new AbortController();
  private shownAtMs: number;
  private beating: Promise<void> = Promise.resolve();

  private constructor(blobs: BlobStore, kind: UseKind, options: PlaceUseOptions) {
    this.blobs = blobs;
    this.kind = kind;
    this.clock = options.clock ?? monotonicClock;
    this.timing = { ...TIMING, ...options.timing };
    this.shownAtMs = this.clock.nowMs();
  }

  /** Resolves once nobody of the other kind uses the place. Rejects with StoreError. */
  static async begin(
    blobs: BlobStore,
    kind: UseKind,
    options: PlaceUseOptions = {},
  ): Promise<PlaceUse> {
    const others = new WatchedUses(blobs, OTHER[kind], options);
    const { waitMs } = { ...TIMING, ...options.timing };
    const clock = options.clock ?? monotonicClock;
    const startedMs = clock.nowMs();
    for (;;) {
      const use = new PlaceUse(blobs, kind, options);
      await putText(blobs, use.key, kind);
      use.beating = use.keepShowing();
      try {
        // A writer keeps its announcement while it waits, so that it comes next.
        for (;;) {
          if (!(await others.areThere())) return use;
          if (clock.nowMs() - startedMs > waitMs) throw stillUsed(blobs, kind);
          if (kind === 'pruning') break;
          await others.pause();
        }
      } catch (error) {
        await use.end();
        throw error;
      }
      await use.end();
      await others.pause();
    }
  }

  /** Whether the announcement is still there, so that those of the other kind wait. */
  async isHeld(): Promise<boolean> {
    if (this.isLost) return false;
    return (await getText(this.blobs, this.key, BEAT_CHARS)) !== null && !this.isLost;
  }

  /** Does not reject: an announcement that cannot be removed is removed by who waits for it. */
  async end(): Promise<void> {
    this.ending.abort();
    await this.beating;
    for (const key of [this.key, this.beatKey]) {
      await this.blobs.delete(key).catch(ignoreFailure);
    }
  }

  private get key(): string {
    return `${this.kind}/${this.id}`;
  }

  private get beatKey(): string {
    return beatKeyOf(this.id);
  }

  private get isLost(): boolean {
    return this.clock.nowMs() - this.shownAtMs > this.timing.lostMs;
  }

  private async keepShowing(): Promise<void> {
    const { signal } = this.ending;
    for (let count = 1; ; count++) {
      await this.clock.sleep(this.timing.renewMs, signal);
      if (signal.aborted || this.isLost) return;
      const startedMs = this.clock.nowMs();
      try {
        await putText(this.blobs, this.beatKey, String(count));
        if (!this.isLost) this.shownAtMs = startedMs;
      } catch (error) {
        ignoreFailure(error);
      }
    }
  }
}

/** The uses of one kind, as one who waits for their end sees them. */
class WatchedUses {
  private readonly blobs: BlobStore;
  private readonly kind: UseKind;
  private readonly options: PlaceUseOptions;
  private readonly clock: Clock;
  private readonly timing: PlaceUseTiming;
  private readonly seen = new Map<string, { readonly beat: string | null; sinceMs: number }>();

  constructor(blobs: BlobStore, kind: UseKind, options: PlaceUseOptions) {
    this.blobs = blobs;
    this.kind = kind;
    this.options = options;
    this.clock = options.clock ?? monotonicClock;
    this.timing = { ...TIMING, ...options.timing };
  }

  /** Removes those that are dead. */
  async areThere(): Promise<boolean> {
    const keys = await this.blobs.list(`${this.kind}/`);
    let living = 0;
    for (const key of keys) if (!(await this.isRemoved(key))) living++;
    return living > 0;
  }

  /** Rejects with StoreError if waiting was ended. */
  async pause(): Promise<void> {
    const { signal } = this.options;
    await this.clock.sleep(this.timing.pollMs, signal);
    if (signal?.aborted === true) throw new StoreError('Waiting for the place of backups ended.');
  }

  private async isRemoved(key: string): Promise<boolean> {
    const id = key.slice(this.kind.length + 1);
    const beat = await getText(this.blobs, beatKeyOf(id), BEAT_CHARS);
    const nowMs = this.clock.nowMs();
    const before = this.seen.get(id);
    if (before === undefined) this.notice(`${this.blobs.name} ${IN_USE[this.kind]}: waiting.`);
    if (before === undefined || before.beat !== beat) {
      this.seen.set(id, { beat, sinceMs: nowMs });
      return false;
    }
    if (nowMs - before.sinceMs < this.timing.staleMs) return false;
    await this.blobs.delete(key);
    await this.blobs.delete(beatKeyOf(id));
    this.notice(`An interrupted use of ${this.blobs.name} was removed (${key}).`);
    return true;
  }

  private notice(sentence: string): void {
    this.options.onNotice?.(sentence);
  }
}

const IN_USE = {
  writing: 'is being written to by a backup, or one was interrupted',
  pruning: 'is being pruned, or pruning was interrupted',
} as const;

function stillUsed(blobs: BlobStore, kind: UseKind): StoreError {
  return new StoreError(`${blobs.name} ${IN_USE[OTHER[kind]]}: try again later.`, {
    isTransient: true,
  });
}

function beatKeyOf(id: string): string {
  return `beats/${id}`;
}

function ignoreFailure(error: unknown): void {
  if (!(error instanceof StoreError)) throw error;
}
