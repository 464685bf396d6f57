import type { Random } from '../random/random.ts';
import type { Platform } from './social-post.ts';

/** The epoch of the ids of X, in milliseconds since 1970. */
const SNOWFLAKE_EPOCH_MS = 1_288_834_974_657n;
const REDDIT_FIRST = 50_000_000_000;
const FIRST_ACCOUNT = 1_500_000_000;

/** An account's id in the form of its platform; unique per number. */
export function accountId(random: Random, platform: Platform, number: number): string {
  if (platform === 'bluesky') return `did:plc:${lettersOf(random, 20)}${base32(number, 4)}`;
  if (platform === 'reddit') return `t2_${(FIRST_ACCOUNT + number).toString(36)}`;
  return String(FIRST_ACCOUNT + number);
}

/** A post's id in the form of its platform; unique per sequence number. */
export function postIdOf(
  platform: Platform,
  authorId: string,
  postedAtMs: number,
  sequence: number,
): string {
  switch (platform) {
    case 'x':
      return String(
        ((BigInt(postedAtMs) - SNOWFLAKE_EPOCH_MS) << 22n) | BigInt(sequence & 0x3f_ffff),
      );
    case 'telegram':
      return `-1001234567890/${sequence + 1}`;
    case 'bluesky':
      return `at://${authorId}/app.bsky.feed.post/3${base32(sequence, 12)}`;
    case 'farcaster':
      return `0x${sequence.toString(16).padStart(40, '0')}`;
    case 'reddit':
      return `t1_${(REDDIT_FIRST + sequence).toString(36)}`;
  }
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

function lettersOf(random: Random, count: number): string {
  return Array.from({ length: count }, () => BASE32.charAt(random.below(32))).join('');
}

function base32(number: number, chars: number): string {
  let text = '';
  let rest = number;
  for (let digit = 0; digit < chars; digit++) {
    text = BASE32.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
