import type { Platform, PostAuthor, SocialPost } from '../model/social-post.ts';
import { MICRO } from '../model/social-series.ts';
import { type Author, authorQuality, postWeight } from './author-quality.ts';
import { NearDuplicates } from './near-duplicates.ts';
import { type SimHash, simHash } from './sim-hash.ts';

const DAY_MS = 86_400_000;
/** More people than there are: what is beyond is a number somebody made up. */
export const FOLLOWERS_MAX = 1_000_000_000;
/** Age that counts half, for an account whose platform does not say when it was made. */
const UNKNOWN_AGE_DAYS = 46.5;
/** With fewer posts than this a day, a share of copies says nothing about an author. */
const JUDGED_POSTS_MIN = 3;
/** Posts of one author that are looked at for its share of copies. */
const AUTHOR_POSTS_MAX = 100;

/** What a post counts with. */
export interface PostWeight {
  readonly qualityMicro: number;
  readonly weightMicro: number;
  /** Its place among its like of 24 hours, from 1 on. */
  readonly place: number;
  readonly simHash: SimHash | null;
}

/** What is remembered of a weighed post after a restart. */
export interface WeighedPost {
  readonly author: string;
  readonly createdAtMs: number;
  readonly simHash: SimHash | null;
  readonly place: number;
}

/** An author's posts of a day: when, and whether something like it was said before. */
interface AuthorDay {
  posts: { readonly timeMs: number; readonly isCopy: boolean }[];
}

/**
 * Weighs posts by who wrote them and by how often the same was said, over all tokens together: who
 * pastes one text under a hundred tokens says one thing. Bounded: the oldest posts and the authors
 * heard of longest ago are forgotten first.
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
    const place = hash === null ? 1 : this.duplicates.count(hash, timeMs);
    const author = authorKey(post.platform, post.author.id);
    const duplicateShare = this.note(author, timeMs, place > 1);
    const quality = authorQuality(judged(post.author, post.createdAtMs, duplicateShare));
    const weight = postWeight(quality, countedFollowers(post.author), place);
    return {
      qualityMicro: Math.round(quality * MICRO),
      weightMicro: Math.round(weight * MICRO),
      place,
      simHash: hash,
    };
  }

  /** Remembers a post that was weighed before; posts come in the order of their times. */
  recall({ author, createdAtMs, simHash: hash, place }: WeighedPost): void {
    const timeMs = this.inOrder(createdAtMs);
    if (hash !== null) this.duplicates.count(hash, timeMs);
    this.note(author, timeMs, place > 1);
  }

  /** Posts come late and early: what is remembered goes by the newest of them. */
  private inOrder(timeMs: number): number {
    this.newestMs = Math.max(this.newestMs, timeMs);
    return this.newestMs;
  }

  /** The author's share of copies, with this post. */
  private note(author: string, timeMs: number, isCopy: boolean): number {
    const day = this.days.get(author) ?? { posts: [] };
    // The one heard of last is the last to be forgotten.
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

/** Names an account over all platforms. */
export function authorKey(platform: Platform, authorId: string): string {
  return `${platform}/${authorId}`;
}

/** Followers as they count: none where nobody told. */
export function countedFollowers({ followers }: PostAuthor): number {
  if (followers === null || !(followers > 0)) return 0;
  return Math.min(FOLLOWERS_MAX, Math.floor(followers));
}

/**
 * An author by what is known: an unknown age counts half, everything else that is unknown counts for
 * the author, who cannot help what a platform does not tell.
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
