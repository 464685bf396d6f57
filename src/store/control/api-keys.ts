import { hash as hashOnce, randomBytes, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isTransientError } from '../../lib/transient-error.ts';
import { UsageError } from '../../model/errors.ts';
import { formatKey, isMistypedKey, KEY_RANDOM_BYTES } from './key-format.ts';

export type KeyScope = 'read' | 'triggers:write' | 'review:write' | 'admin';
export const KEY_SCOPES: readonly KeyScope[] = ['read', 'triggers:write', 'review:write', 'admin'];

/** The account and the rights of a presented key. */
export interface AuthenticatedKey {
  readonly keyId: string;
  readonly accountId: string;
  readonly scopes: readonly KeyScope[];
}

/** A key as it may be shown: everything except the secret, which is not stored. */
export interface KeyRecord extends AuthenticatedKey {
  readonly label: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly lastUsedAtMs: number | null;
}

export interface KeyRequest {
  readonly accountId: string;
  readonly scopes: readonly KeyScope[];
  readonly label: string;
  readonly expiresAtMs: number | null;
}

/** Clock and source of randomness; tests replace them. */
export interface KeyTableOptions {
  readonly nowMs?: () => number;
  readonly randomBytes?: (count: number) => Uint8Array;
}

export const DEFAULT_ACCOUNT = 'default';

/** Maximum delay after which a key that another process revoked is refused. */
const REMEMBERED_MS = 2_000;
const REMEMBERED_MAX = 10_000;
const LAST_USED_STEP_MS = 60_000;
const PRESENTED_LENGTH_MAX = 200;
const BOOTSTRAP_SHAPE = /^[\x21-\x7e][\x20-\x7e]{6,198}[\x21-\x7e]$/;

interface KeyRow {
  readonly key_id: string;
  readonly account_id: string;
  readonly hash: Uint8Array;
  readonly scopes: string;
  readonly label: string;
  readonly created_at_ms: number;
  readonly expires_at_ms: number | null;
  readonly revoked_at_ms: number | null;
  readonly last_used_at_ms: number | null;
}

interface Remembered {
  readonly key: KeyRecord;
  readonly readAtMs: number;
}

/**
 * API keys. Only SHA-256 hashes are stored: the secrets are 256 random bits, so a slow hash would
 * make every request more expensive without adding protection.
 */
export class KeyTable {
  private readonly nowMs: () => number;
  private readonly randomBytes: (count: number) => Uint8Array;
  private readonly database: DatabaseSync;
  private readonly byHash: StatementSync;
  private readonly touch: StatementSync;
  private readonly remembered = new Map<string, Remembered>();

  constructor(database: DatabaseSync, options: KeyTableOptions = {}) {
    this.database = database;
    this.nowMs = options.nowMs ?? Date.now;
    this.randomBytes = options.randomBytes ?? randomBytes;
    this.byHash = database.prepare('SELECT * FROM api_keys WHERE hash = ?');
    this.touch = database.prepare('UPDATE api_keys SET last_used_at_ms = ? WHERE key_id = ?');
  }

  /** Creates a key. Its text is returned only here and is not stored. */
  create(request: KeyRequest): { readonly text: string; readonly key: KeyRecord } {
    const { keyId, text } = formatKey(this.randomBytes(KEY_RANDOM_BYTES));
    this.insert(keyId, text, request, false);
    return { text, key: this.require(keyId) };
  }

  /** All keys, oldest first, including revoked and expired ones. */
  list(): readonly KeyRecord[] {
    const rows = this.database.prepare('SELECT * FROM api_keys ORDER BY created_at_ms, key_id');
    return (rows.all() as unknown as KeyRow[]).map(toRecord);
  }

  /** True when the key exists, even if it was already revoked. A running server follows in 2 s. */
  revoke(keyId: string): boolean {
    const revoked = this.database
      .prepare('UPDATE api_keys SET revoked_at_ms = coalesce(revoked_at_ms, ?) WHERE key_id = ?')
      .run(this.nowMs(), keyId);
    this.remembered.clear();
    return revoked.changes > 0;
  }

  /**
   * Installs `secret` as the bootstrap key of the configuration, with every scope, on the account
   * `default`. A bootstrap key with another secret is revoked. Idempotent. A key that was revoked
   * by hand stays revoked: the result is then 'revoked'.
   */
  installBootstrap(secret: string): 'installed' | 'present' | 'revoked' {
    if (!BOOTSTRAP_SHAPE.test(secret)) {
      throw new UsageError('The bootstrap key must be 8 to 200 printable characters.');
    }
    if (isMistypedKey(secret)) {
      throw new UsageError('The bootstrap key looks like a mistyped generated key: check it.');
    }
    const known = this.lookUp(sha256(secret));
    if (known !== null) return known.revokedAtMs === null ? 'present' : 'revoked';
    this.database
      .prepare(
        'UPDATE api_keys SET revoked_at_ms = ? WHERE is_bootstrap = 1 AND revoked_at_ms IS NULL',
      )
      .run(this.nowMs());
    this.remembered.clear();
    const { keyId } = formatKey(this.randomBytes(KEY_RANDOM_BYTES));
    const request = {
      accountId: DEFAULT_ACCOUNT,
      scopes: KEY_SCOPES,
      label: 'bootstrap',
      expiresAtMs: null,
    };
    this.insert(keyId, secret, request, true);
    return 'installed';
  }

  /** The valid key whose text is `presented`, or null. The duration reveals nothing of a secret. */
  authenticate(presented: string): AuthenticatedKey | null {
    if (presented.length === 0 || presented.length > PRESENTED_LENGTH_MAX) return null;
    if (isMistypedKey(presented)) return null;
    const nowMs = this.nowMs();
    const key = this.recall(presented, nowMs);
    if (key === null || key.revokedAtMs !== null) return null;
    if (key.expiresAtMs !== null && key.expiresAtMs <= nowMs) return null;
    return key;
  }

  private recall(presented: string, nowMs: number): KeyRecord | null {
    const hash = sha256(presented);
    const name = hash.toString('base64');
    const known = this.remembered.get(name);
    // An entry is also discarded when the clock was set back.
    if (known !== undefined && Math.abs(nowMs - known.readAtMs) < REMEMBERED_MS) return known.key;
    this.remembered.delete(name);
    const found = this.lookUp(hash);
    if (found === null) return null;
    const key = found.revokedAtMs === null ? this.used(found, nowMs) : found;
    if (this.remembered.size >= REMEMBERED_MAX) this.forgetOldest();
    this.remembered.set(name, { key, readAtMs: nowMs });
    return key;
  }

  /** Finding the row by hash reveals nothing of the secret; the rest takes constant time. */
  private lookUp(hash: Buffer): KeyRecord | null {
    const row = this.byHash.get(hash) as unknown as KeyRow | undefined;
    if (row === undefined || !timingSafeEqual(row.hash, hash)) return null;
    return toRecord(row);
  }

  private used(key: KeyRecord, nowMs: number): KeyRecord {
    if (key.lastUsedAtMs !== null && nowMs - key.lastUsedAtMs < LAST_USED_STEP_MS) return key;
    try {
      this.touch.run(nowMs, key.keyId);
    } catch (error) {
      // While the disk is full the time of last use is not stored, but the key stays valid.
      if (!isTransientError(error)) throw error;
      return key;
    }
    return { ...key, lastUsedAtMs: nowMs };
  }

  private forgetOldest(): void {
    const [oldest] = this.remembered.keys();
    if (oldest !== undefined) this.remembered.delete(oldest);
  }

  private insert(keyId: string, text: string, request: KeyRequest, isBootstrap: boolean): void {
    const nowMs = this.nowMs();
    this.database
      .prepare('INSERT INTO accounts VALUES (?, ?) ON CONFLICT (account_id) DO NOTHING')
      .run(request.accountId, nowMs);
    this.database
      .prepare(
        'INSERT INTO api_keys (key_id, account_id, hash, scopes, label, is_bootstrap, ' +
          'created_at_ms, expires_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(
        keyId,
        request.accountId,
        sha256(text),
        request.scopes.join(' '),
        request.label,
        isBootstrap ? 1 : 0,
        nowMs,
        request.expiresAtMs,
      );
  }

  private require(keyId: string): KeyRecord {
    const row = this.database.prepare('SELECT * FROM api_keys WHERE key_id = ?').get(keyId);
    return toRecord(row as unknown as KeyRow);
  }
}

function sha256(text: string): Buffer {
  return hashOnce('sha256', text, 'buffer');
}

function toRecord(row: KeyRow): KeyRecord {
  return {
    keyId: row.key_id,
    accountId: row.account_id,
    scopes: row.scopes.split(' ').filter((scope) => scope !== '') as KeyScope[],
    label: row.label,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    revokedAtMs: row.revoked_at_ms,
    lastUsedAtMs: row.last_used_at_ms,
  };
}
