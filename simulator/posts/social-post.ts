import type { Address } from '../../src/model/units.ts';

/** Where people post. */
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

/** A post as its platform shows it. `(platform, postId)` is its name. */
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
  /** What it has drawn by the time it is read. */
  readonly engagement: Engagement;
}

export interface PostEdit {
  readonly kind: 'edit';
  readonly platform: Platform;
  readonly postId: string;
  /** The whole new text. */
  readonly text: string;
  readonly editedAtMs: number;
}

export interface PostDeletion {
  readonly kind: 'delete';
  readonly platform: Platform;
  readonly postId: string;
  readonly deletedAtMs: number;
}

/** What a platform tells. An edit or a deletion comes after its post. */
export type PostRecord = SocialPost | PostEdit | PostDeletion;

/**
 * What made somebody post. Only `offTopic` is about no token; `spam` names tokens to be found and
 * means nothing by it.
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

/** By what a text names a token. By the name alone, nobody can tell which one is meant. */
export type MentionForm = 'address' | 'link' | 'handle' | 'cashtag' | 'name';

/** A token as the author meant it. */
export interface Mention {
  readonly mint: Address;
  readonly by: MentionForm;
  /** Another launched token had the same symbol; only for cashtags. */
  readonly isAmbiguous: boolean;
  /** What the author wanted to say about it: −1 to 1, in hundredths. */
  readonly meantSentiment: number;
}

/** What no platform tells. */
export interface PostTruth {
  readonly reason: PostReason;
  readonly isRaid: boolean;
  readonly isBot: boolean;
  /** The text is made to break whoever reads it. */
  readonly isHostile: boolean;
  /** When the post was made, for edits and deletions too. */
  readonly postedAtMs: number;
  /** Each mint once. Of an edit, what the new text means; of a deletion, what the post last meant. */
  readonly about: readonly Mention[];
  /** Of an edit, what the text before meant, mention by mention; else null. */
  readonly before: readonly Mention[] | null;
}

/** Something a platform tells, with the truth about it. */
export interface FeedEntry {
  readonly record: PostRecord;
  readonly truth: PostTruth;
}

/** When a record happened, in milliseconds since 1970. */
export function recordTimeMs(record: PostRecord): number {
  if (record.kind === 'post') return record.postedAtMs;
  return record.kind === 'edit' ? record.editedAtMs : record.deletedAtMs;
}
