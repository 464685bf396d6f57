/** The quality of authors and the weight of posts: METHODS §8.3. */
export interface Author {
  readonly accountAgeDays: number;
  readonly followers: number;
  readonly following: number;
  readonly postsPerDay: number;
  /** Share of the author's posts of the last 24 hours that repeat others, 0 to 1. */
  readonly duplicateShare: number;
}

const QUALITY_MIN = 0.05;
const AGE_FROM_DAYS = 3;
const AGE_TO_DAYS = 90;
/** Followers per followed account from which an author has full quality. */
const FOLLOWED_BACK_MIN = 0.05;
const POSTS_PER_DAY_MAX = 100;
const DUPLICATE_SHARE_MAX = 0.5;

/**
 * 0.05 to 1: the product of ramps over account age, followers per followed account, posts per day
 * and repeated posts. Beyond a bound, a factor decreases in proportion to the excess.
 */
export function authorQuality(author: Author): number {
  const { accountAgeDays, followers, following, postsPerDay, duplicateShare } = author;
  const age = (accountAgeDays - AGE_FROM_DAYS) / (AGE_TO_DAYS - AGE_FROM_DAYS);
  const followedBack = following === 0 ? 1 : followers / following / FOLLOWED_BACK_MIN;
  const pace = postsPerDay === 0 ? 1 : POSTS_PER_DAY_MAX / postsPerDay;
  const own = (1 - duplicateShare) / (1 - DUPLICATE_SHARE_MAX);
  return Math.max(QUALITY_MIN, clamped(age) * clamped(followedBack) * clamped(pace) * clamped(own));
}

/**
 * Quality times 1 + log10(1 + followers), divided by the post's number among its near-duplicates
 * and among its account's posts of the hour, so that a raid of n copies counts as 1 + 1/2 + … + 1/n
 * posts.
 */
export function postWeight(quality: number, followers: number, repetitions: number): number {
  return (quality * (1 + Math.log10(1 + followers))) / repetitions;
}

function clamped(value: number): number {
  return Math.max(0, Math.min(1, value));
}
