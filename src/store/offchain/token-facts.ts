import type { DatabaseSync } from 'node:sqlite';
import type { LinkPlatform } from '../../model/off-chain.ts';
import type { TrackedToken } from '../../model/social-post.ts';
import type { Address } from '../../model/units.ts';
import { hashParts } from './picture-index.ts';

/** The on-chain facts of a token that are repeated in this database. */
export interface KnownToken {
  readonly mint: Address;
  readonly uri: string | null;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly createdSlot: number | null;
  readonly createdAtMs: number | null;
}

/** A page that a document links to, with the key of its link check. */
export interface DocumentLink {
  readonly platform: LinkPlatform;
  readonly url: string;
  readonly key: string;
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

/** Writes off-chain facts. Call it within the transaction of the job or batch. */
export class TokenFacts {
  private readonly statements: ReturnType<typeof prepareStatements>;

  constructor(database: DatabaseSync) {
    this.statements = prepareStatements(database);
  }

  /** Stores a token; true when its URI is new or changed. `documentKey` is the key of its URI. */
  noteToken(token: KnownToken, documentKey: string | null, nowMs: number): boolean {
    const { mint, uri, name, symbol, createdSlot, createdAtMs } = token;
    const known = this.statements.token.get(mint);
    this.statements.putToken.run(mint, createdSlot ?? 0, createdAtMs, name, symbol);
    if (known !== undefined && known.uri === uri) return false;
    if (uri !== null || known !== undefined) {
      this.statements.addUri.run(mint, nowMs, uri);
      this.statements.pruneUris.run(mint, mint, VERSIONS_MAX);
    }
    const document = documentKey === null ? undefined : this.newestDocument(documentKey);
    const isEmitting = document !== undefined && contentDecides(document);
    this.statements.pointToken.run(
      uri,
      documentKey,
      isEmitting ? String(document.content_hash) : null,
      textOrNull(document?.picture_key),
      this.hashOfPicture(textOrNull(document?.picture_key)),
      mint,
    );
    return uri !== null;
  }

  /** Stores a version of a document; true when it is the first or differs from the last. */
  noteDocument(key: string, document: SeenDocument, nowMs: number): boolean {
    const known = this.newestDocument(key);
    if (known !== undefined && known.content_hash === document.contentHash) return false;
    const { contentHash, fault, name, symbol, description, image, links, pictureKey } = document;
    this.statements.addDocument.run(
      ...[key, nowMs, contentHash, fault, name, symbol, description, image],
      ...[JSON.stringify(links), pictureKey],
    );
    this.statements.pruneDocuments.run(key, key, VERSIONS_MAX);
    const decisive = fault === null && (name !== null || image !== null) ? contentHash : null;
    this.statements.pointTokens.run(decisive, pictureKey, this.hashOfPicture(pictureKey), key);
    return true;
  }

  /** The stored result for bytes with this hash; null when they were never hashed. */
  content(contentHash: string): PictureContent | null {
    const row = this.statements.content.get(contentHash);
    if (row === undefined) return null;
    const { hash64, hash32, fault } = row;
    return typeof hash64 === 'string' && typeof hash32 === 'string'
      ? { kind: 'hashed', hash64, hash32 }
      : { kind: 'no-hash', fault: String(fault) };
  }

  /** Stores the picture at a URL, by the hash of its bytes; true when it is new or changed. */
  notePicture(key: string, contentHash: string, content: PictureContent, nowMs: number): boolean {
    const hash64 = content.kind === 'hashed' ? content.hash64 : null;
    const hash32 = content.kind === 'hashed' ? content.hash32 : null;
    const fault = content.kind === 'hashed' ? null : content.fault;
    this.statements.addContent.run(contentHash, hash64, hash32, fault, nowMs);
    if (hash64 !== null) this.statements.addHash.run(hash64, ...hashParts(hash64));
    const known = this.statements.picture.get(key);
    if (known?.content_hash === contentHash) return false;
    this.statements.addPicture.run(key, nowMs, contentHash);
    this.statements.prunePictures.run(key, key, VERSIONS_MAX);
    this.statements.hashTokens.run(hash64, key);
    return true;
  }

  noteLink(key: string, { statusCode, fault, redirects }: CheckedLink, nowMs: number): void {
    this.statements.putLink.run(key, statusCode, fault, redirects, nowMs);
  }

  /** True when the token was not tracked before, or its data changed. */
  noteTracked(token: Omit<TrackedToken, 'officialLinks'>): boolean {
    const { mint, trackingSinceMs, symbol, isLiquid } = token;
    const { changes } = this.statements.putTracked.run(
      ...[mint, trackingSinceMs, symbol, isLiquid ? 1 : 0],
    );
    return changes > 0;
  }

  /** Null for a token that is not tracked. */
  tracked(mint: Address): TrackedToken | null {
    const row = this.statements.tracked.get(mint);
    return row === undefined ? null : this.toTracked(row);
  }

  *allTracked(): Iterable<TrackedToken> {
    for (const row of this.statements.allTracked.iterate()) yield this.toTracked(row);
  }

  /** Tracked tokens whose document has this key. */
  trackedWithDocument(key: string): readonly TrackedToken[] {
    return this.statements.trackedOfDocument.all(key).map((row) => this.toTracked(row));
  }

  private toTracked(row: Readonly<Record<string, unknown>>): TrackedToken {
    const documentKey = textOrNull(row.document_key);
    const document = documentKey === null ? undefined : this.newestDocument(documentKey);
    return {
      mint: String(row.mint) as Address,
      trackingSinceMs: Number(row.tracking_since_ms),
      symbol: textOrNull(row.symbol),
      isLiquid: row.is_liquid === 1,
      officialLinks: document === undefined ? [] : readLinks(document.links).map(({ url }) => url),
    };
  }

  private newestDocument(key: string): Readonly<Record<string, unknown>> | undefined {
    return this.statements.document.get(key);
  }

  private hashOfPicture(key: string | null): string | null {
    return key === null ? null : textOrNull(this.statements.hashOfPicture.get(key)?.hash64);
  }
}

/** Parses links as written by noteDocument. */
export function readLinks(text: unknown): readonly DocumentLink[] {
  return JSON.parse(String(text)) as readonly DocumentLink[];
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** False for documents with neither name nor image: they are equal without being copies. */
function contentDecides({ fault, name, image }: Readonly<Record<string, unknown>>): boolean {
  return fault === null && (name !== null || image !== null);
}

function prepareStatements(database: DatabaseSync) {
  const pruned = (table: string, key: string) =>
    database.prepare(
      `DELETE FROM ${table} WHERE ${key} = ? AND seen_at_ms NOT IN ` +
        `(SELECT seen_at_ms FROM ${table} WHERE ${key} = ? ORDER BY seen_at_ms DESC LIMIT ?)`,
    );
  const trackedTokens =
    'SELECT tracked.*, tokens.document_key FROM tracked LEFT JOIN tokens USING (mint)';
  return {
    token: database.prepare('SELECT uri FROM tokens WHERE mint = ?'),
    putToken: database.prepare(
      'INSERT INTO tokens (mint, created_slot, created_at_ms, name, symbol) VALUES (?, ?, ?, ?, ?) ' +
        'ON CONFLICT (mint) DO UPDATE SET created_slot = excluded.created_slot, ' +
        'created_at_ms = excluded.created_at_ms, name = excluded.name, symbol = excluded.symbol',
    ),
    pointToken: database.prepare(
      'UPDATE tokens SET uri = ?, document_key = ?, content_hash = ?, picture_key = ?, ' +
        'hash64 = ? WHERE mint = ?',
    ),
    pointTokens: database.prepare(
      'UPDATE tokens SET content_hash = ?, picture_key = ?, hash64 = ? WHERE document_key = ?',
    ),
    hashTokens: database.prepare('UPDATE tokens SET hash64 = ? WHERE picture_key = ?'),
    addUri: database.prepare('INSERT OR REPLACE INTO uris VALUES (?, ?, ?)'),
    pruneUris: pruned('uris', 'mint'),
    document: database.prepare(
      'SELECT * FROM documents WHERE key = ? ORDER BY seen_at_ms DESC LIMIT 1',
    ),
    addDocument: database.prepare(
      'INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    pruneDocuments: pruned('documents', 'key'),
    content: database.prepare('SELECT * FROM picture_contents WHERE content_hash = ?'),
    addContent: database.prepare(
      'INSERT INTO picture_contents VALUES (?, ?, ?, ?, ?) ON CONFLICT (content_hash) DO NOTHING',
    ),
    addHash: database.prepare(
      'INSERT INTO hashes VALUES (?, ?, ?, ?, ?) ON CONFLICT (hash64) DO NOTHING',
    ),
    picture: database.prepare(
      'SELECT * FROM pictures WHERE key = ? ORDER BY seen_at_ms DESC LIMIT 1',
    ),
    addPicture: database.prepare('INSERT OR REPLACE INTO pictures VALUES (?, ?, ?)'),
    prunePictures: pruned('pictures', 'key'),
    hashOfPicture: database.prepare(
      'SELECT hash64 FROM pictures JOIN picture_contents USING (content_hash) ' +
        'WHERE key = ? ORDER BY seen_at_ms DESC LIMIT 1',
    ),
    putLink: database.prepare('INSERT OR REPLACE INTO links VALUES (?, ?, ?, ?, ?)'),
    putTracked: database.prepare(
      'INSERT INTO tracked VALUES (?, ?, ?, ?) ON CONFLICT (mint) DO UPDATE SET ' +
        'tracking_since_ms = min(tracking_since_ms, excluded.tracking_since_ms), ' +
        'symbol = excluded.symbol, is_liquid = excluded.is_liquid ' +
        'WHERE tracking_since_ms > excluded.tracking_since_ms ' +
        'OR symbol IS NOT excluded.symbol OR is_liquid <> excluded.is_liquid',
    ),
    tracked: database.prepare(`${trackedTokens} WHERE mint = ?`),
    allTracked: database.prepare(`${trackedTokens} ORDER BY mint`),
    trackedOfDocument: database.prepare(`${trackedTokens} WHERE document_key = ?`),
  };
}
