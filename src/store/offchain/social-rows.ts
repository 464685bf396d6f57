/** Rows of posts and their figures. */
import { PLATFORMS, type Platform } from '../../model/social-post.ts';
import type { CountedPost } from '../../model/social-series.ts';
import {
  address,
  bytes,
  column,
  flag,
  group,
  integer,
  json,
  nullable,
  oneOf,
  text,
  words,
} from '../sqlite/kind.ts';
import { type RowOf, tableRow } from '../sqlite/table-row.ts';

export const SOCIAL_TOKENS = tableRow('social_tokens', {
  token: integer,
  mint: address,
  trackingSinceMs: integer,
  symbol: nullable(text),
  isLiquid: flag,
  officialLinks: json<readonly string[]>(),
  totals: group({
    posts: integer,
    weightMicro: column('weight', integer),
    weightedMicro: column('weighted', integer),
    sentimentMicro: column('sentiment', integer),
    reach: integer,
    lastUpdatedMs: integer,
  }),
  hour: group({
    atMs: column('hour_at_ms', integer),
    posts: column('hour_posts', integer),
    sentimentMicro: column('hour_sentiment', integer),
    blastRadius: column('hour_blast_radius', integer),
  }),
});

export const SOCIAL_POSTS = tableRow('social_posts', {
  post: integer,
  platform: oneOf(PLATFORMS),
  postId: text,
  isDeleted: flag,
  authorId: text,
  authorHandle: nullable(text),
  reportedFollowers: column('followers', nullable(integer)),
  text,
  url: nullable(text),
  reposts: integer,
  createdAtMs: integer,
  minuteMs: nullable(integer),
  sentimentMicro: column('sentiment', integer),
  qualityMicro: column('quality', integer),
  weightMicro: column('weight', integer),
  copyNumber: column('place', integer),
  modelVersion: text,
  signature: nullable(bytes),
  accountNumber: column('account_number', integer),
  boundedFollowers: column('bounded_followers', integer),
});

/** The fields of a post that are needed to count it. */
export const COUNTED = SOCIAL_POSTS.without(
  ...(['post', 'isDeleted', 'authorHandle', 'text', 'url', 'minuteMs', 'signature'] as const),
);

export function toCountedPost({ reportedFollowers, ...post }: RowOf<typeof COUNTED>): CountedPost {
  return { ...post, followers: reportedFollowers ?? 0 };
}

/** `author`: the platform and the account. */
export const SOCIAL_MENTIONS = tableRow('social_mentions', {
  token: integer,
  post: integer,
  createdAtMs: integer,
  minuteMs: nullable(integer),
  followers: integer,
  author: text,
});

export const SOCIAL_AUTHORS = tableRow('social_authors', {
  token: integer,
  author: text,
  followers: integer,
  latestMs: integer,
  latestPostId: text,
  posts: integer,
});

export const SOCIAL_MINUTES = tableRow('social_minutes', {
  token: integer,
  minuteMs: integer,
  posts: integer,
  distinctPosts: integer,
  weightMicro: column('weight', integer),
  weightedMicro: column('weighted', integer),
  sentimentMicro: column('sentiment', integer),
  reach: integer,
  qualityReach: integer,
  platforms: words<Platform>(','),
  modelVersions: words(','),
});

export const SOCIAL_CURSORS = tableRow('social_cursors', { name: text, value: text });

export const SOCIAL_POLLS = tableRow('social_polls', {
  platform: oneOf(PLATFORMS),
  polledAtMs: integer,
});
