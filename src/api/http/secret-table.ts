import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export interface SecretTableOptions {
  /** Time for which a secret is valid. */
  readonly validMs: number;
  readonly perAccountMax: number;
  readonly totalMax: number;
}

interface Entry<Value> {
  readonly hash: Buffer;
  readonly accountId: string;
  readonly value: Value;
  readonly expiresAtMs: number;
}

const SECRET_BYTES = 32;
/** Base64url of that many bytes. */
const SECRET_TEXT = /^[A-Za-z0-9_-]{43}$/;

/**
 * Random secrets given to clients, and what they stand for, in memory: all end with the process. An
 * account that exceeds its number loses its oldest secret. Secrets are found by their hash, so the
 * time of a lookup says nothing about them.
 */
export class SecretTable<Value> {
  private readonly options: SecretTableOptions;
  /** By hash, the oldest first. */
  private readonly entries = new Map<string, Entry<Value>>();
  private readonly byAccount = new Map<string, Set<string>>();

  constructor(options: SecretTableOptions) {
    this.options = options;
  }

  get size(): number {
    return this.entries.size;
  }

  /** Returns the secret of a new entry and when it expires; null when there are too many. */
  create(
    accountId: string,
    value: Value,
    nowMs: number,
  ): { readonly secret: string; readonly expiresAtMs: number } | null {
    this.dropExpired(nowMs);
    const own = this.byAccount.get(accountId) ?? new Set<string>();
    const [oldest] = own;
    if (own.size >= this.options.perAccountMax && oldest !== undefined) this.drop(oldest);
    else if (this.entries.size >= this.options.totalMax) return null;
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const hash = hashOf(secret);
    const expiresAtMs = nowMs + this.options.validMs;
    const name = hash.toString('base64');
    this.entries.set(name, { hash, accountId, value, expiresAtMs });
    this.byAccount.set(accountId, own.add(name));
    return { secret, expiresAtMs };
  }

  /** What a valid secret stands for; null for any other text. */
  find(secret: string, nowMs: number): Value | null {
    if (!SECRET_TEXT.test(secret)) return null;
    const hash = hashOf(secret);
    const entry = this.entries.get(hash.toString('base64'));
    if (entry === undefined || !timingSafeEqual(entry.hash, hash)) return null;
    return nowMs < entry.expiresAtMs ? entry.value : null;
  }

  /** Ends a secret. */
  remove(secret: string): void {
    this.drop(hashOf(secret).toString('base64'));
  }

  private dropExpired(nowMs: number): void {
    for (const [name, { expiresAtMs }] of this.entries) {
      if (nowMs < expiresAtMs) return;
      this.drop(name);
    }
  }

  private drop(name: string): void {
    const entry = this.entries.get(name);
    if (entry === undefined) return;
    this.entries.delete(name);
    const own = this.byAccount.get(entry.accountId);
    own?.delete(name);
    if (own?.size === 0) this.byAccount.delete(entry.accountId);
  }
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
