import type { Address, Slot } from './units.ts';

/** What the document behind a token's URI says; texts are strangers', cleaned and bounded. */
export interface TokenDocument {
  readonly name: string | null;
  readonly symbol: string | null;
  readonly description: string | null;
  /** A URL; null also for a picture that is written out in the document and longer than a URL. */
  readonly image: string | null;
  readonly seenAtMs: number;
}

/** A page that a token's document names. */
export interface TokenLink {
  readonly platform: LinkPlatform;
  readonly url: string;
  /** Of the last check; null where nobody answered, and before the first. */
  readonly statusCode: number | null;
  readonly checkedAtMs: number | null;
}

export const LINK_PLATFORMS = [
  'website',
  'twitter',
  'telegram',
  'discord',
  'instagram',
  'tiktok',
  'youtube',
  'github',
  'medium',
  'reddit',
  'farcaster',
  'bluesky',
  'facebook',
  'twitch',
  'linktree',
] as const;

/** Whose page a link leads to, by its host; `website` for a host that is nobody's here. */
export type LinkPlatform = (typeof LINK_PLATFORMS)[number];

/** The perceptual hashes of a token's picture, as hex (METHODS §1). */
export interface PictureHash {
  readonly hash32: string;
  readonly hash64: string;
  readonly hashedAtMs: number;
}

/** What is known of a token beside the chain, each as of when it was seen last. */
export interface OffchainFacts {
  readonly document: TokenDocument | null;
  readonly links: readonly TokenLink[];
  readonly picture: PictureHash | null;
}

export const NOTHING_GATHERED: OffchainFacts = { document: null, links: [], picture: null };

/** What two tokens have in common. */
export const CLONE_MATCHES = ['uri', 'document', 'picture'] as const;
export type CloneMatch = (typeof CLONE_MATCHES)[number];

export interface TokenClone {
  readonly mint: Address;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly createdSlot: Slot | null;
  readonly createdAtMs: number | null;
  readonly matches: readonly CloneMatch[];
  /** Bits of 64 in which the hashes differ; null where the pictures are not alike. */
  readonly pictureDistance: number | null;
}

/** A place in the order of clones: newest first. */
export interface CloneCursor {
  /** 0 for a token of unknown age. */
  readonly createdSlot: number;
  readonly mint: Address;
}

export interface CloneQuery {
  readonly mint: Address;
  /** Null from the newest on. */
  readonly after: CloneCursor | null;
  readonly limit: number;
}

export interface ClonePage {
  readonly clones: readonly TokenClone[];
  /** Null at the end. */
  readonly next: CloneCursor | null;
}
