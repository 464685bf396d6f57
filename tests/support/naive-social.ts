import type { PostEvent, SocialPost } from '../../src/model/social-post.ts';
import type { Address } from '../../src/model/units.ts';
import { authorQuality } from '../../src/social/author-quality.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Of fewer than a thousand accounts, followers beyond a million do not count. */
const FOLLOWERS_MAX = 1_000_000;

interface Kept {
  readonly post: SocialPost;
  readonly mints: readonly Address[];
  readonly minuteMs: number | null;
  readonly weight: number;
  readonly quality: number;
  readonly place: number;
  /** Its number among its account's posts of the clock hour about one of its tokens. */
  readonly ofHour: number;
  readonly number: number;
  text: string;
  reposts: number;
  isDeleted: boolean;
}

export interface NaiveMinute {
  readonly minuteMs: number;
  readonly posts: number;
  readonly reach: number;
  /** Weighted mean, and mean. */
  readonly sentiment: number;
  readonly rawSentiment: number;
}

/**
 * Counts posts by scanning all of them for every question, in fractions: a second implementation of
 * METHODS §8.3. Copies are posts with the same words between spaces, as the tests write them.
 */
export class NaiveSocial {
  private readonly kept = new Map<string, Kept>();
  private readonly matches: (post: SocialPost) => readonly Address[];
  private readonly score: (text: string) => number;

  constructor(matches: (post: SocialPost) => readonly Address[], score: (text: string) => number) {
    this.matches = matches;
    this.score = score;
  }

  take(events: PostEvent, nowMs: number, isHistory: boolean): void {
    const { platform, postId } = events.kind === 'post' ? events.post : events;
    const known = this.kept.get(`${platform}/${postId}`);
    if (events.kind === 'deleted') {
      if (known !== undefined) known.isDeleted = true;
      return;
    }
    if (known !== undefined) {
      known.text = events.post.text;
      known.reposts = Math.max(known.reposts, events.post.reposts ?? 0);
      return;
    }
    const mints = this.matches(events.post);
    if (mints.length > 0) this.keep(events.post, mints, nowMs, isHistory);
  }

  minutesOf(mint: Address): NaiveMinute[] {
    const standing = this.standing(mint);
    const minutes = [...new Set(standing.map(({ minuteMs }) => minuteMs))];
    return minutes
      .filter((minuteMs) => minuteMs !== null)
      .sort((one, other) => one - other)
      .map((minuteMs) => {
        const posts = standing.filter((kept) => kept.minuteMs === minuteMs);
        return { minuteMs, posts: posts.length, reach: reachOf(posts), ...this.moodOf(posts) };
      });
  }

  totalsOf(mint: Address) {
    const posts = this.standing(mint);
    return { posts: posts.length, reach: reachOf(posts), ...this.moodOf(posts) };
  }

  hourOf(mint: Address, nowMs: number) {
    const posts = this.standing(mint).filter(({ post, minuteMs }) => {
      return minuteMs !== null && nowMs - post.createdAtMs < 60 * MINUTE_MS;
    });
    const shares = posts.map((kept) => kept.weight / 2 ** (agoMinutes(kept, nowMs) / 15));
    const weight = sum(shares);
    const moods = posts.map((kept, at) => this.score(kept.text) * (shares[at] ?? 0));
    const reached = newestOf(posts).map((kept) => {
      const own = posts.filter((other) => authorOf(other) === authorOf(kept));
      const reposts = Math.max(...own.map((other) => other.reposts));
      const followers = Math.min(FOLLOWERS_MAX, kept.post.author.followers ?? 0);
      return followers * kept.quality * (1 + 0.1 * Math.log2(1 + reposts));
    });
    return {
      posts: posts.length,
      sentiment: weight === 0 ? 0 : sum(moods) / weight,
      blastRadius: Math.round(sum(reached)),
    };
  }

  private keep(given: SocialPost, mints: readonly Address[], nowMs: number, isHistory: boolean) {
    const post = { ...given, createdAtMs: Math.min(given.createdAtMs, nowMs) };
    const isOnTime = isHistory || nowMs - post.createdAtMs <= 10 * MINUTE_MS;
    // Deleted posts still count as posted.
    const before = [...this.kept.values()];
    const newestMs = Math.max(post.createdAtMs, ...before.map((kept) => kept.post.createdAtMs));
    const ofDay = before.filter((kept) => newestMs - kept.post.createdAtMs < DAY_MS);
    const same = wordsOf(post.text);
    const place = ofDay.filter((kept) => wordsOf(kept.post.text) === same).length + 1;
    const own = ofDay.filter((kept) => authorOf(kept) === authorOf({ post }));
    const copies = own.filter((kept) => kept.place > 1).length + (place > 1 ? 1 : 0);
    const { followers, following, createdAtMs, postCount } = post.author;
    const accountAgeDays = (post.createdAtMs - (createdAtMs ?? 0)) / DAY_MS;
    const quality = authorQuality({
      accountAgeDays,
      followers: followers ?? 0,
      following: following ?? 0,
      postsPerDay: (postCount ?? 0) / Math.max(1, accountAgeDays),
      duplicateShare: own.length + 1 < 3 ? 0 : copies / (own.length + 1),
    });
    const ofHour = 1 + Math.max(...mints.map((mint) => this.before(post, mint)));
    const weight =
      (quality * (1 + Math.log10(1 + Math.min(FOLLOWERS_MAX, followers ?? 0)))) / place / ofHour;
    this.kept.set(`${post.platform}/${post.postId}`, {
      ...{ post, mints, weight, quality, place, ofHour, number: this.kept.size },
      minuteMs: isOnTime ? post.createdAtMs - (post.createdAtMs % MINUTE_MS) : null,
      ...{ text: post.text, reposts: post.reposts ?? 0, isDeleted: false },
    });
  }

  /** The account's posts about a token in the clock hour of a post. */
  private before(post: SocialPost, mint: Address): number {
    const hour = Math.floor(post.createdAtMs / (60 * MINUTE_MS));
    return this.standing(mint).filter(
      (kept) =>
        authorOf(kept) === authorOf({ post }) &&
        Math.floor(kept.post.createdAtMs / (60 * MINUTE_MS)) === hour,
    ).length;
  }

  private standing(mint: Address): Kept[] {
    return [...this.kept.values()].filter((kept) => !kept.isDeleted && kept.mints.includes(mint));
  }

  private moodOf(posts: readonly Kept[]) {
    const scores = posts.map(({ text }) => this.score(text));
    const weight = sum(posts.map((kept) => kept.weight));
    return {
      sentiment:
        weight === 0 ? 0 : sum(posts.map((kept, at) => kept.weight * (scores[at] ?? 0))) / weight,
      rawSentiment: posts.length === 0 ? 0 : sum(scores) / posts.length,
    };
  }
}

function reachOf(posts: readonly Kept[]): number {
  return sum(newestOf(posts).map(({ post }) => post.author.followers ?? 0));
}

/** The newest post of each account. */
function newestOf(posts: readonly Kept[]): Kept[] {
  return posts.filter((kept) =>
    posts.every((other) => authorOf(other) !== authorOf(kept) || !isAfter(other, kept)),
  );
}

function isAfter(one: Kept, other: Kept): boolean {
  const laterMs = one.post.createdAtMs - other.post.createdAtMs;
  return laterMs === 0 ? one.post.postId > other.post.postId : laterMs > 0;
}

function authorOf({ post }: Pick<Kept, 'post'>): string {
  return `${post.platform} ${post.author.id}`;
}

function agoMinutes({ post }: Kept, nowMs: number): number {
  return (nowMs - post.createdAtMs) / MINUTE_MS;
}

function wordsOf(text: string): string {
  // A text under the addresses of several tokens is one text.
  return text
    .replace(/[1-9A-HJ-NP-Za-km-z]{32,44}/g, '')
    .toLowerCase()
    .trim()
    .split(/\s+/)
    .join(' ');
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
