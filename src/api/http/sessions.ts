import type { IncomingMessage } from 'node:http';
import type { ApiKeys } from '../api-keys.ts';
import { SecretTable } from './secret-table.ts';

const SESSION_MS = 12 * 3_600_000;
const PER_ACCOUNT_MAX = 100;
const TOTAL_MAX = 10_000;

export const SESSION_COOKIE = 'mintscope_session';

/**
 * Sessions of browsers: a cookie in the place of an API key, with all its permissions, for 12 hours
 * or as long as the key is valid. They are in memory only.
 */
export class Sessions {
  private readonly table = new SecretTable<string>({
    validMs: SESSION_MS,
    perAccountMax: PER_ACCOUNT_MAX,
    totalMax: TOTAL_MAX,
  });
  private readonly keys: ApiKeys;
  private readonly nowMs: () => number;

  constructor(keys: ApiKeys, nowMs: () => number) {
    this.keys = keys;
    this.nowMs = nowMs;
  }

  get size(): number {
    return this.table.size;
  }

  /** Begins a session of a key; null when there are too many sessions. */
  begin(accountId: string, keyText: string) {
    return this.table.create(accountId, keyText, this.nowMs());
  }

  /** The key of a session; null after its end or the end of its key. */
  keyTextOf(secret: string): string | null {
    const keyText = this.table.find(secret, this.nowMs());
    if (keyText === null || this.keys.authenticate(keyText) !== null) return keyText;
    this.table.remove(secret);
    return null;
  }

  end(secret: string): void {
    this.table.remove(secret);
  }
}

/**
 * The secret in the session cookie of a request; null without one, or with several: a cookie set by
 * another application of the same host must not win by its position.
 */
export function sessionSecretOf({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  const { cookie } = headers;
  if (cookie === undefined) return null;
  const values = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${SESSION_COOKIE}=`))
    .map((pair) => pair.slice(SESSION_COOKIE.length + 1));
  return values.length === 1 ? (values[0] ?? null) : null;
}

/** The cookie that carries a session; `isSecure` keeps it from connections without encryption. */
export function sessionCookie(secret: string, isSecure: boolean): string {
  return cookieOf(secret, SESSION_MS / 1_000, isSecure);
}

/** The cookie that removes the session cookie. */
export function endedSessionCookie(isSecure: boolean): string {
  return cookieOf('', 0, isSecure);
}

function cookieOf(value: string, maxAgeSeconds: number, isSecure: boolean): string {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`;
  return `${SESSION_COOKIE}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`;
}
