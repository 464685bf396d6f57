/**
 * Figures computed from posts: by post, by minute, by hour and since tracking began (METHODS §8).
 */
import type { Platform, TrackedToken } from './social-post.ts';
import type { Address } from './units.ts';

/**
 * Sentiments, weights and qualities are stored in millionths: integers, so that their sums do not
 * depend on the order and can be subtracted exactly. A sum over nine hundred million posts still
 * fits.
 */
export const MICRO = 1_000_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** The values a post contributes to each token that it mentions. */
export interface CountedPost {
  readonly platform: Platform;
  readonly postId: string;
  readonly authorId: string;
  /** As reported with the post; 0 when the platform reported none. */
  readonly followers: number;
  readonly reposts: number;
  readonly createdAtMs: number;
  /** −1 to 1, in millionths. */
  readonly sentimentMicro: number;
  /** Quality of the author, in millionths: METHODS §8.3. */
  readonly qualityMicro: number;
  /** In millionths. */
  readonly weightMicro: number;
  /** Rank among similar posts of the last 24 hours, from 1. */
  readonly copyNumber: number;
  /** Rank among the posts of its account about one of its tokens in a clock hour, from 1. */
  readonly accountNumber: number;
  /** Followers, at most the 99.9th percentile of the platform's accounts: METHODS §13.4. */
  readonly boundedFollowers: number;
  /** Model that scored the post. */
  readonly modelVersion: string;
}

/** A post as stored. */
export interface StoredPost extends CountedPost {
  readonly authorHandle: string | null;
  readonly reportedFollowers: number | null;
  readonly text: string;
  readonly url: string | null;
  /** MinHash signature of its words, by which copies are found; null for a post without words. */
  readonly signature: Uint8Array | null;
  /** Minute that the post counts in; null for one that arrived too late for its minute. */
  readonly minuteMs: number | null;
  /** Tokens that the post counts for; empty for a deleted post. */
  readonly mints: readonly Address[];
  readonly isDeleted: boolean;
}

/** The posts of one minute about a token. */
export interface MinuteSums {
  readonly minuteMs: number;
  readonly posts: number;
  /** Posts that were the first of their group of similar posts and of their account's hour. */
  readonly distinctPosts: number;
  readonly weightMicro: number;
  /** Sum of weight times sentiment. */
  readonly weightedMicro: number;
  /** Sum of sentiments. */
  readonly sentimentMicro: number;
  /** Sum of the followers of all authors, each account once. */
  readonly reach: number;
  /** The sum of bounded followers times quality of accounts not yet counted in the hour. */
  readonly qualityReach: number;
  readonly platforms: readonly Platform[];
  readonly modelVersions: readonly string[];
}

/** Figures over the last hour. */
export interface HourFigures {
  /** The end of the hour. */
  readonly atMs: number;
  readonly posts: number;
  /** −1 to 1, in millionths. */
  readonly sentimentMicro: number;
  /** Accounts reached: METHODS §8.4. */
  readonly blastRadius: number;
}

/** Sums over all posts since tracking began. */
export interface SocialTotals {
  readonly posts: number;
  readonly weightMicro: number;
  readonly weightedMicro: number;
  readonly sentimentMicro: number;
  /** Sum of the latest follower counts of all authors so far, each account once. */
  readonly reach: number;
  readonly lastUpdatedMs: number;
}

/** An account that posts about a token. */
export interface TokenAuthor {
  readonly followers: number;
  /** When the followers were reported: time and id of the post. */
  readonly latestMs: number;
  readonly latestPostId: string;
  /** Number of its posts that are not deleted. */
  readonly posts: number;
}

/** Identifies an account of a platform. */
export interface AuthorName {
  readonly platform: Platform;
  readonly authorId: string;
}

/**
 * Storage of posts and their sums. All writes of a batch are stored atomically; reads see the
 * earlier writes of the batch.
 */
export interface SocialArchive {
  /** Includes deleted posts, which are never accepted again; null for an unknown post. */
  post(platform: Platform, postId: string): StoredPost | null;
  add(post: StoredPost): void;
  /** Replaces text, reposts, sentiment and model version. */
  edit(post: StoredPost): void;
  /** Keeps the id of the post and, for a day, the data by which copies of it are recognised. */
  remove(post: StoredPost): void;
  /** Ordered by time and id, at most POSTS_OF_MINUTE_MAX. */
  postsOfMinute(mint: Address, minuteMs: number): readonly CountedPost[];
  /** Posts with a minute, created after `sinceMs`; only the newest when there are very many. */
  postsSince(mint: Address, sinceMs: number): readonly CountedPost[];
  /** Number of an account's posts about a token created from one time until before another. */
  countOfAuthor(mint: Address, author: AuthorName, fromMs: number, untilMs: number): number;
  /** The newest stored post of an account about a token. */
  newestOf(mint: Address, author: AuthorName): CountedPost | null;
  author(mint: Address, author: AuthorName): TokenAuthor | null;
  /** Null removes the account from the token. */
  writeAuthor(mint: Address, name: AuthorName, author: TokenAuthor | null): void;
  totals(mint: Address): SocialTotals;
  writeTotals(mint: Address, totals: SocialTotals): void;
  /** A minute without posts is removed. */
  writeMinute(mint: Address, sums: MinuteSums): void;
  writeHour(mint: Address, figures: HourFigures): void;
  /** Tokens whose last written hour had posts, least recently written first. */
  mintsWithRecentPosts(limit: number): readonly Address[];
  track(token: TrackedToken, nowMs: number): void;
}

/**
 * Maximum posts of a token accepted in one minute; any beyond are treated as a flood and dropped.
 */
export const POSTS_OF_MINUTE_MAX = 10_000;
