import { Timeline } from '../market/timeline.ts';
import type { Random } from '../random/random.ts';
import type { FeedSettings } from './feed-settings.ts';
import type { Author } from './post-authors.ts';
import { type Draft, PostWriter, type StandingPost } from './post-writer.ts';
import type { FeedEntry, PostReason } from './social-post.ts';

const MINUTE_MS = 60_000;
const EDIT_WITHIN_MS = 5 * MINUTE_MS;
const DELETE_WITHIN_MS = 10 * MINUTE_MS;

/**
 * Accepts posts: keeps the feed's clock and its scheduled actions, enforces the limit per minute,
 * and lets authors edit or delete their posts.
 */
export class PostService {
  private readonly random: Random;
  private readonly settings: FeedSettings;
  private readonly writer: PostWriter;
  private readonly timeline = new Timeline();
  private entries: FeedEntry[] = [];
  private timeMs: number;
  private minute = 0;
  private minutePosts = 0;

  constructor(random: Random, startMs: number, settings: FeedSettings) {
    this.random = random.fork('desk');
    this.settings = settings;
    this.writer = new PostWriter(random, startMs);
    this.timeMs = startMs;
  }

  get nowMs(): number {
    return this.timeMs;
  }

  /** Number of scheduled actions. */
  get pending(): number {
    return this.timeline.size;
  }

  at(timeMs: number, action: () => void): void {
    this.timeline.add(Math.floor(timeMs), action);
  }

  /** Schedules an action at a random time within `spanMs`. */
  within(spanMs: number, action: () => void): void {
    this.at(this.timeMs + this.random.below(spanMs), action);
  }

  /** Advances time and returns the records of that time, in order. */
  advance(endMs: number): readonly FeedEntry[] {
    this.entries = [];
    for (let next = this.timeline.takeBefore(endMs); next !== null; ) {
      this.timeMs = next.timeMs;
      next.action();
      next = this.timeline.takeBefore(endMs);
    }
    this.timeMs = endMs;
    return this.entries;
  }

  /**
   * Adds a post, unless the minute's limit is reached. `rewrite` gives the text of an edit, which
   * names the same tokens; without it a post can only be deleted.
   */
  post(author: Author, reason: PostReason, draft: Draft, rewrite?: () => Draft): void {
    if (!this.hasCapacity()) return;
    const { random, settings, timeMs } = this;
    const isHostile = random.chance(settings.hostileShare);
    const standing = this.writer.post({ author, timeMs, reason, draft, isHostile });
    this.entries.push(standing.entry);
    if (random.chance(settings.deleteShare)) this.planDeletion(standing);
    else if (rewrite !== undefined && random.chance(settings.editShare)) {
      this.planEdit(standing, rewrite);
    }
  }

  private planDeletion(standing: StandingPost): void {
    this.within(DELETE_WITHIN_MS, () => {
      this.entries.push(this.writer.remove(standing, this.timeMs));
    });
  }

  private planEdit(standing: StandingPost, rewrite: () => Draft): void {
    this.within(EDIT_WITHIN_MS, () => {
      this.entries.push(this.writer.edit(standing, this.timeMs, rewrite()));
    });
  }

  private hasCapacity(): boolean {
    const minute = Math.floor(this.timeMs / MINUTE_MS);
    if (minute !== this.minute) this.minutePosts = 0;
    this.minute = minute;
    this.minutePosts++;
    return this.minutePosts <= this.settings.postsPerMinuteMax;
  }
}
