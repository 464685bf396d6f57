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
import type { Address, Slot } from '../../model/units.ts';
import { PictureIndex } from './picture-index.ts';
import { readLinks } from './token-facts.ts';

type Row = Readonly<Record<string, unknown>>;

/** A cursor above every slot, for the first page. */
const FIRST_CURSOR: CloneCursor = { createdSlot: Number.MAX_SAFE_INTEGER, mint: '' as Address };

/** Reads off-chain facts of tokens for answers: a few reads by key, far below a millisecond. */
export class OffchainReader {
  private readonly statements: ReturnType<typeof prepareStatements>;
  private readonly pictures: PictureIndex;

  constructor(database: DatabaseSync) {
    this.statements = prepareStatements(database);
    this.pictures = new PictureIndex(database);
  }

  factsOf(mint: Address): OffchainFacts {
    const token = this.statements.token.get(mint);
    if (token === undefined) return NO_OFFCHAIN_FACTS;
    const document =
      token.document_key === null
        ? undefined
        : this.statements.document.get(String(token.document_key));
    return {
      document: document === undefined || document.fault !== null ? null : toDocument(document),
      links: document === undefined ? [] : this.linksOf(document),
      picture: token.picture_key === null ? null : this.pictureOf(String(token.picture_key)),
    };
  }

  /** URL of the token's picture; null while none is known. */
  imageOf(mint: Address): string | null {
    return textOrNull(this.statements.image.get(mint)?.image);
  }

  /** Other tokens with the same URI, the same document or a similar picture, newest first. */
  clones({ mint, after, limit }: CloneQuery): ClonePage {
    const token = this.statements.token.get(mint);
    if (token === undefined) return { clones: [], next: null };
    const near = this.nearHashes(token);
    const position = after ?? FIRST_CURSOR;
    const found = new Map<string, Row>();
    for (const rows of this.candidates(token, near, position, limit + 2)) {
      for (const row of rows) if (row.mint !== mint) found.set(String(row.mint), row);
    }
    const rows = [...found.values()].sort(newestFirst);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      clones: page.map((row) => toClone(row, token, near)),
      next: last === undefined ? null : cursorOf(last),
    };
  }

  private nearHashes({ hash64 }: Row): ReadonlyMap<string, number> {
    if (typeof hash64 !== 'string') return new Map();
    return new Map(this.pictures.near(hash64).map((one) => [one.hash64, one.bits]));
  }

  /** For each shared property, the newest tokens that also have it. */
  private *candidates(
    { document_key: documentKey, content_hash: contentHash }: Row,
    near: ReadonlyMap<string, number>,
    { createdSlot, mint }: CloneCursor,
    limit: number,
  ): Iterable<readonly Row[]> {
    const { withDocument, withContent, withHash } = this.statements;
    const position = [createdSlot, mint, limit] as const;
    if (typeof documentKey === 'string') yield withDocument.all(documentKey, ...position);
    if (typeof contentHash === 'string') yield withContent.all(contentHash, ...position);
    for (const hash64 of near.keys()) yield withHash.all(hash64, ...position);
  }

  private linksOf({ links }: Row): TokenLink[] {
    return readLinks(links).map(({ platform, url, key }) => {
      const checked = this.statements.link.get(key);
      return {
        platform,
        url,
        statusCode: numberOrNull(checked?.status_code),
        checkedAtMs: numberOrNull(checked?.checked_at_ms),
      };
    });
  }

  private pictureOf(key: string): PictureHash | null {
    const row = this.statements.picture.get(key);
    if (typeof row?.hash64 !== 'string' || typeof row.hash32 !== 'string') return null;
    const { hash64, hash32 } = row;
    return { hash32, hash64, hashedAtMs: Number(row.hashed_at_ms) };
  }
}

function toDocument(row: Row): TokenDocument {
  return {
    name: textOrNull(row.name),
    symbol: textOrNull(row.symbol),
    description: textOrNull(row.description),
    image: textOrNull(row.image),
    seenAtMs: Number(row.seen_at_ms),
  };
}

function toClone(row: Row, token: Row, near: ReadonlyMap<string, number>): TokenClone {
  const distance = typeof row.hash64 === 'string' ? (near.get(row.hash64) ?? null) : null;
  const matches: CloneMatch[] = [];
  if (row.document_key !== null && row.document_key === token.document_key) matches.push('uri');
  if (row.content_hash !== null && row.content_hash === token.content_hash) {
    matches.push('document');
  }
  if (distance !== null) matches.push('picture');
  const createdSlot = Number(row.created_slot);
  return {
    mint: String(row.mint) as Address,
    name: textOrNull(row.name),
    symbol: textOrNull(row.symbol),
    createdSlot: createdSlot === 0 ? null : (createdSlot as Slot),
    createdAtMs: numberOrNull(row.created_at_ms),
    matches,
    pictureDistance: distance,
  };
}

function cursorOf(row: Row): CloneCursor {
  return { createdSlot: Number(row.created_slot), mint: String(row.mint) as Address };
}

function newestFirst(one: Row, other: Row): number {
  const slots = Number(other.created_slot) - Number(one.created_slot);
  return slots === 0 ? (String(one.mint) < String(other.mint) ? 1 : -1) : slots;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function prepareStatements(database: DatabaseSync) {
  const newestWith = (column: string) =>
    database.prepare(
      `SELECT * FROM tokens WHERE ${column} = ? AND (created_slot, mint) < (?, ?) ` +
        'ORDER BY created_slot DESC, mint DESC LIMIT ?',
    );
  return {
    token: database.prepare('SELECT * FROM tokens WHERE mint = ?'),
    document: database.prepare(
      'SELECT * FROM documents WHERE key = ? ORDER BY seen_at_ms DESC LIMIT 1',
    ),
    picture: database.prepare(
      'SELECT hash64, hash32, hashed_at_ms FROM pictures JOIN picture_contents ' +
        'USING (content_hash) WHERE key = ? ORDER BY seen_at_ms DESC LIMIT 1',
    ),
    image: database.prepare(
      'SELECT image FROM documents WHERE key = (SELECT document_key FROM tokens WHERE mint = ?) ' +
        'ORDER BY seen_at_ms DESC LIMIT 1',
    ),
    link: database.prepare('SELECT * FROM links WHERE key = ?'),
    withDocument: newestWith('document_key'),
    withContent: newestWith('content_hash'),
    withHash: newestWith('hash64'),
  };
}
