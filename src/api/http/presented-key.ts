import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../model/errors.ts';
import { FOREIGN_ORIGIN } from '../schemas/error-responses.ts';
import { isSameOrigin } from './request-origin.ts';
import { type Sessions, sessionSecretOf } from './sessions.ts';

/** The key that a request presents, itself or by its session. */
export interface PresentedKey {
  readonly text: string;
  /** The secret of the session; null for a key in a header, which may be a guess. */
  readonly session: string | null;
  /** Whether the session has not ended; true for a key in a header. */
  readonly isOpen: () => boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on routes that require no key. */
    presentedKey: PresentedKey | null;
  }
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * The key of the `X-API-Key` header, otherwise that of `Authorization: Bearer`, otherwise that of the
 * session cookie; null without any of them.
 * Throws ApiError 403 if the cookie is all that authorises a change, or a WebSocket, and the request
 * does not come from a page of this server: another page may have caused it.
 */
export function findPresentedKey(request: FastifyRequest, sessions: Sessions): PresentedKey | null {
  const header = request.headers['x-api-key'];
  const inHeader = keyTextIn({
    apiKey: header === undefined ? [] : [String(header)],
    authorization: authorizationsOf(request),
  });
  if (inHeader !== null) return { text: inHeader, session: null, isOpen: () => true };
  const session = sessionSecretOf(request);
  const text = session === null ? null : sessions.keyTextOf(session);
  if (session === null || text === null) return null;
  const isWebSocket = request.headers.upgrade !== undefined;
  if ((isWebSocket || !SAFE_METHODS.includes(request.method)) && !isSameOrigin(request)) {
    throw new ApiError(403, FOREIGN_ORIGIN);
  }
  return { text, session, isOpen: () => sessions.keyTextOf(session) !== null };
}

/** The values of the two headers, or of the metadata of a call, that can have a key. */
export interface KeyHeaders {
  readonly apiKey: readonly string[];
  readonly authorization: readonly string[];
}

/**
 * The key of `X-API-Key`, otherwise the token of `Authorization: Bearer` (RFC 6750); null without
 * either, as with another scheme, which is meant for a proxy. Repeated values are joined, which is
 * not a key.
 */
export function keyTextIn({ apiKey, authorization: given }: KeyHeaders): string | null {
  if (apiKey.length > 0) return apiKey.join(', ');
  const [, token] = /^bearer +(.*)$/i.exec(given.join(', ')) ?? [];
  return token ?? null;
}

/** All of them: Node keeps the first of repeated ones, and joins those of `X-API-Key` itself. */
function authorizationsOf({ headers, raw }: FastifyRequest): readonly string[] {
  if (headers.authorization === undefined) return [];
  return raw.rawHeaders.filter(
    (_, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === 'authorization',
  );
}

/** The presented key of an admitted request. */
export function presentedKeyOf({ presentedKey }: FastifyRequest): PresentedKey {
  if (presentedKey === null) throw new Error('the request was admitted without a key');
  return presentedKey;
}
