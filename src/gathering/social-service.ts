import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../model/errors.ts';
import type { Platform, PostEvent, TrackedToken } from '../model/social-post.ts';
import type { Address } from '../model/units.ts';
import type { Wanted } from '../social/collecting/collector.ts';
import { wantedOf } from '../social/collecting/wanted.ts';
import { TokenIndex } from '../social/match-post.ts';
import { KEPT_MS, type PostContext, type PostCounts, SocialBook } from '../social/social-book.ts';
import { authorKey, PostWeigher } from '../social/weigh-post.ts';
import { PostsInbox } from '../store/offchain/posts-inbox.ts';
import { SocialStore } from '../store/offchain/social-store.ts';
import { SocialQueue } from './social-queue.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** News that wait at most; who brings more waits. */
const QUEUE_MAX = 5_000;
/** News counted in one transaction: some tens of milliseconds. */
const BATCH_EVENTS = 250;
/** Posts of a day that near-duplicates are found among. */
const RECALLED_MAX = 50_000;
/** Tokens whose hour passes in one step. */
const PASSED_MAX = 250;
const PRUNED_MAX = 500;

export interface SocialServiceParts {
  readonly database: DatabaseSync;
  /** Time of day, milliseconds since 1970. */
  readonly nowMs: () => number;
  /** The mood of a text, −1 to 1. */
  readonly score: (text: string) => number;
  readonly modelVersion: string;
  readonly queueMax?: number;
}

/** What the desk holds in memory, all of it made anew from the database. */
interface SocialState {
  readonly store: SocialStore;
  readonly inbox: PostsInbox;
  readonly tokens: TokenIndex;
  readonly book: SocialBook;
}

/**
 * Counts posts: those of collectors, which wait in a queue of bounded length, and those that somebody
 * brought, which wait in the database. A batch is counted in one transaction with the places that
 * collectors reached, so that a kill between two batches loses nothing and counts nothing twice.
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

  /** The database is open and of this version. */
  constructor(parts: SocialServiceParts) {
    this.parts = parts;
    this.queue = new SocialQueue(parts.queueMax ?? QUEUE_MAX);
    this.state = openState(parts);
  }

  /** News that wait to be counted. */
  get waiting(): number {
    return this.queue.length + this.state.inbox.waiting();
  }

  /** Batches that the database refused since the start. */
  get refusals(): number {
    return this.failures;
  }

  get trackedTokens(): number {
    return this.state.tokens.size;
  }

  /** What became of news since the start. */
  get counts(): PostCounts {
    return summed(this.counted, this.state.book.counts);
  }

  /** Collects the posts of tokens from now on, or takes what is new about them. */
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

  /** What posts are looked for, those tracked last the most wanted. */
  wanted(): Wanted {
    this.wantedNow ??= wantedOf([...this.state.tokens.all()].reverse());
    return this.wantedNow;
  }

  /** Resolves when there is room. */
  async tell(events: readonly PostEvent[]): Promise<void> {
    if (events.length > 0) await this.queue.put({ kind: 'news', events });
  }

  cursor(name: string): string | null {
    return this.state.store.cursor(name);
  }

  /** Resolves when the place and all news before are kept, or the desk is closed. */
  async keepCursor(name: string, text: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    await this.queue.put({ kind: 'cursor', name, text, done: () => resolve() });
    await promise;
  }

  /** A platform was asked or heard. */
  polled(platform: Platform): void {
    this.polls.set(platform, this.parts.nowMs());
  }

  /**
   * Counts one batch of what waits. True when more waits. A batch that the database refuses stays in
   * the queue, and is tried again with the next call; throws StoreError then.
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
      // The book is ahead of a database that took nothing.
      this.counted = this.counts;
      this.state = openState(this.parts);
      throw error;
    }
  }

  /** Nobody waits for the queue any more; what it holds is told again after a restart. */
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
        entries.map(({ events }) => events),
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

  /** Once a minute: hours pass without posts too, and old posts go. */
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

function openState({ database, nowMs, score, modelVersion }: SocialServiceParts): SocialState {
  const store = new SocialStore(database);
  const tokens = new TokenIndex();
  for (const token of store.tracked()) tokens.put(token);
  const weigher = new PostWeigher();
  for (const post of store.recent(nowMs() - DAY_MS, RECALLED_MAX)) {
    weigher.recall({ ...post, author: authorKey(post.platform, post.authorId) });
  }
  const book = new SocialBook({ archive: store, tokens, weigher, score, modelVersion });
  return { store, inbox: new PostsInbox(database), tokens, book };
}

function isSame(known: TrackedToken, told: TrackedToken): boolean {
  return (
    known.symbol === told.symbol &&
    known.isLiquid === told.isLiquid &&
    known.officialLinks.length === told.officialLinks.length &&
    known.officialLinks.every((link, at) => link === told.officialLinks[at])
  );
}

function summed(one: PostCounts | null, other: PostCounts): PostCounts {
  const sums = { ...other };
  for (const name of Object.keys(sums) as (keyof PostCounts)[]) sums[name] += one?.[name] ?? 0;
  return sums;
}
