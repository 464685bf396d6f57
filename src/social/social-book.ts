import { RecentMap } from '../lib/recent-map.ts';
import type { PostEvent, SocialPost } from '../model/social-post.ts';
import {
  type CountedPost,
  MICRO,
  MINUTE_MS,
  POSTS_OF_MINUTE_MAX,
  type SocialArchive,
  type SocialTotals,
  type StoredPost,
} from '../model/social-series.ts';
import type { Address } from '../model/units.ts';
import type { TokenIndex } from './match-post.ts';
import { figuresOfHour, isNewer, sumMinute, weightedSentiment } from './sum-posts.ts';
import { countedFollowers, type PostWeigher } from './weigh-post.ts';

/** A post that arrives this long after its creation is not counted in its minute: METHODS §8.3. */
export const LATE_AFTER_MS = 10 * MINUTE_MS;
/** Maximum stored deletions of posts that did not arrive yet. */
const EARLY_DELETIONS_MAX = 10_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Older posts are removed and therefore refused: a repeated one would count twice. */
export const KEPT_MS = 90 * 24 * HOUR_MS;

/** How posts arrived. */
export interface PostContext {
  readonly nowMs: number;
  /** Imported history: late posts are still counted in their minute. */
  readonly isHistory: boolean;
}

/** Counts of processed events by outcome, since the start. */
export interface PostCounts {
  taken: number;
  edited: number;
  deleted: number;
  /** Unchanged repeats. */
  repeated: number;
  /** Posts about no tracked token. */
  unmatched: number;
  /** Created before tracking began, or longer ago than posts are kept. */
  tooOld: number;
  /** Counted only in the totals. */
  late: number;
  /** Beyond the maximum posts of one minute. */
  flooded: number;
  /** Cashtags, links and handles that several tokens claim. */
  ambiguous: number;
  /** Tokens beyond the maximum that one post counts for. */
  beyond: number;
}

export interface SocialBookParts {
  readonly archive: SocialArchive;
  readonly tokens: TokenIndex;
  readonly weigher: PostWeigher;
  /** The mood of a text, −1 to 1. */
  readonly score: (text: string) => number;
  readonly modelVersion: string;
}

/**
 * Converts post events into the social figures of tokens: posts, minutes, hours and totals. Minutes
 * and hours are summed from the current posts whenever one of them changes, so that an edit or a
 * deletion gives the result of a recount; totals are integers that can be subtracted exactly. It
 * has no clock and keeps no state of tokens in memory: call `settle` within the transaction of the
 * events, and discard the book when the transaction fails.
 */
export class SocialBook {
  readonly counts: PostCounts = {
    taken: 0,
    edited: 0,
    deleted: 0,
    repeated: 0,
    unmatched: 0,
    tooOld: 0,
    late: 0,
    flooded: 0,
    ambiguous: 0,
    beyond: 0,
  };
  private readonly parts: SocialBookParts;
  private readonly early = new RecentMap<string, true>(EARLY_DELETIONS_MAX);
  /** Minutes to sum again, by token, and tokens whose last hour changed. */
  private readonly changed = new Map<Address, Set<number>>();
  private readonly changedHours = new Set<Address>();
  private readonly minutePosts = new Map<string, number>();

  constructor(parts: SocialBookParts) {
    this.parts = parts;
  }

  take(event: PostEvent, context: PostContext): void {
    const isDeletion = event.kind === 'deleted';
    const { platform, postId } = isDeletion ? event : event.post;
    const known = this.parts.archive.post(platform, postId);
    if (isDeletion) {
      if (known === null) this.early.set(`${platform}/${postId}`, true);
      else if (!known.isDeleted) this.remove(known, context.nowMs);
    } else if (known !== null) this.edit(known, event.post, context.nowMs);
    else if (this.early.get(`${platform}/${postId}`) === undefined) this.add(event.post, context);
    else this.counts.repeated++;
  }

  /** Writes the minutes and hours that changed since the last call. */
  settle(nowMs: number): void {
    const { archive } = this.parts;
    for (const [mint, minutes] of this.changed) {
      for (const minuteMs of minutes) {
        archive.writeMinute(mint, sumMinute(minuteMs, archive.postsOfMinute(mint, minuteMs)));
      }
    }
    for (const mint of this.changedHours) this.writeHour(mint, nowMs);
    this.changed.clear();
    this.changedHours.clear();
    this.minutePosts.clear();
  }

  /** Updates the hours of up to `tokensMax` tokens to `nowMs`, those written longest ago first. */
  passTime(nowMs: number, tokensMax: number): void {
    for (const mint of this.parts.archive.mintsWithRecentPosts(tokensMax))
      this.writeHour(mint, nowMs);
  }

  private writeHour(mint: Address, nowMs: number): void {
    const { archive } = this.parts;
    archive.writeHour(mint, figuresOfHour(nowMs, archive.postsSince(mint, nowMs - HOUR_MS)));
  }

  private add(received: SocialPost, context: PostContext): void {
    // A creation time in the future comes from a clock ahead of ours.
    const createdAtMs = Math.min(Math.floor(received.createdAtMs), context.nowMs);
    const post = { ...received, createdAtMs };
    const lateMs = context.nowMs - post.createdAtMs;
    const isLate = !context.isHistory && lateMs > LATE_AFTER_MS;
    const minuteMs = isLate ? null : Math.floor(post.createdAtMs / MINUTE_MS) * MINUTE_MS;
    const mints = this.mintsOf(post, lateMs, minuteMs);
    if (mints.length === 0) return;
    const { weigher, archive } = this.parts;
    const stored: StoredPost = {
      platform: post.platform,
      postId: post.postId,
      authorId: post.author.id,
      authorHandle: post.author.handle,
      followers: countedFollowers(post.author),
      reportedFollowers: post.author.followers === null ? null : countedFollowers(post.author),
      reposts: Math.max(0, post.reposts ?? 0),
      createdAtMs: post.createdAtMs,
      ...this.scored(post.text),
      ...weigher.weigh(post, this.accountNumberOf(post, mints)),
      text: post.text,
      url: post.url,
      minuteMs,
      mints,
      isDeleted: false,
    };
    archive.add(stored);
    this.counts.taken++;
    if (isLate) this.counts.late++;
    for (const mint of mints) {
      this.count(mint, stored, 1, context.nowMs);
      this.addAuthor(mint, stored);
    }
    this.mark(stored, context.nowMs);
  }

  /** The tokens that the post counts for. */
  private mintsOf(post: SocialPost, lateMs: number, minuteMs: number | null): Address[] {
    const { tokens } = this.parts;
    const { mints, ambiguous, beyond } = tokens.match(post);
    this.counts.ambiguous += ambiguous;
    this.counts.beyond += beyond;
    if (mints.length === 0) {
      this.counts.unmatched++;
      return [];
    }
    const since = (mint: Address) => tokens.get(mint)?.trackingSinceMs ?? Number.POSITIVE_INFINITY;
    const young = mints.filter((mint) => lateMs <= KEPT_MS && post.createdAtMs >= since(mint));
    if (young.length === 0) this.counts.tooOld++;
    const taken = young.filter((mint) => minuteMs === null || this.hasCapacity(mint, minuteMs));
    if (taken.length < young.length) this.counts.flooded++;
    return taken;
  }

  /** The post's number among its account's of the clock hour, of the token where it is highest. */
  private accountNumberOf(post: SocialPost, mints: readonly Address[]): number {
    const fromMs = Math.floor(post.createdAtMs / HOUR_MS) * HOUR_MS;
    const author = { platform: post.platform, authorId: post.author.id };
    const before = mints.map((mint) =>
      this.parts.archive.countOfAuthor(mint, author, fromMs, fromMs + HOUR_MS),
    );
    return 1 + Math.max(...before);
  }

  private hasCapacity(mint: Address, minuteMs: number): boolean {
    const name = `${mint} ${minuteMs}`;
    const posts =
      this.minutePosts.get(name) ?? this.parts.archive.postsOfMinute(mint, minuteMs).length;
    if (posts >= POSTS_OF_MINUTE_MAX) return false;
    this.minutePosts.set(name, posts + 1);
    return true;
  }

  /** Text, sentiment and reposts change; minute, weight and tokens stay as they were counted. */
  private edit(known: StoredPost, post: SocialPost, nowMs: number): void {
    const reposts = Math.max(known.reposts, post.reposts ?? 0);
    const isText = known.text !== post.text;
    if (known.isDeleted || (!isText && reposts === known.reposts)) {
      this.counts.repeated++;
      return;
    }
    const scored = isText ? this.scored(post.text) : {};
    const edited = { ...known, text: post.text, reposts, ...scored };
    this.parts.archive.edit(edited);
    this.counts.edited++;
    for (const mint of known.mints) {
      this.count(mint, known, -1, nowMs);
      this.count(mint, edited, 1, nowMs);
    }
    this.mark(edited, nowMs);
  }

  private remove(known: StoredPost, nowMs: number): void {
    this.parts.archive.remove(known);
    this.counts.deleted++;
    for (const mint of known.mints) {
      this.count(mint, known, -1, nowMs);
      this.removeAuthor(mint, known);
    }
    this.mark(known, nowMs);
  }

  /** Adds a post to the totals of a token, or subtracts it. */
  private count(mint: Address, post: CountedPost, sign: 1 | -1, nowMs: number): void {
    const totals = this.parts.archive.totals(mint);
    this.parts.archive.writeTotals(mint, {
      ...totals,
      posts: totals.posts + sign,
      weightMicro: totals.weightMicro + sign * post.weightMicro,
      weightedMicro: totals.weightedMicro + sign * weightedSentiment(post),
      sentimentMicro: totals.sentimentMicro + sign * post.sentimentMicro,
      lastUpdatedMs: Math.max(totals.lastUpdatedMs, nowMs),
    });
  }

  private addAuthor(mint: Address, post: StoredPost): void {
    const { archive } = this.parts;
    const known = archive.author(mint, post);
    const isNewest =
      known === null || isNewer(post, { createdAtMs: known.latestMs, postId: known.latestPostId });
    const latest = isNewest
      ? { followers: post.followers, latestMs: post.createdAtMs, latestPostId: post.postId }
      : known;
    archive.writeAuthor(mint, post, { ...latest, posts: (known?.posts ?? 0) + 1 });
    if (isNewest) this.addReach(mint, post.followers - (known?.followers ?? 0));
  }

  /** Removes an author with the last post; else restores the followers of the newest one left. */
  private removeAuthor(mint: Address, post: StoredPost): void {
    const { archive } = this.parts;
    const known = archive.author(mint, post);
    if (known === null) return;
    if (known.posts <= 1) {
      archive.writeAuthor(mint, post, null);
      this.addReach(mint, -known.followers);
      return;
    }
    const newest = archive.newestOf(mint, post);
    const latest =
      newest === null
        ? known
        : {
            followers: newest.followers,
            latestMs: newest.createdAtMs,
            latestPostId: newest.postId,
          };
    archive.writeAuthor(mint, post, { ...latest, posts: known.posts - 1 });
    this.addReach(mint, latest.followers - known.followers);
  }

  private addReach(mint: Address, followers: number): void {
    if (followers === 0) return;
    const totals: SocialTotals = this.parts.archive.totals(mint);
    this.parts.archive.writeTotals(mint, { ...totals, reach: totals.reach + followers });
  }

  private mark({ mints, minuteMs, createdAtMs }: StoredPost, nowMs: number): void {
    if (minuteMs === null) return;
    for (const mint of mints) {
      const minutes = this.changed.get(mint) ?? new Set();
      this.changed.set(mint, minutes);
      minutes.add(minuteMs);
      if (createdAtMs > nowMs - HOUR_MS) this.changedHours.add(mint);
    }
  }

  private scored(text: string): Pick<CountedPost, 'sentimentMicro' | 'modelVersion'> {
    const { score, modelVersion } = this.parts;
    const micro = Math.round(score(text) * MICRO);
    const bounded = Math.max(-MICRO, Math.min(MICRO, micro));
    // Never −0, which a database returns as 0.
    return { sentimentMicro: bounded === 0 ? 0 : bounded, modelVersion };
  }
}
