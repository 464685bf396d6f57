import type { Platform } from '../model/social-post.ts';

const DAY_MS = 86_400_000;
/** Of a thousand accounts, one counts with fewer followers than it has. */
const ACCOUNTS_PER_OUTLIER = 1_000;
/** The bound until so many accounts of the platform were seen; few accounts have as many. */
export const FOLLOWERS_UNSEEN_MAX = 1_000_000;
/** Buckets per doubling of followers: a bound is exact to a sixteenth. */
const STEPS = 16;
const STEP_BITS = 4;
const BUCKETS = 32 * STEPS;

interface SeenAccount {
  readonly bucket: number;
  readonly timeMs: number;
}

interface PlatformAccounts {
  /** By account, the one seen longest ago first. */
  readonly seen: Map<string, SeenAccount>;
  readonly counts: Uint32Array;
}

/**
 * Followers winsorised at the 99.9th percentile of a platform's accounts of the last 24 hours
 * (METHODS §13.4): one account that claims a billion followers counts as much as a large one. Keeps
 * a bounded number of accounts of each platform.
 */
export class FollowerBounds {
  private readonly accountsMax: number;
  private readonly platforms = new Map<Platform, PlatformAccounts>();

  constructor(accountsMax: number) {
    this.accountsMax = accountsMax;
  }

  /** Notes an account. `followers` is an integer from 0 to 2³¹ − 1. */
  note(platform: Platform, authorId: string, followers: number, timeMs: number): void {
    const accounts = this.accountsOf(platform);
    const { seen, counts } = accounts;
    remove(accounts, authorId);
    const bucket = bucketOf(followers);
    seen.set(authorId, { bucket, timeMs });
    counts[bucket] = (counts[bucket] as number) + 1;
    for (const [oldest, account] of seen) {
      if (account.timeMs > timeMs - DAY_MS && seen.size <= this.accountsMax) break;
      remove(accounts, oldest);
    }
  }

  /** The followers that count, of an account that has `followers`. */
  bounded(platform: Platform, followers: number): number {
    const { seen, counts } = this.accountsOf(platform);
    if (seen.size < ACCOUNTS_PER_OUTLIER) return Math.min(followers, FOLLOWERS_UNSEEN_MAX);
    const outliers = Math.floor(seen.size / ACCOUNTS_PER_OUTLIER);
    let above = 0;
    for (let bucket = BUCKETS - 1; bucket >= 0; bucket--) {
      above += counts[bucket] as number;
      if (above > outliers) return Math.min(followers, lastOf(bucket));
    }
    return followers;
  }

  private accountsOf(platform: Platform): PlatformAccounts {
    const known = this.platforms.get(platform);
    if (known !== undefined) return known;
    const accounts = { seen: new Map(), counts: new Uint32Array(BUCKETS) };
    this.platforms.set(platform, accounts);
    return accounts;
  }
}

function remove({ seen, counts }: PlatformAccounts, authorId: string): void {
  const known = seen.get(authorId);
  if (known === undefined) return;
  seen.delete(authorId);
  counts[known.bucket] = (counts[known.bucket] as number) - 1;
}

/** Sixteen buckets for each power of two, by integers only: the same on all machines. */
function bucketOf(followers: number): number {
  if (followers < STEPS) return followers;
  const shift = 31 - Math.clz32(followers) - STEP_BITS;
  return (shift + 1) * STEPS + ((followers >>> shift) - STEPS);
}

/** The largest number of a bucket. */
function lastOf(bucket: number): number {
  if (bucket < STEPS) return bucket;
  const shift = Math.floor(bucket / STEPS) - 1;
  return (STEPS + (bucket % STEPS) + 1) * 2 ** shift - 1;
}
