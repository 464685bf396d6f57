/** Rows of off-chain facts about tokens. Documents and pictures have a key made of their URL. */
import type { LinkPlatform } from '../../model/off-chain.ts';
import { address, flag, integer, json, nullable, text } from '../sqlite/kind.ts';
import { type RowOf, tableRow } from '../sqlite/table-row.ts';

/** A page that a document links to, with the key of its link check. */
export interface DocumentLink {
  readonly platform: LinkPlatform;
  readonly url: string;
  readonly key: string;
}

/** A token with its newest document and picture, so that clones are found by them. */
export const TOKENS = tableRow('tokens', {
  mint: address,
  /** 0 for a token of unknown age, so that tokens can be ordered by age. */
  createdSlot: integer,
  createdAtMs: nullable(integer),
  name: nullable(text),
  symbol: nullable(text),
  uri: nullable(text),
  documentKey: nullable(text),
  contentHash: nullable(text),
  pictureKey: nullable(text),
  hash64: nullable(text),
});

export type TokenRow = RowOf<typeof TOKENS>;

/** The versions of a token's URI. */
export const URIS = tableRow('uris', { mint: address, seenAtMs: integer, uri: nullable(text) });

/** The versions of a document. */
export const DOCUMENTS = tableRow('documents', {
  key: text,
  seenAtMs: integer,
  contentHash: text,
  fault: nullable(text),
  name: nullable(text),
  symbol: nullable(text),
  description: nullable(text),
  image: nullable(text),
  links: json<readonly DocumentLink[]>(),
  pictureKey: nullable(text),
});

export type DocumentRow = RowOf<typeof DOCUMENTS>;

export const NEWEST_DOCUMENT = DOCUMENTS.select('WHERE key = ? ORDER BY seen_at_ms DESC LIMIT 1');

/** The versions of a picture. */
export const PICTURES = tableRow('pictures', { key: text, seenAtMs: integer, contentHash: text });

/** The result of hashing a picture. */
export const PICTURE_CONTENTS = tableRow('picture_contents', {
  contentHash: text,
  hash64: nullable(text),
  hash32: nullable(text),
  fault: nullable(text),
  hashedAtMs: integer,
});

/** A hash in parts, by which similar ones are found. */
export const HASHES = tableRow('hashes', {
  hash64: text,
  part0: integer,
  part1: integer,
  part2: integer,
  part3: integer,
});

/** The last check of a link. */
export const LINKS = tableRow('links', {
  key: text,
  statusCode: nullable(integer),
  fault: nullable(text),
  redirects: nullable(integer),
  checkedAtMs: integer,
});

/** The tokens whose posts are collected. */
export const TRACKED = tableRow('tracked', {
  mint: address,
  trackingSinceMs: integer,
  symbol: nullable(text),
  isLiquid: flag,
});
