import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../model/errors.ts';
import type { Platform, PostEvent, TrackedToken } from '../model/social-post.ts';
import type { Address } from '../model/units.ts';
import type { Wanted } from '../social/collecting/collector.ts';
import { wantedOf } from '../social/collecting/wanted.ts';
import { TokenIndex } from '../social/match-post.ts';
import { KEPT_MS, type PostContext, type PostCounts, SocialBook } from '../social/social-book.ts';
import { PostWeigher } from '../social/weigh-post.ts';
import { PostsInbox } from '../store/offchain/posts-inbox.ts';
import { SocialStore } from '../store/offchain/social-store.ts';
import { SocialQueue } from './social-queue.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Maximum number of queued events; producers wait beyond it. */
const QUEUE_MAX = 5_000;
/** Events counted per transaction: some tens of milliseconds. */
const BATCH_EVENTS = 250;
/** Posts of the last day among which near-duplicates are detected. */
const RECALLED_MAX = 50_000;
/** Tokens whose hourly figures are updated per step. */
const PASSED_MAX = 250;
const PRUNED_MAX = 500;

export interface SocialServiceParts {
  readonly database: DatabaseSync;
  /** Time of day, milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Sentiment of a text, from −1 to 1. */
  readonly score: (text: string) => number;
  readonly modelVersion: string;
  readonly queueMax?: number;
  /** Posts of clients are those that any replica received. Omitted: those of this process. */
  readonly isShared?: boolean;
}

/** In-memory state of the service, rebuilt from the database. */
interface SocialState {
  readonly store: SocialStore;
  readonly inbox: PostsInbox;
  readonly tokens: TokenIndex;
  readonly book: SocialBook;
}

/**
 * Counts posts: those of collectors, which wait in a bounded queue, and imported ones, which wait
 * in the database. A batch is counted in one transaction with the cursors of the collectors, so
 * that a crash between batches neither loses nor double-counts a post.
 */
export class SocialService {
  private readonly parts: SocialServiceParts;
  private readonly queue: SocialQueue;
  private readonly polls = new Map<Platform, number>();
  private state: SocialState;
  private counted: PostCounts | null = null;
  private wantedNow: Wanted | null = null;
  private failures = 0;
  private passedMs = 0;

  /** `parts.database` is open and of this version. */
  constructor(parts: SocialServiceParts) {
    this.parts = parts;
    this.queue = new SocialQueue(parts.queueMax ?? QUEUE_MAX);
    this.state = openState(parts);
  }

  /** Number of events waiting to be counted. */
  get waiting(): number {
    return this.queue.length + this.state.inbox.waiting();
  }

  /** Number of batches refused by the database since the start. */
  get refusals(): number {
    return this.failures;
  }

  get trackedTokens(): number {
    return this.state.tokens.size;
  }

  /** Number of events since the start, by outcome. */
  get counts(): PostCounts {
    return summed(this.counted, this.state.book.counts);
  }

  /** Starts collecting the posts of tokens, or updates tracked tokens. */
  track(tokens: readonly TrackedToken[]): void {
    const { store, tokens: index } = this.state;
    const nowMs = this.parts.nowMs();
    const merged = tokens.flatMap((token) => {
      const known = index.get(token.mint);
      const trackingSinceMs = known?.trackingSinceMs ?? token.trackingSinceMs;
      return known !== null && isSame(known, token) ? [] : [{ ...token, trackingSinceMs }];
    });
    if (merged.length === 0) return;
    store.inTransaction(() => {
      for (const token of merged) store.track(token, nowMs);
    });
    for (const token of merged) index.put(token);
    this.wantedNow = null;
  }

  tokenOf(mint: Address): TrackedToken | null {
    return this.state.tokens.get(mint);
  }

  /** Search terms for posts; the most recently tracked tokens come first. */
  wanted(): Wanted {
    this.wantedNow ??= wantedOf([...this.state.tokens.all()].reverse());
    return this.wantedNow;
  }

  /** Queues post events. Resolves when there is capacity. */
  async emit(events: readonly PostEvent[]): Promise<void> {
    if (events.length > 0) await this.queue.put({ kind: 'events', events });
  }

  cursor(name: string): string | null {
    return this.state.store.cursor(name);
  }

  /** Resolves when the cursor and all preceding events are stored, or the service is closed. */
  async keepCursor(name: string, text: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    await this.queue.put({ kind: 'cursor', name, text, done: () => resolve() });
    await promise;
  }

  /** Notes that a platform was polled or delivered data. */
  polled(platform: Platform): void {
    this.polls.set(platform, this.parts.nowMs());
  }

  /**
   * Counts one batch. Returns true if more is waiting. Throws StoreError if the database refuses;
   * the batch stays queued and is retried with the next call.
   */
  flush(): boolean {
    try {
      const fromQueue = this.flushQueue();
      const fromInbox = this.flushInbox();
      this.passTime();
      return fromQueue || fromInbox;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.failures++;
      // The in-memory state is ahead of the database, which stored nothing.
      this.counted = this.counts;
      this.state = openState(this.parts);
      throw error;
    }
  }

  /** Releases waiting producers. Queued items are delivered again after a restart. */
  close(): void {
    this.queue.abandon();
  }

  private flushQueue(): boolean {
    const items = this.queue.head(BATCH_EVENTS);
    if (items.length === 0 && this.polls.size === 0) return false;
    const { store } = this.state;
    store.inTransaction(() => {
      for (const item of items) {
        if (item.kind === 'cursor') store.writeCursor(item.name, item.text);
        else this.takeAll(item.events, false);
      }
      this.state.book.settle(this.parts.nowMs());
      for (const [platform, polledAtMs] of this.polls) store.polled(platform, polledAtMs);
    });
    this.polls.clear();
    this.queue.drop(items.length);
    for (const item of items) if (item.kind === 'cursor') item.done(true);
    return this.queue.length > 0;
  }

  private flushInbox(): boolean {
    const { store, inbox, book } = this.state;
    const entries = inbox.read(BATCH_EVENTS);
    const last = entries.at(-1);
    if (last === undefined) return false;
    store.inTransaction(() => {
      this.takeAll(
        entries.map(({ event }) => event),
        true,
      );
      book.settle(this.parts.nowMs());
      inbox.dropTo(last.entry);
    });
    return entries.length === BATCH_EVENTS;
  }

  private takeAll(events: readonly PostEvent[], isHistory: boolean): void {
    const context: PostContext = { nowMs: this.parts.nowMs(), isHistory };
    for (const one of events) this.state.book.take(one, context);
  }

  /** Once a minute: updates hourly figures of tokens without posts, and prunes old posts. */
  private passTime(): void {
    const nowMs = this.parts.nowMs();
    if (nowMs - this.passedMs < MINUTE_MS) return;
    const { store, book } = this.state;
    store.inTransaction(() => {
      book.passTime(nowMs, PASSED_MAX);
      store.forgetDeleted(nowMs - DAY_MS);
      store.prune(nowMs - KEPT_MS, PRUNED_MAX);
    });
    this.passedMs = nowMs;
  }
}

function openState(parts: SocialServiceParts): SocialState {
  const { database, nowMs, score, modelVersion, isShared = false } = parts;
  const store = new SocialStore(database);
  const tokens = new TokenIndex();
  for (const token of store.tracked()) tokens.put(token);
  const weigher = new PostWeigher();
  for (const post of store.recent(nowMs() - DAY_MS, RECALLED_MAX)) {
    weigher.recall(post);
  }
  const book = new SocialBook({ archive: store, tokens, weigher, score, modelVersion });
  const inbox = isShared ? PostsInbox.received(database) : new PostsInbox(database);
  return { store, inbox, tokens, book };
}

function isSame(known: TrackedToken, next: TrackedToken): boolean {
  return (
    known.symbol === next.symbol &&
    known.isLiquid === next.isLiquid &&
    known.officialLinks.length === next.officialLinks.length &&
    known.officialLinks.every((link, at) => link === next.officialLinks[at])
  );
}

function summed(one: PostCounts | null, other: PostCounts): PostCounts {
  const sums = { ...other };
  for (const name of Object.keys(sums) as (keyof PostCounts)[]) sums[name] += one?.[name] ?? 0;
  return sums;
}
