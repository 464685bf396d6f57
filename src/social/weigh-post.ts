import type { Platform, PostAuthor, SocialPost } from '../model/social-post.ts';
import { MICRO } from '../model/social-series.ts';
import { type Author, authorQuality, postWeight } from './author-quality.ts';
import { NearDuplicates } from './copies/near-duplicates.ts';
import { textSignature } from './copies/text-signature.ts';
import { FollowerBounds } from './follower-bounds.ts';

const DAY_MS = 86_400_000;
/** Follower counts are limited to this; a larger number is implausible. */
export const FOLLOWERS_MAX = 1_000_000_000;
/** An age with half of the full quality, for an account with an unknown creation time. */
const UNKNOWN_AGE_DAYS = 46.5;
/** With fewer posts than this in a day, the share of copies is not meaningful. */
const JUDGED_POSTS_MIN = 3;
/** Maximum posts of one author that are used for its share of copies. */
const AUTHOR_POSTS_MAX = 100;

/** The weight of a post, and the values it was derived from. */
export interface PostWeight {
  readonly qualityMicro: number;
  readonly weightMicro: number;
  /** Its number among its near-duplicates of 24 hours, from 1. */
  readonly copyNumber: number;
  /** Its number among the posts of its account about the same token in a clock hour, from 1. */
  readonly accountNumber: number;
  /** Its author's followers, at most the 99.9th percentile of the platform. */
  readonly boundedFollowers: number;
  /** Null for a post without words. */
  readonly signature: Uint8Array | null;
}

/** The data of a weighed post that are read again after a restart. */
export interface WeighedPost {
  readonly platform: Platform;
  readonly authorId: string;
  readonly createdAtMs: number;
  readonly signature: Uint8Array | null;
  readonly copyNumber: number;
  /** Null when unknown. */
  readonly reportedFollowers: number | null;
}

/** An author's posts of a day: their times, and whether they are copies. */
interface AuthorDay {
  posts: { readonly timeMs: number; readonly isCopy: boolean }[];
}

/**
 * Weighs posts by their author and by their number of near-duplicates, over all tokens together:
 * one text posted under a hundred tokens counts as copies. Memory is bounded: the oldest posts and
 * the authors seen longest ago are dropped first.
 */
export class PostWeigher {
  private readonly authorsMax: number;
  private readonly duplicates: NearDuplicates;
  private readonly bounds: FollowerBounds;
  private readonly days = new Map<string, AuthorDay>();
  private newestMs = 0;

  constructor({ authorsMax = 50_000, postsMax = 50_000 } = {}) {
    this.authorsMax = authorsMax;
    this.duplicates = new NearDuplicates(postsMax);
    this.bounds = new FollowerBounds(authorsMax);
  }

  /** `accountNumber`: the number of the post among those of its account in the hour, from 1. */
  weigh(post: SocialPost, accountNumber = 1): PostWeight {
    const { platform, author } = post;
    const timeMs = this.inOrder(post.createdAtMs);
    const signature = textSignature(post.text);
    const copyNumber = signature === null ? 1 : this.duplicates.count(signature, timeMs);
    const duplicateShare = this.note(authorKey(platform, author.id), timeMs, copyNumber > 1);
    const quality = authorQuality(judged(author, post.createdAtMs, duplicateShare));
    const followers = countedFollowers(author);
    if (author.followers !== null) this.bounds.note(platform, author.id, followers, timeMs);
    const boundedFollowers = this.bounds.bounded(platform, followers);
    const weight = postWeight(quality, boundedFollowers, copyNumber * accountNumber);
    return {
      qualityMicro: Math.round(quality * MICRO),
      weightMicro: Math.round(weight * MICRO),
      copyNumber,
      accountNumber,
      boundedFollowers,
      signature,
    };
  }

  /** Restores a post that was weighed before. Posts must be passed in order of time. */
  recall(post: WeighedPost): void {
    const { platform, authorId, signature, reportedFollowers } = post;
    const timeMs = this.inOrder(post.createdAtMs);
    if (signature !== null) this.duplicates.count(signature, timeMs);
    this.note(authorKey(platform, authorId), timeMs, post.copyNumber > 1);
    if (reportedFollowers === null) return;
    this.bounds.note(platform, authorId, reportedFollowers, timeMs);
  }

  /** Posts arrive out of order: an older post is treated as if it had the newest time so far. */
  private inOrder(timeMs: number): number {
    this.newestMs = Math.max(this.newestMs, timeMs);
    return this.newestMs;
  }

  /** The author's share of copies, including this post. */
  private note(author: string, timeMs: number, isCopy: boolean): number {
    const day = this.days.get(author) ?? { posts: [] };
    // Inserted again, because the first entries of the map are dropped first.
    this.days.delete(author);
    this.days.set(author, day);
    day.posts.push({ timeMs, isCopy });
    const isOver = day.posts.length > AUTHOR_POSTS_MAX;
    day.posts = day.posts.filter(
      (post, at) => post.timeMs > timeMs - DAY_MS && !(isOver && at === 0),
    );
    for (const oldest of this.days.keys()) {
      if (this.days.size <= this.authorsMax) break;
      this.days.delete(oldest);
    }
    if (day.posts.length < JUDGED_POSTS_MIN) return 0;
    return day.posts.filter((post) => post.isCopy).length / day.posts.length;
  }
}

/** Identifies an account across all platforms. */
export function authorKey(platform: Platform, authorId: string): string {
  return `${platform}/${authorId}`;
}

/** The followers that count; 0 when unknown. */
export function countedFollowers({ followers }: PostAuthor): number {
  if (followers === null || !(followers > 0)) return 0;
  return Math.min(FOLLOWERS_MAX, Math.floor(followers));
}

/**
 * The known properties of an author. An unknown age counts half; every other unknown property
 * counts in favour of the author, who is not responsible for what the platform omits.
 */
function judged(author: PostAuthor, postedAtMs: number, duplicateShare: number): Author {
  const { createdAtMs, followers, following, postCount } = author;
  const accountAgeDays =
    createdAtMs === null ? UNKNOWN_AGE_DAYS : (postedAtMs - createdAtMs) / DAY_MS;
  const isPaceKnown = createdAtMs !== null && postCount !== null;
  return {
    accountAgeDays,
    followers: countedFollowers(author),
    following: followers === null || following === null ? 0 : Math.max(0, following),
    postsPerDay: isPaceKnown ? Math.max(0, postCount) / Math.max(1, accountAgeDays) : 0,
    duplicateShare,
  };
}
