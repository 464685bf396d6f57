import type { PostLedger } from '../posts/post-ledger.ts';
import type { FeedEntry, PostRecord } from '../posts/social-post.ts';

/**
 * Formats a record as a line of `posts.jsonl`, as platforms publish it; times are milliseconds
 * since 1970:
 *
 *     {"kind":"post","platform","postId","author":{"id","handle","followers","following",
 *       "createdAtMs","postsPerDay"},"text","lang","postedAtMs",
 *       "engagement":{"likes","reposts","replies"}}
 *     {"kind":"edit","platform","postId","text","editedAtMs"}
 *     {"kind":"delete","platform","postId","deletedAtMs"}
 *
 * Lines are in order of time, and `(platform, postId)` identifies a post. Texts are hostile: lone
 * surrogates and characters below U+0020 are written as JSON escapes.
 */
export function postLine(record: PostRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/**
 * Formats the ground truth about a record as a line of `post-truth.jsonl`; its line n describes
 * line n of the posts:
 *
 *     {"kind","platform","postId","reason","isRaid","isBot","isHostile","postedAtMs",
 *       "about":[{"mint","by","isAmbiguous","meantSentiment"}],"before":null or the same of the
 *       text that an edit replaced}
 *
 * Names are those of `PostTruth`.
 */
export function postTruthLine({ record, truth }: FeedEntry): string {
  const { kind, platform, postId } = record;
  return `${JSON.stringify({ kind, platform, postId, ...truth })}\n`;
}

/**
 * Formats a ledger as lines of `post-ledger.jsonl`, by token and then by time:
 *
 *     {"mint","minuteMs","posts","deleted","reach","meantHundredths"}
 */
export function* postLedgerLines(ledger: PostLedger): Generator<string> {
  for (const mint of ledger.mints) {
    for (const minute of ledger.minutesOf(mint)) {
      yield `${JSON.stringify({ mint, ...minute })}\n`;
    }
  }
}
