/** Rows of posts as SQLite returns them, and their conversion. */
import type { Platform } from '../../model/social-post.ts';
import type { CountedPost, MinuteSums, StoredPost } from '../../model/social-series.ts';

export interface PostRow {
  readonly post: number;
  readonly platform: Platform;
  readonly post_id: string;
  readonly is_deleted: number;
  readonly author_id: string;
  readonly author_handle: string | null;
  readonly followers: number | null;
  readonly text: string;
  readonly url: string | null;
  readonly reposts: number;
  readonly created_at_ms: number;
  readonly minute_ms: number | null;
  readonly sentiment: number;
  readonly quality: number;
  readonly weight: number;
  readonly place: number;
  readonly hash_high: number | null;
  readonly hash_low: number | null;
  readonly model_version: string;
}

export interface MinuteRow {
  readonly minute_ms: number;
  readonly posts: number;
  readonly distinct_posts: number;
  readonly weight: number;
  readonly weighted: number;
  readonly sentiment: number;
  readonly reach: number;
  readonly quality_reach: number;
  readonly platforms: string;
  readonly model_versions: string;
}

/** The columns of a post that are needed to count it. */
export const COUNTED_COLUMNS =
  'p.platform, p.post_id, p.author_id, p.followers, p.reposts, p.created_at_ms, p.sentiment, ' +
  'p.quality, p.weight, p.place, p.model_version';

export function toCountedPost(row: PostRow): CountedPost {
  return {
    platform: row.platform,
    postId: row.post_id,
    authorId: row.author_id,
    followers: row.followers ?? 0,
    reposts: row.reposts,
    createdAtMs: row.created_at_ms,
    sentimentMicro: row.sentiment,
    qualityMicro: row.quality,
    weightMicro: row.weight,
    copyNumber: row.place,
    modelVersion: row.model_version,
  };
}

/** The columns of a post that identify copies of it, without its text. */
export const RECENT_COLUMNS =
  'post, platform, author_id, created_at_ms, place, hash_high, hash_low';

export type RecentPost = Pick<
  StoredPost,
  'platform' | 'authorId' | 'createdAtMs' | 'copyNumber' | 'simHash'
>;

export function toRecentPost(row: PostRow): RecentPost {
  return {
    platform: row.platform,
    authorId: row.author_id,
    createdAtMs: row.created_at_ms,
    copyNumber: row.place,
    simHash: hashOf(row),
  };
}

function hashOf({ hash_high: high, hash_low: low }: PostRow): StoredPost['simHash'] {
  return high === null || low === null ? null : { high, low };
}

export function toStoredPost(row: PostRow, mints: StoredPost['mints']): StoredPost {
  return {
    ...toCountedPost(row),
    authorHandle: row.author_handle,
    reportedFollowers: row.followers,
    text: row.text,
    url: row.url,
    simHash: hashOf(row),
    minuteMs: row.minute_ms,
    mints,
    isDeleted: row.is_deleted === 1,
  };
}

export function toMinuteSums(row: MinuteRow): MinuteSums {
  return {
    minuteMs: row.minute_ms,
    posts: row.posts,
    distinctPosts: row.distinct_posts,
    weightMicro: row.weight,
    weightedMicro: row.weighted,
    sentimentMicro: row.sentiment,
    reach: row.reach,
    qualityReach: row.quality_reach,
    platforms: wordsOf(row.platforms) as Platform[],
    modelVersions: wordsOf(row.model_versions),
  };
}

/** Splits comma-separated words. */
export function wordsOf(text: string): string[] {
  return text === '' ? [] : text.split(',');
}
