import type { DatabaseSync } from 'node:sqlite';
import type { TrackedToken } from '../../model/social-post.ts';
import type { Address } from '../../model/units.ts';
import { nullable, text } from '../sqlite/kind.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { type RowOf, rowsOf, singleValue } from '../sqlite/table-row.ts';
import { hashParts } from './picture-index.ts';
import {
  DOCUMENTS,
  type DocumentLink,
  type DocumentRow,
  HASHES,
  LINKS,
  NEWEST_DOCUMENT,
  PICTURE_CONTENTS,
  PICTURES,
  TOKENS,
  TRACKED,
  URIS,
} from './token-rows.ts';

/** The on-chain facts of a token that are repeated in this database. */
export interface KnownToken {
  readonly mint: Address;
  readonly uri: string | null;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly createdSlot: number | null;
  readonly createdAtMs: number | null;
}

/** The document at a token's URI. */
export interface SeenDocument {
  /** SHA-256 of its bytes, as hex. */
  readonly contentHash: string;
  /** Why it is unusable; null if it is usable. */
  readonly fault: string | null;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly description: string | null;
  readonly image: string | null;
  readonly links: readonly DocumentLink[];
  readonly pictureKey: string | null;
}

/** The result of hashing the bytes of a picture. */
export type PictureContent =
  | { readonly kind: 'hashed'; readonly hash64: string; readonly hash32: string }
  | { readonly kind: 'no-hash'; readonly fault: string };

export interface CheckedLink {
  readonly statusCode: number | null;
  readonly fault: string | null;
  readonly redirects: number | null;
}

/** Versions kept of a token's URI, of a document and of a picture. */
const VERSIONS_MAX = 8;

const TOKEN_TEXTS = TOKENS.only('mint', 'createdSlot', 'createdAtMs', 'name', 'symbol');
const TOKEN_CONTENT = TOKENS.only('contentHash', 'pictureKey', 'hash64');
const TOKEN_DOCUMENT = TOKENS.only('uri', 'documentKey', 'contentHash', 'pictureKey', 'hash64');

/** Tracked tokens, each with the key of its document. */
function trackedTokens(rest: string) {
  return rowsOf(
    { token: TRACKED.kind, documentKey: nullable(text) },
    `SELECT ${TRACKED.columnsOf('tracked')}, tokens.document_key ` +
      `FROM tracked LEFT JOIN tokens USING (mint) ${rest}`,
  );
}

/** Keeps the newest versions. */
function pruned(table: string, key: string): string {
  return (
    `DELETE FROM ${table} WHERE ${key} = ?1 AND seen_at_ms NOT IN ` +
    `(SELECT seen_at_ms FROM ${table} WHERE ${key} = ?1 ORDER BY seen_at_ms DESC LIMIT ?2)`
  );
}

const STATEMENTS = {
  token: TOKENS.only('uri').select('WHERE mint = ?'),
  putToken: TOKEN_TEXTS.upsert('mint'),
  pointToken: TOKEN_DOCUMENT.update('WHERE mint = ?'),
  pointTokens: TOKEN_CONTENT.update('WHERE document_key = ?'),
  hashTokens: 'UPDATE tokens SET hash64 = ? WHERE picture_key = ?',
  addUri: URIS.insertOrReplace(),
  pruneUris: pruned('uris', 'mint'),
  document: NEWEST_DOCUMENT,
  addDocument: DOCUMENTS.insertOrReplace(),
  pruneDocuments: pruned('documents', 'key'),
  content: PICTURE_CONTENTS.select('WHERE content_hash = ?'),
  addContent: PICTURE_CONTENTS.insert('ON CONFLICT (content_hash) DO NOTHING'),
  addHash: HASHES.insert('ON CONFLICT (hash64) DO NOTHING'),
  picture: PICTURES.select('WHERE key = ? ORDER BY seen_at_ms DESC LIMIT 1'),
  addPicture: PICTURES.insertOrReplace(),
  prunePictures: pruned('pictures', 'key'),
  hashOfPicture: singleValue(
    nullable(text),
    'SELECT hash64 FROM pictures JOIN picture_contents USING (content_hash) ' +
      'WHERE key = ? ORDER BY seen_at_ms DESC LIMIT 1',
  ),
  putLink: LINKS.insertOrReplace(),
  putTracked: TRACKED.insert(
    'ON CONFLICT (mint) DO UPDATE SET ' +
      'tracking_since_ms = min(tracking_since_ms, excluded.tracking_since_ms), ' +
      'symbol = excluded.symbol, is_liquid = excluded.is_liquid ' +
      'WHERE tracking_since_ms > excluded.tracking_since_ms ' +
      'OR symbol IS NOT excluded.symbol OR is_liquid <> excluded.is_liquid',
  ),
  tracked: trackedTokens('WHERE mint = ?'),
  allTracked: trackedTokens('ORDER BY mint'),
  trackedOfDocument: trackedTokens('WHERE document_key = ?'),
};

/** Writes off-chain facts. Call it within the transaction of the job or batch. */
export class TokenFacts {
  private readonly statements: Prepared<typeof STATEMENTS>;

  constructor(database: DatabaseSync) {
    this.statements = prepareAll(database, STATEMENTS);
  }

  /** Stores a token; true when its URI is new or changed. `documentKey` is the key of its URI. */
  noteToken(token: KnownToken, documentKey: string | null, nowMs: number): boolean {
    const { mint, uri } = token;
    const known = this.statements.token.get(mint);
    this.statements.putToken.run({ ...token, createdSlot: token.createdSlot ?? 0 });
    if (known !== null && known.uri === uri) return false;
    if (uri !== null || known !== null) {
      this.statements.addUri.run({ mint, seenAtMs: nowMs, uri });
      this.statements.pruneUris.run(mint, VERSIONS_MAX);
    }
    const document = this.newestDocument(documentKey);
    const content = document === null ? NO_CONTENT : this.contentOf(document);
    this.statements.pointToken.run({ uri, documentKey, ...content }, mint);
    return uri !== null;
  }

  /** Stores a version of a document; true when it is the first or differs from the last. */
  noteDocument(key: string, document: SeenDocument, nowMs: number): boolean {
    const known = this.newestDocument(key);
    if (known?.contentHash === document.contentHash) return false;
    this.statements.addDocument.run({ ...document, key, seenAtMs: nowMs });
    this.statements.pruneDocuments.run(key, VERSIONS_MAX);
    this.statements.pointTokens.run(this.contentOf(document), key);
    return true;
  }

  /** The stored result for bytes with this hash; null when they were never hashed. */
  content(contentHash: string): PictureContent | null {
    const row = this.statements.content.get(contentHash);
    if (row === null) return null;
    const { hash64, hash32, fault } = row;
    return hash64 !== null && hash32 !== null
      ? { kind: 'hashed', hash64, hash32 }
      : { kind: 'no-hash', fault: String(fault) };
  }

  /** Stores the picture at a URL, by the hash of its bytes; true when it is new or changed. */
  notePicture(key: string, contentHash: string, content: PictureContent, nowMs: number): boolean {
    const { hash64, hash32, fault } = { ...NOT_HASHED, ...content };
    this.statements.addContent.run({ contentHash, hash64, hash32, fault, hashedAtMs: nowMs });
    if (hash64 !== null) {
      const [part0, part1, part2, part3] = hashParts(hash64);
      this.statements.addHash.run({ hash64, part0, part1, part2, part3 });
    }
    const known = this.statements.picture.get(key);
    if (known?.contentHash === contentHash) return false;
    this.statements.addPicture.run({ key, seenAtMs: nowMs, contentHash });
    this.statements.prunePictures.run(key, VERSIONS_MAX);
    this.statements.hashTokens.run(hash64, key);
    return true;
  }

  noteLink(key: string, link: CheckedLink, nowMs: number): void {
    this.statements.putLink.run({ ...link, key, checkedAtMs: nowMs });
  }

  /** True when the token was not tracked before, or its data changed. */
  noteTracked(token: Omit<TrackedToken, 'officialLinks'>): boolean {
    return this.statements.putTracked.run(token).changes > 0;
  }

  /** Null for a token that is not tracked. */
  tracked(mint: Address): TrackedToken | null {
    const row = this.statements.tracked.get(mint);
    return row === null ? null : this.toTracked(row);
  }

  *allTracked(): Iterable<TrackedToken> {
    for (const row of this.statements.allTracked.iterate()) yield this.toTracked(row);
  }

  /** Tracked tokens whose document has this key. */
  trackedWithDocument(key: string): readonly TrackedToken[] {
    return this.statements.trackedOfDocument.all(key).map((row) => this.toTracked(row));
  }

  private toTracked({ token, documentKey }: TrackedRow): TrackedToken {
    const links = this.newestDocument(documentKey)?.links ?? [];
    return { ...token, officialLinks: links.map(({ url }) => url) };
  }

  private newestDocument(key: string | null): DocumentRow | null {
    return key === null ? null : this.statements.document.get(key);
  }

  /** What a token is recognised by that has this document. */
  private contentOf(document: SeenDocument): RowOf<typeof TOKEN_CONTENT> {
    const { contentHash, pictureKey } = document;
    return {
      contentHash: contentDecides(document) ? contentHash : null,
      pictureKey,
      hash64: pictureKey === null ? null : this.statements.hashOfPicture.get(pictureKey),
    };
  }
}

interface TrackedRow {
  readonly token: RowOf<typeof TRACKED>;
  readonly documentKey: string | null;
}

const NO_CONTENT = { contentHash: null, pictureKey: null, hash64: null };
const NOT_HASHED = { hash64: null, hash32: null, fault: null };

/** False for documents with neither name nor image: they are equal without being copies. */
function contentDecides({ fault, name, image }: SeenDocument): boolean {
  return fault === null && (name !== null || image !== null);
}
