import type { DatabaseSync } from 'node:sqlite';
import {
  type CloneCursor,
  type CloneMatch,
  type ClonePage,
  type CloneQuery,
  NO_OFFCHAIN_FACTS,
  type OffchainFacts,
  type PictureHash,
  type TokenClone,
  type TokenDocument,
  type TokenLink,
} from '../../model/off-chain.ts';
import type { Thumbnail, ThumbnailSide } from '../../model/thumbnail.ts';
import { type Address, asSlot } from '../../model/units.ts';
import { bytes, nullable, text } from '../sqlite/kind.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { rowsOf, singleValue } from '../sqlite/table-row.ts';
import { PictureIndex } from './picture-index.ts';
import {
  type DocumentLink,
  type DocumentRow,
  LINKS,
  NEWEST_DOCUMENT,
  PICTURE_CONTENTS,
  TOKENS,
  type TokenRow,
} from './token-rows.ts';

/** The newest version of a token's picture. */
const CONTENT_OF_TOKEN =
  'content_hash = (SELECT pictures.content_hash FROM tokens ' +
  'JOIN pictures ON key = picture_key WHERE mint = ? ORDER BY seen_at_ms DESC LIMIT 1)';

function thumbnailOfSide(side: ThumbnailSide) {
  return rowsOf(
    { hash: text, bytes },
    `SELECT hash, side${side} FROM thumbnails WHERE ${CONTENT_OF_TOKEN}`,
  );
}

const STATEMENTS = {
  token: TOKENS.select('WHERE mint = ?'),
  document: NEWEST_DOCUMENT,
  picture: PICTURE_CONTENTS.only('hash64', 'hash32', 'hashedAtMs').query(
    'SELECT hash64, hash32, hashed_at_ms FROM pictures JOIN picture_contents ' +
      'USING (content_hash) WHERE key = ? ORDER BY seen_at_ms DESC LIMIT 1',
  ),
  image: singleValue(
    nullable(text),
    'SELECT image FROM documents WHERE key = (SELECT document_key FROM tokens WHERE mint = ?) ' +
      'ORDER BY seen_at_ms DESC LIMIT 1',
  ),
  thumbnailHash: singleValue(text, `SELECT hash FROM thumbnails WHERE ${CONTENT_OF_TOKEN}`),
  side64: thumbnailOfSide(64),
  side128: thumbnailOfSide(128),
  side256: thumbnailOfSide(256),
  link: LINKS.only('statusCode', 'checkedAtMs').select('WHERE key = ?'),
  withDocument: newestWith('document_key'),
  withContent: newestWith('content_hash'),
  withHash: newestWith('hash64'),
};

function newestWith(column: string) {
  return TOKENS.select(
    `WHERE ${column} = ? AND (created_slot, mint) < (?, ?) ` +
      'ORDER BY created_slot DESC, mint DESC LIMIT ?',
  );
}

/** Before the newest token: above every slot. */
const FIRST_POSITION = [Number.MAX_SAFE_INTEGER, ''] as const;

/** Reads off-chain facts of tokens for answers: a few reads by key, far below a millisecond. */
export class OffchainReader {
  private readonly statements: Prepared<typeof STATEMENTS>;
  private readonly pictures: PictureIndex;

  constructor(database: DatabaseSync) {
    this.statements = prepareAll(database, STATEMENTS);
    this.pictures = new PictureIndex(database);
  }

  factsOf(mint: Address): OffchainFacts {
    const token = this.statements.token.get(mint);
    if (token === null) return NO_OFFCHAIN_FACTS;
    const { documentKey, pictureKey } = token;
    const document = documentKey === null ? null : this.statements.document.get(documentKey);
    return {
      document: document === null || document.fault !== null ? null : toDocument(document),
      links: document === null ? [] : this.linksOf(document.links),
      picture: pictureKey === null ? null : this.pictureOf(pictureKey),
      thumbnailHash: pictureKey === null ? null : this.thumbnailHashOf(mint),
    };
  }

  /** URL of the token's picture; null while none is known. */
  imageOf(mint: Address): string | null {
    return this.statements.image.get(mint);
  }

  /** The hash of the thumbnails of the token's picture; null while there are none. */
  thumbnailHashOf(mint: Address): string | null {
    return this.statements.thumbnailHash.get(mint);
  }

  thumbnailOf(mint: Address, side: ThumbnailSide): Thumbnail | null {
    return this.statements[`side${side}`].get(mint);
  }

  /** Other tokens with the same URI, the same document or a similar picture, newest first. */
  clones({ mint, after, limit }: CloneQuery): ClonePage {
    const token = this.statements.token.get(mint);
    if (token === null) return { clones: [], next: null };
    const near = this.nearHashes(token);
    const position = after === null ? FIRST_POSITION : ([after.createdSlot, after.mint] as const);
    const found = new Map<Address, TokenRow>();
    for (const rows of this.candidates(token, near, position, limit + 2)) {
      for (const row of rows) if (row.mint !== mint) found.set(row.mint, row);
    }
    const rows = [...found.values()].sort(newestFirst);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      clones: page.map((row) => ({
        ...toClone(row, token, near),
        thumbnailHash: this.thumbnailHashOf(row.mint),
      })),
      next: last === undefined ? null : cursorOf(last),
    };
  }

  private nearHashes({ hash64 }: TokenRow): ReadonlyMap<string, number> {
    if (hash64 === null) return new Map();
    return new Map(this.pictures.near(hash64).map((one) => [one.hash64, one.bits]));
  }

  /** For each shared property, the newest tokens that also have it. */
  private *candidates(
    { documentKey, contentHash }: TokenRow,
    near: ReadonlyMap<string, number>,
    position: readonly [createdSlot: number, mint: string],
    limit: number,
  ): Iterable<readonly TokenRow[]> {
    const { withDocument, withContent, withHash } = this.statements;
    if (documentKey !== null) yield withDocument.all(documentKey, ...position, limit);
    if (contentHash !== null) yield withContent.all(contentHash, ...position, limit);
    for (const hash64 of near.keys()) yield withHash.all(hash64, ...position, limit);
  }

  private linksOf(links: readonly DocumentLink[]): TokenLink[] {
    return links.map(({ platform, url, key }) => {
      const checked = this.statements.link.get(key) ?? NEVER_CHECKED;
      return { platform, url, ...checked };
    });
  }

  private pictureOf(key: string): PictureHash | null {
    const row = this.statements.picture.get(key);
    if (row === null || row.hash64 === null || row.hash32 === null) return null;
    return { hash32: row.hash32, hash64: row.hash64, hashedAtMs: row.hashedAtMs };
  }
}

const NEVER_CHECKED = { statusCode: null, checkedAtMs: null };

function toDocument({ name, symbol, description, image, seenAtMs }: DocumentRow): TokenDocument {
  return { name, symbol, description, image, seenAtMs };
}

function toClone(
  row: TokenRow,
  token: TokenRow,
  near: ReadonlyMap<string, number>,
): Omit<TokenClone, 'thumbnailHash'> {
  const { mint, name, symbol, createdSlot, createdAtMs, documentKey, contentHash, hash64 } = row;
  const distance = hash64 === null ? null : (near.get(hash64) ?? null);
  const matches: CloneMatch[] = [];
  if (documentKey !== null && documentKey === token.documentKey) matches.push('uri');
  if (contentHash !== null && contentHash === token.contentHash) matches.push('document');
  if (distance !== null) matches.push('picture');
  return {
    mint,
    name,
    symbol,
    createdSlot: createdSlot === 0 ? null : asSlot(createdSlot),
    createdAtMs,
    matches,
    pictureDistance: distance,
  };
}

function cursorOf({ createdSlot, mint }: TokenRow): CloneCursor {
  return { createdSlot, mint };
}

function newestFirst(one: TokenRow, other: TokenRow): number {
  const slots = other.createdSlot - one.createdSlot;
  return slots === 0 ? (one.mint < other.mint ? 1 : -1) : slots;
}
