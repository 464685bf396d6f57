import type { Address } from '../../src/model/units.ts';

/** Supported platforms. */
export const PLATFORMS = ['x', 'telegram', 'bluesky', 'farcaster', 'reddit'] as const;

export type Platform = (typeof PLATFORMS)[number];

/** An account as its platform shows it at the time of a post. */
export interface PostAuthor {
  readonly id: string;
  readonly handle: string;
  readonly followers: number;
  readonly following: number;
  /** Milliseconds since 1970. */
  readonly createdAtMs: number;
  readonly postsPerDay: number;
}

export interface Engagement {
  readonly likes: number;
  readonly reposts: number;
  readonly replies: number;
}

/** A post as its platform shows it. Identified by `(platform, postId)`. */
export interface SocialPost {
  readonly kind: 'post';
  readonly platform: Platform;
  readonly postId: string;
  readonly author: PostAuthor;
  readonly text: string;
  /** ISO 639-1. */
  readonly lang: string;
  /** Milliseconds since 1970. */
  readonly postedAtMs: number;
  /** The reactions at the time of reading. */
  readonly engagement: Engagement;
}

export interface PostEdit {
  readonly kind: 'edit';
  readonly platform: Platform;
  readonly postId: string;
  /** The complete new text. */
  readonly text: string;
  readonly editedAtMs: number;
}

export interface PostDeletion {
  readonly kind: 'delete';
  readonly platform: Platform;
  readonly postId: string;
  readonly deletedAtMs: number;
}

/** A record published by a platform. An edit or a deletion comes after its post. */
export type PostRecord = SocialPost | PostEdit | PostDeletion;

/**
 * The reason for a post. Only `offTopic` is about no token; `spam` names tokens only to appear in
 * searches.
 */
export type PostReason =
  | 'call'
  | 'chatter'
  | 'panic'
  | 'raid'
  | 'spam'
  | 'sarcasm'
  | 'rotation'
  | 'official'
  | 'offTopic';

/** How a text names a token. A name alone does not identify the token. */
export type MentionForm = 'address' | 'link' | 'handle' | 'cashtag' | 'name';

/** A token as the author meant it. */
export interface Mention {
  readonly mint: Address;
  readonly by: MentionForm;
  /** Another launched token had the same symbol; only for cashtags. */
  readonly isAmbiguous: boolean;
  /** The intended sentiment: −1 to 1, in hundredths. */
  readonly meantSentiment: number;
}

/** The ground truth, which no platform publishes. */
export interface PostTruth {
  readonly reason: PostReason;
  readonly isRaid: boolean;
  readonly isBot: boolean;
  /** The text is designed to break parsers. */
  readonly isHostile: boolean;
  /** Time of the post, for edits and deletions too. */
  readonly postedAtMs: number;
  /**
   * Each mint once. For an edit, the meaning of the new text; for a deletion, the last meaning of
   * the post.
   */
  readonly about: readonly Mention[];
  /** For an edit, the mentions of the previous text; otherwise null. */
  readonly before: readonly Mention[] | null;
}

/** A published record with its ground truth. */
export interface FeedEntry {
  readonly record: PostRecord;
  readonly truth: PostTruth;
}

/** Time of a record, in milliseconds since 1970. */
export function recordTimeMs(record: PostRecord): number {
  if (record.kind === 'post') return record.postedAtMs;
  return record.kind === 'edit' ? record.editedAtMs : record.deletedAtMs;
}
