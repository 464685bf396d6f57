import type { Address } from './units.ts';

/** Sources of posts. */
export const PLATFORMS = ['bluesky', 'x', 'telegram', 'farcaster', 'reddit', 'import'] as const;

export type Platform = (typeof PLATFORMS)[number];

/** Author of a post as reported by the platform; null for what it did not report. */
export interface PostAuthor {
  /** Permanent and unique on its platform. */
  readonly id: string;
  /** As shown, without `@`. */
  readonly handle: string | null;
  readonly followers: number | null;
  readonly following: number | null;
  readonly createdAtMs: number | null;
  /** Posts so far, all time. */
  readonly postCount: number | null;
}

/**
 * One public post, identified by `platform` and `postId`: repeated deliveries are the same post.
 */
export interface SocialPost {
  readonly platform: Platform;
  readonly postId: string;
  readonly author: PostAuthor;
  /** Unmodified text, at most `POST_TEXT_MAX` UTF-16 units. Untrusted. */
  readonly text: string;
  /** URL of the post; null when the platform has none. */
  readonly url: string | null;
  /** Links attached to the post in addition to its text, unmodified. */
  readonly links: readonly string[];
  readonly reposts: number | null;
  readonly createdAtMs: number;
}

/** An event from a collector. An edit is a `post` with a known identity. */
export type PostEvent =
  | { readonly kind: 'post'; readonly post: SocialPost }
  | { readonly kind: 'deleted'; readonly platform: Platform; readonly postId: string };

export const POST_TEXT_MAX = 4_000;
export const POST_LINKS_MAX = 20;

/** A token whose posts are collected, and the names posts refer to it by. */
export interface TrackedToken {
  readonly mint: Address;
  /** Earlier posts do not count for the token (METHODS §8.1). */
  readonly trackingSinceMs: number;
  /** Without `$`, as on chain; null for a token without a symbol. */
  readonly symbol: string | null;
  /** More than $10,000 in its pools; only then can a cashtag count as its own. */
  readonly isLiquid: boolean;
  /** Official pages and handles from the token's metadata, unmodified. */
  readonly officialLinks: readonly string[];
}
