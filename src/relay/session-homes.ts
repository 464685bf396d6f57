import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { SESSION_COOKIE, sessionSecretOf } from '../api/http/sessions.ts';
import { RecentMap } from '../lib/recent-map.ts';
import type { Replica } from './replica.ts';

const HOMES_MAX = 20_000;

/**
 * On which replica a session or a ticket was begun: no other knows it. Only a memory aid: what is not
 * in it is found by asking one replica after the other.
 */
export class SessionHomes {
  private readonly homes = new RecentMap<string, Replica>(HOMES_MAX);

  find(secret: string): Replica | null {
    return this.homes.get(hashOf(secret)) ?? null;
  }

  note(secret: string, replica: Replica): void {
    this.homes.set(hashOf(secret), replica);
  }

  /** Notes the session that an answer begins. */
  noteAnswer(headers: IncomingHttpHeaders, replica: Replica): void {
    for (const cookie of [headers['set-cookie'] ?? []].flat()) {
      const [, secret] = new RegExp(`^${SESSION_COOKIE}=([^;]+)`).exec(cookie) ?? [];
      if (secret !== undefined) this.note(secret, replica);
    }
  }
}

/** The secret of a request that one replica alone knows; null if it has a key or nothing. */
export function localSecretOf({ headers, url = '' }: IncomingMessage): string | null {
  if (headers['x-api-key'] !== undefined || headers.authorization !== undefined) return null;
  const ticket = new URLSearchParams(url.split('?', 2)[1] ?? '').get('ticket');
  return ticket ?? sessionSecretOf({ headers });
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
