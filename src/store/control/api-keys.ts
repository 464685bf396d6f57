import { hash as hashOnce, randomBytes, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { isTransientError } from '../../lib/transient-error.ts';
import { UsageError } from '../../model/errors.ts';
import { bytes, flag, integer, nullable, text, words } from '../sqlite/kind.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { tableRow } from '../sqlite/table-row.ts';
import { formatKey, isMistypedKey, KEY_RANDOM_BYTES } from './key-format.ts';

export type KeyScope = 'read' | 'triggers:write' | 'review:write' | 'admin';
export const KEY_SCOPES: readonly KeyScope[] = ['read', 'triggers:write', 'review:write', 'admin'];

/** The account and the rights of a presented key. */
export interface AuthenticatedKey {
  readonly keyId: string;
  readonly accountId: string;
  readonly scopes: readonly KeyScope[];
  readonly label: string;
  readonly expiresAtMs: number | null;
}

/** A key as it may be shown: everything except the secret, which is not stored. */
export interface KeyRecord extends AuthenticatedKey {
  readonly createdAtMs: number;
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

export const ACCOUNTS = tableRow('accounts', { accountId: text, createdAtMs: integer });

export const API_KEYS = tableRow('api_keys', {
  keyId: text,
  accountId: text,
  hash: bytes,
  scopes: words<KeyScope>(' '),
  label: text,
  isBootstrap: flag,
  createdAtMs: integer,
  expiresAtMs: nullable(integer),
  revokedAtMs: nullable(integer),
  lastUsedAtMs: nullable(integer),
});

const STATEMENTS = {
  all: API_KEYS.without('hash', 'isBootstrap').select('ORDER BY created_at_ms, key_id'),
  byHash: API_KEYS.without('isBootstrap').select('WHERE hash = ?'),
  touch: 'UPDATE api_keys SET last_used_at_ms = ? WHERE key_id = ?',
  revoke: 'UPDATE api_keys SET revoked_at_ms = coalesce(revoked_at_ms, ?) WHERE key_id = ?',
  revokeBootstrap:
    'UPDATE api_keys SET revoked_at_ms = ? WHERE is_bootstrap = 1 AND revoked_at_ms IS NULL',
  addAccount: ACCOUNTS.insert('ON CONFLICT (account_id) DO NOTHING'),
  add: API_KEYS.insert(),
};

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
  private readonly statements: Prepared<typeof STATEMENTS>;
  /** By the text that was presented, so that a key in use is neither hashed nor looked up. */
  private readonly remembered = new Map<string, Remembered>();

  constructor(database: DatabaseSync, options: KeyTableOptions = {}) {
    this.nowMs = options.nowMs ?? Date.now;
    this.randomBytes = options.randomBytes ?? randomBytes;
    this.statements = prepareAll(database, STATEMENTS);
  }

  /** Creates a key. Its text is returned only here and is not stored. */
  create(request: KeyRequest): { readonly text: string; readonly key: KeyRecord } {
    const { keyId, text } = formatKey(this.randomBytes(KEY_RANDOM_BYTES));
    return { text, key: this.insert(keyId, text, request, false) };
  }

  /** All keys, oldest first, including revoked and expired ones. */
  list(): readonly KeyRecord[] {
    return this.statements.all.all();
  }

  /** True when the key exists, even if it was already revoked. A running server follows in 2 s. */
  revoke(keyId: string): boolean {
    const { changes } = this.statements.revoke.run(this.nowMs(), keyId);
    this.remembered.clear();
    return changes > 0;
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
    this.statements.revokeBootstrap.run(this.nowMs());
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
    const nowMs = this.nowMs();
    const key = this.recall(presented, nowMs);
    if (key === null || key.revokedAtMs !== null) return null;
    if (key.expiresAtMs !== null && key.expiresAtMs <= nowMs) return null;
    return key;
  }

  private recall(presented: string, nowMs: number): KeyRecord | null {
    const known = this.remembered.get(presented);
    // An entry is also discarded when the clock was set back.
    if (known !== undefined && Math.abs(nowMs - known.readAtMs) < REMEMBERED_MS) return known.key;
    this.remembered.delete(presented);
    if (isMistypedKey(presented)) return null;
    const found = this.lookUp(sha256(presented));
    if (found === null) return null;
    const key = found.revokedAtMs === null ? this.used(found, nowMs) : found;
    if (this.remembered.size >= REMEMBERED_MAX) this.forgetOldest();
    this.remembered.set(presented, { key, readAtMs: nowMs });
    return key;
  }

  /** Finding the row by hash reveals nothing of the secret; the rest takes constant time. */
  private lookUp(hash: Buffer): KeyRecord | null {
    const row = this.statements.byHash.get(hash);
    if (row === null || !timingSafeEqual(row.hash, hash)) return null;
    const { hash: _, ...key } = row;
    return key;
  }

  private used(key: KeyRecord, nowMs: number): KeyRecord {
    if (key.lastUsedAtMs !== null && nowMs - key.lastUsedAtMs < LAST_USED_STEP_MS) return key;
    try {
      this.statements.touch.run(nowMs, key.keyId);
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

  private insert(
    keyId: string,
    text: string,
    { accountId, scopes, label, expiresAtMs }: KeyRequest,
    isBootstrap: boolean,
  ): KeyRecord {
    const createdAtMs = this.nowMs();
    this.statements.addAccount.run({ accountId, createdAtMs });
    const unused = { revokedAtMs: null, lastUsedAtMs: null };
    const key = { keyId, accountId, scopes, label, createdAtMs, expiresAtMs, ...unused };
    this.statements.add.run({ ...key, hash: sha256(text), isBootstrap });
    return key;
  }
}

function sha256(text: string): Buffer {
  return hashOnce('sha256', text, 'buffer');
}
