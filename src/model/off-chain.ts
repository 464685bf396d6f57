import type { Address, Slot } from './units.ts';

/**
 * Content of the document behind a token's URI. Texts are untrusted; they are cleaned and bounded.
 */
export interface TokenDocument {
  readonly name: string | null;
  readonly symbol: string | null;
  readonly description: string | null;
  /** A URL; null also for an image embedded in the document that is longer than a URL may be. */
  readonly image: string | null;
  readonly seenAtMs: number;
}

/** A page listed in a token's document. */
export interface TokenLink {
  readonly platform: LinkPlatform;
  readonly url: string;
  /** Status of the last check; null when there was no response, and before the first check. */
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

/** Platform of a link, by its host; `website` for a host that belongs to none of the others. */
export type LinkPlatform = (typeof LINK_PLATFORMS)[number];

/** The perceptual hashes of a token's picture, as hex (METHODS §1). */
export interface PictureHash {
  readonly hash32: string;
  readonly hash64: string;
  readonly hashedAtMs: number;
}

/** Off-chain facts about a token, each as of its last retrieval. */
export interface OffchainFacts {
  readonly document: TokenDocument | null;
  readonly links: readonly TokenLink[];
  readonly picture: PictureHash | null;
  /** The hash of the picture's thumbnails; null while there are none. */
  readonly thumbnailHash: string | null;
}

export const NO_OFFCHAIN_FACTS: OffchainFacts = {
  document: null,
  links: [],
  picture: null,
  thumbnailHash: null,
};

/** The properties that two tokens can share. */
export const CLONE_MATCHES = ['uri', 'document', 'picture'] as const;
export type CloneMatch = (typeof CLONE_MATCHES)[number];

export interface TokenClone {
  readonly mint: Address;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly createdSlot: Slot | null;
  readonly createdAtMs: number | null;
  readonly matches: readonly CloneMatch[];
  /** Number of the 64 bits in which the hashes differ; null when the pictures are not similar. */
  readonly pictureDistance: number | null;
  /** The hash of the thumbnails of its picture; null while there are none. */
  readonly thumbnailHash: string | null;
}

/** A position in the order of clones: newest first. */
export interface CloneCursor {
  /** 0 for a token of unknown age. */
  readonly createdSlot: number;
  readonly mint: Address;
}

export interface CloneQuery {
  readonly mint: Address;
  /** Null: from the newest on. */
  readonly after: CloneCursor | null;
  readonly limit: number;
}

export interface ClonePage {
  readonly clones: readonly TokenClone[];
  /** Null on the last page. */
  readonly next: CloneCursor | null;
}
