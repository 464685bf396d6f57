/** Figures of posts, each from the posts themselves: METHODS §8.3 and §8.4. */
import {
  type CountedPost,
  HOUR_MS,
  type HourFigures,
  MICRO,
  MINUTE_MS,
  type MinuteSums,
} from '../model/social-series.ts';

const HALF_LIFE_MS = 15 * MINUTE_MS;
/** Each doubling of the reposts adds a tenth to an author's reach. */
const REPOST_SHARE = 0.1;

/** A post's sentiment times its weight, in millionths; its magnitude never exceeds the weight. */
export function weightedSentiment({ weightMicro, sentimentMicro }: CountedPost): number {
  return Math.round((weightMicro * sentimentMicro) / MICRO);
}

/** The sums of a minute. The order of the posts does not matter. */
export function sumMinute(minuteMs: number, posts: readonly CountedPost[]): MinuteSums {
  let [distinctPosts, weightMicro, weightedMicro, sentimentMicro] = [0, 0, 0, 0];
  for (const post of posts) {
    if (post.copyNumber === 1 && post.accountNumber === 1) distinctPosts++;
    weightMicro += post.weightMicro;
    weightedMicro += weightedSentiment(post);
    sentimentMicro += post.sentimentMicro;
  }
  let [reach, qualityReach] = [0, 0];
  for (const { followers } of newestByAuthor(posts).values()) reach += followers;
  const firstOfHour = posts.filter(({ accountNumber }) => accountNumber === 1);
  for (const { boundedFollowers, qualityMicro } of newestByAuthor(firstOfHour).values()) {
    qualityReach += Math.round((boundedFollowers * qualityMicro) / MICRO);
  }
  return {
    minuteMs,
    posts: posts.length,
    distinctPosts,
    weightMicro,
    weightedMicro,
    sentimentMicro,
    reach,
    qualityReach,
    platforms: [...new Set(posts.map(({ platform }) => platform))].sort(),
    modelVersions: [...new Set(posts.map(({ modelVersion }) => modelVersion))].sort(),
  };
}

/**
 * The figures of the hour before `atMs` (METHODS §8.4): the sentiment, in which a post's weight
 * halves every fifteen minutes, and the blast radius, which uses each author's newest followers and
 * quality and the reposts of the author's most reposted post.
 */
export function figuresOfHour(atMs: number, posts: readonly CountedPost[]): HourFigures {
  const recent = posts
    .filter(({ createdAtMs }) => createdAtMs > atMs - HOUR_MS && createdAtMs <= atMs)
    .sort(byTime);
  let [weight, weighted] = [0, 0];
  const reposts = new Map<string, number>();
  for (const post of recent) {
    const counts = post.weightMicro * 2 ** ((post.createdAtMs - atMs) / HALF_LIFE_MS);
    weight += counts;
    weighted += counts * post.sentimentMicro;
    const author = nameOf(post);
    reposts.set(author, Math.max(reposts.get(author) ?? 0, post.reposts));
  }
  let reached = 0;
  for (const [author, { boundedFollowers, qualityMicro }] of newestByAuthor(recent)) {
    const carried = 1 + REPOST_SHARE * Math.log2(1 + (reposts.get(author) ?? 0));
    reached += ((boundedFollowers * qualityMicro) / MICRO) * carried;
  }
  return {
    atMs,
    posts: recent.length,
    sentimentMicro: weight === 0 ? 0 : clamped(Math.round(weighted / weight)),
    blastRadius: Math.round(reached),
  };
}

/** Whether `one` is the newer post. Equal times are decided by the post id. */
export function isNewer(
  one: Pick<CountedPost, 'createdAtMs' | 'postId'>,
  other: Pick<CountedPost, 'createdAtMs' | 'postId'>,
): boolean {
  if (one.createdAtMs !== other.createdAtMs) return one.createdAtMs > other.createdAtMs;
  return one.postId > other.postId;
}

function byTime(one: CountedPost, other: CountedPost): number {
  return one.createdAtMs - other.createdAtMs || (isNewer(one, other) ? 1 : -1);
}

function newestByAuthor(posts: readonly CountedPost[]): Map<string, CountedPost> {
  const newest = new Map<string, CountedPost>();
  for (const post of posts) {
    const author = nameOf(post);
    const known = newest.get(author);
    if (known === undefined || isNewer(post, known)) newest.set(author, post);
  }
  return newest;
}

function nameOf({ platform, authorId }: CountedPost): string {
  return `${platform}/${authorId}`;
}

/** Limits a mean to −1 to 1, which rounding may exceed. */
function clamped(micro: number): number {
  return Math.max(-MICRO, Math.min(MICRO, micro));
}
