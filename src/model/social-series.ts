/** What is computed of posts: by post, by minute, by hour and since tracking began (METHODS §8). */
import type { Platform, TrackedToken } from './social-post.ts';
import type { Address } from './units.ts';

/**
 * Sentiments, weights and qualities are kept in millionths: whole numbers, whose sums are the same
 * in every order and can be taken back exactly. A sum of nine hundred million posts still fits.
 */
export const MICRO = 1_000_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** What a post counts with, for each token it names. */
export interface CountedPost {
  readonly platform: Platform;
  readonly postId: string;
  readonly authorId: string;
  /** As told with the post; 0 where the platform told none. */
  readonly followers: number;
  readonly reposts: number;
  readonly createdAtMs: number;
  /** −1 to 1, in millionths. */
  readonly sentimentMicro: number;
  /** What the author's word is worth, in millionths: METHODS §8.3. */
  readonly qualityMicro: number;
  /** In millionths. */
  readonly weightMicro: number;
  /** Its place among its like of 24 hours, from 1 on. */
  readonly place: number;
  /** What scored it. */
  readonly modelVersion: string;
}

/** A post as it is kept. */
export interface StoredPost extends CountedPost {
  readonly authorHandle: string | null;
  readonly reportedFollowers: number | null;
  readonly text: string;
  readonly url: string | null;
  /** Of its words, 32 bits each; null for a post without words. */
  readonly simHash: { readonly high: number; readonly low: number } | null;
  /** Minute that it counts in; null for one that came too late for its minute. */
  readonly minuteMs: number | null;
  /** Tokens it counts for. Empty of a deleted post. */
  readonly mints: readonly Address[];
  readonly isDeleted: boolean;
}

/** The posts of one minute about a token. */
export interface MinuteSums {
  readonly minuteMs: number;
  readonly posts: number;
  /** Those that were the first of their like. */
  readonly distinctPosts: number;
  readonly weightMicro: number;
  /** Sum of weight times sentiment. */
  readonly weightedMicro: number;
  /** Sum of sentiments. */
  readonly sentimentMicro: number;
  /** Followers of all who posted, each account once. */
  readonly reach: number;
  /** The same, each account's times its quality. */
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
  /** Newest followers of all who ever posted, each account once. */
  readonly reach: number;
  readonly lastUpdatedMs: number;
}

/** An account that posts about a token. */
export interface TokenAuthor {
  readonly followers: number;
  /** When the followers were told: time and name of the post. */
  readonly latestMs: number;
  readonly latestPostId: string;
  /** Its posts that stand. */
  readonly posts: number;
}

/** Names an account of a platform. */
export interface AuthorName {
  readonly platform: Platform;
  readonly authorId: string;
}

/**
 * Where posts and their sums are kept. All that a batch writes is kept whole or not at all; reads
 * see what the batch wrote before.
 */
export interface SocialArchive {
  /** Deleted ones too, which are never taken again; null for one that never came. */
  post(platform: Platform, postId: string): StoredPost | null;
  add(post: StoredPost): void;
  /** Replaces text, reposts, sentiment and model version. */
  edit(post: StoredPost): void;
  /** Leaves its name, and for a day what copies of it are known by. */
  remove(post: StoredPost): void;
  /** In the order of time and name, at most POSTS_OF_MINUTE_MAX. */
  postsOfMinute(mint: Address, minuteMs: number): readonly CountedPost[];
  /** Posts that have a minute, created after a time; the newest if there are very many. */
  postsSince(mint: Address, sinceMs: number): readonly CountedPost[];
  /** The newest kept post of an account about a token. */
  newestOf(mint: Address, author: AuthorName): CountedPost | null;
  author(mint: Address, author: AuthorName): TokenAuthor | null;
  /** Null removes the account from the token. */
  writeAuthor(mint: Address, name: AuthorName, author: TokenAuthor | null): void;
  totals(mint: Address): SocialTotals;
  writeTotals(mint: Address, totals: SocialTotals): void;
  /** A minute without posts is removed. */
  writeMinute(mint: Address, sums: MinuteSums): void;
  writeHour(mint: Address, figures: HourFigures): void;
  /** Tokens whose last written hour had posts, those written longest ago first. */
  talkedOf(limit: number): readonly Address[];
  track(token: TrackedToken, nowMs: number): void;
}

/** Posts of a token in one minute that are taken; what is beyond is a flood, and is dropped. */
export const POSTS_OF_MINUTE_MAX = 10_000;
