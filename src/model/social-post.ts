import type { Address } from './units.ts';

/** Where posts come from. */
export const PLATFORMS = ['bluesky', 'x', 'telegram', 'farcaster', 'reddit', 'import'] as const;

export type Platform = (typeof PLATFORMS)[number];

/** Who wrote a post, as the platform told with it; null is what it did not tell. */
export interface PostAuthor {
  /** Lasting and unique on its platform. */
  readonly id: string;
  /** As shown, without `@`. */
  readonly handle: string | null;
  readonly followers: number | null;
  readonly following: number | null;
  readonly createdAtMs: number | null;
  /** Posts so far, all time. */
  readonly postCount: number | null;
}

/** One public post. `platform` and `postId` are its identity: however often it comes, it is one. */
export interface SocialPost {
  readonly platform: Platform;
  readonly postId: string;
  readonly author: PostAuthor;
  /** As written, at most `POST_TEXT_MAX` UTF-16 units; nothing of it is trusted. */
  readonly text: string;
  /** Where it can be read; null where the platform has no such place. */
  readonly url: string | null;
  /** Links that the post carries beside its text, as given. */
  readonly links: readonly string[];
  readonly reposts: number | null;
  readonly createdAtMs: number;
}

/** What a collector tells. An edit is a `post` of an identity that is known. */
export type PostEvent =
  | { readonly kind: 'post'; readonly post: SocialPost }
  | { readonly kind: 'deleted'; readonly platform: Platform; readonly postId: string };

export const POST_TEXT_MAX = 4_000;
export const POST_LINKS_MAX = 20;

/** A token whose posts are collected, and what posts name it by. */
export interface TrackedToken {
  readonly mint: Address;
  /** Posts before are not its own (METHODS §8.1). */
  readonly trackingSinceMs: number;
  /** Without `$`, as on chain; null for a token without one. */
  readonly symbol: string | null;
  /** More than $10,000 in its pools: only then a cashtag may be its own. */
  readonly isLiquid: boolean;
  /** Official pages and handles of the token's metadata, as written there. */
  readonly officialLinks: readonly string[];
}
