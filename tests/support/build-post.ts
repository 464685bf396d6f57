import type {
  PostAuthor,
  PostEvent,
  SocialPost,
  TrackedToken,
} from '../../src/model/social-post.ts';
import { address } from './build-transaction.ts';

export const POSTED_MS = Date.UTC(2026, 0, 5, 12, 0, 30);
const DAY_MS = 86_400_000;

/** An account of full quality: old, followed, calm. */
export function buildAuthor(parts: Partial<PostAuthor> = {}): PostAuthor {
  return {
    id: 'author-1',
    handle: 'author_one',
    followers: 1_000,
    following: 100,
    createdAtMs: POSTED_MS - 400 * DAY_MS,
    postCount: 1_000,
    ...parts,
  };
}

export function buildPost(parts: Partial<SocialPost> = {}): SocialPost {
  return {
    platform: 'bluesky',
    postId: 'post-1',
    author: buildAuthor(),
    text: `looks good to me ${address('mint')}`,
    url: null,
    links: [],
    reposts: null,
    createdAtMs: POSTED_MS,
    ...parts,
  };
}

export function eventsOf(parts: Partial<SocialPost> = {}): PostEvent {
  return { kind: 'post', post: buildPost(parts) };
}

export function buildTracked(parts: Partial<TrackedToken> = {}): TrackedToken {
  return {
    mint: address('mint'),
    trackingSinceMs: POSTED_MS - DAY_MS,
    symbol: 'FOO',
    isLiquid: true,
    officialLinks: [],
    ...parts,
  };
}
