import type { Platform, PostAuthor, SocialPost } from '../model/social-post.ts';
import { MICRO } from '../model/social-series.ts';
import { type Author, authorQuality, postWeight } from './author-quality.ts';
import { NearDuplicates } from './near-duplicates.ts';
import { type SimHash, simHash } from './sim-hash.ts';

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
  readonly simHash: SimHash | null;
}

/** The data of a weighed post that are read again after a restart. */
export interface WeighedPost {
  readonly author: string;
  readonly createdAtMs: number;
  readonly simHash: SimHash | null;
  readonly copyNumber: number;
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
  private readonly days = new Map<string, AuthorDay>();
  private newestMs = 0;

  constructor({ authorsMax = 50_000, postsMax = 50_000 } = {}) {
    this.authorsMax = authorsMax;
    this.duplicates = new NearDuplicates(postsMax);
  }

  weigh(post: SocialPost): PostWeight {
    const timeMs = this.inOrder(post.createdAtMs);
    const hash = simHash(post.text);
    const copyNumber = hash === null ? 1 : this.duplicates.count(hash, timeMs);
    const author = authorKey(post.platform, post.author.id);
    const duplicateShare = this.note(author, timeMs, copyNumber > 1);
    const quality = authorQuality(judged(post.author, post.createdAtMs, duplicateShare));
    const weight = postWeight(quality, countedFollowers(post.author), copyNumber);
    return {
      qualityMicro: Math.round(quality * MICRO),
      weightMicro: Math.round(weight * MICRO),
      copyNumber,
      simHash: hash,
    };
  }

  /** Restores a post that was weighed before. Posts must be passed in order of time. */
  recall({ author, createdAtMs, simHash: hash, copyNumber }: WeighedPost): void {
    const timeMs = this.inOrder(createdAtMs);
    if (hash !== null) this.duplicates.count(hash, timeMs);
    this.note(author, timeMs, copyNumber > 1);
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
