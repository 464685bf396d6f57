import type { IncomingMessage } from 'node:http';

/** What decides how a request may be sent to replicas. */
export interface RequestKind {
  /** It changes nothing, so that it may be sent again. */
  readonly isRead: boolean;
  /** Its answer is sent on as it comes, because it may be long or slow. */
  readonly isLong: boolean;
  /** Its data are on one replica only, which is chosen by the key. */
  readonly isOfOneReplica: boolean;
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function requestKindOf({ method = 'GET', url = '' }: IncomingMessage): RequestKind {
  const path = pathOf(url);
  return {
    isRead: SAFE_METHODS.has(method) || (method === 'POST' && path.startsWith('/v1/batch/')),
    isLong: path.startsWith('/v1/export/'),
    isOfOneReplica: /^\/v1\/backtests(\/|$)/.test(path),
  };
}

/** The path of a URL without its parameters, as it was sent. */
export function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}
