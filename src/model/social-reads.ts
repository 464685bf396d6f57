/** Queries on posts and their answers. */
import type { Platform } from './social-post.ts';
import type { HourFigures, SocialTotals } from './social-series.ts';
import type { Address } from './units.ts';

/** A token whose posts are collected. */
export interface TrackedFigures {
  readonly trackingSinceMs: number;
  readonly totals: SocialTotals;
  /** When a platform was last polled or delivered something; null before the first time. */
  readonly polledAtMs: number | null;
  readonly hour: HourFigures;
}

/** Figures reported per minute, each as one number. */
export const MINUTE_FIGURES = [
  /** Mean sentiment weighted, and unweighted over all posts; −1 to 1. */
  'weightedSentiment',
  'sentiment',
  'reach',
  'qualityReach',
  'posts',
  'distinctPosts',
] as const;

export type MinuteFigure = (typeof MINUTE_FIGURES)[number];

/** The value of a minute that has posts. */
export interface MinuteValue {
  readonly minuteMs: number;
  readonly value: number;
  /** Null when it was not requested. */
  readonly origin: MinuteOrigin | null;
}

/** The inputs of a minute's figures. */
export interface MinuteOrigin {
  readonly platforms: readonly Platform[];
  readonly modelVersions: readonly string[];
}

export interface SeriesQuery {
  readonly mint: Address;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  readonly figure: MinuteFigure;
  readonly isExplained: boolean;
}

export type PostOrder = 'created_at' | 'followers_count';

export interface PostsQuery {
  readonly mint: Address;
  readonly orderBy: PostOrder;
  readonly orderDir: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
  readonly minFollowers: number | null;
  readonly maxFollowers: number | null;
  readonly fromMs: number | null;
  /** Exclusive. */
  readonly toMs: number | null;
}

export interface ListedPost {
  readonly platform: Platform;
  readonly postId: string;
  readonly authorId: string;
  readonly authorHandle: string | null;
  readonly followers: number | null;
  readonly text: string;
  readonly url: string | null;
  /** −1 to 1, in millionths. */
  readonly sentimentMicro: number;
  readonly modelVersion: string;
  readonly createdAtMs: number;
}

export interface PostsPage {
  readonly posts: readonly ListedPost[];
  /** Number of posts that match the query, on all pages. */
  readonly total: number;
}

/** Result of an import of posts. */
export interface PostsImport {
  readonly accepted: number;
  readonly refused: number;
  /** The first of the refused lines, each with the reason. */
  readonly faults: readonly { readonly line: number; readonly message: string }[];
}
