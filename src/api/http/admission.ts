import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../model/errors.ts';
import type { ApiKey, ApiKeys, Scope } from '../api-keys.ts';
import { MISSING_KEY, TOO_MANY_REQUESTS, TOO_MANY_WRONG_KEYS } from '../schemas/error-responses.ts';
import type { FailedKeys } from './failed-keys.ts';
import type { RateLimiter } from './rate-limit.ts';

/**
 * Who may use a route: anyone (`public`); operators, i.e. local clients or clients with any key
 * (`operator`); or keys with the given scope.
 */
export type Access = 'public' | 'operator' | Scope;

/** Admits a request, or throws the ApiError that refuses it. */
export type Admit = (access: Access, request: FastifyRequest, reply: FastifyReply) => void;

export interface AdmissionDeps {
  readonly keys: ApiKeys;
  readonly limiter: RateLimiter;
  /** Counts wrong keys across all protocols. */
  readonly failedKeys: FailedKeys;
  readonly burst: number;
  /** Operators on other machines do not need a key either. */
  readonly openOps: boolean;
  nowMs(): number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Key of the request; null if the route did not require one. */
    apiKey: ApiKey | null;
  }
}

/** The key of a request on a route that requires one. */
export function keyOf({ apiKey }: FastifyRequest): ApiKey {
  if (apiKey === null) throw new ApiError(401, MISSING_KEY);
  return apiKey;
}

/**
 * Admission check of every request: 401 for a missing or wrong key (429 after too many wrong keys
 * from its address), then 429 for the rate limit, then 403 for the scope. The rate limit is per key
 * ID, independent of client addresses.
 */
export function createAdmission(deps: AdmissionDeps): Admit {
  const limitText = String(deps.burst);
  return (access, request, reply) => {
    if (access === 'public') return;
    const presented = request.headers['x-api-key'];
    if (access === 'operator' && presented === undefined) {
      if (deps.openOps || isFromThisMachine(request)) return;
    }
    const key = authenticate(deps.keys, presented);
    if (key === null) {
      refuseKey(deps, request, reply);
    }
    request.apiKey = key;
    countRequest(deps.limiter.take(key.keyId, deps.nowMs()), limitText, reply);
    if (access !== 'operator' && !key.scopes.includes(access)) {
      throw new ApiError(403, `This API key does not have the scope ${access}.`);
    }
  };
}

/** A request without a key does not count as a guess: it is always answered with 401. */
function refuseKey(deps: AdmissionDeps, request: FastifyRequest, reply: FastifyReply): never {
  const { headers, socket } = request;
  const waitSeconds =
    headers['x-api-key'] === undefined
      ? 0
      : deps.failedKeys.note(socket.remoteAddress ?? '', deps.nowMs());
  if (waitSeconds > 0) {
    reply.header('retry-after', String(waitSeconds));
    throw new ApiError(429, TOO_MANY_WRONG_KEYS);
  }
  reply.header('www-authenticate', 'ApiKey');
  throw new ApiError(401, MISSING_KEY);
}

/**
 * Node joins repeated headers with a comma and a space, which this pattern rejects: two keys are
 * not a key.
 */
const KEY_TEXT = /^[\x21-\x7e]{1,200}$/;

function authenticate(keys: ApiKeys, presented: string | string[] | undefined): ApiKey | null {
  if (typeof presented !== 'string' || !KEY_TEXT.test(presented)) return null;
  return keys.authenticate(presented);
}

function countRequest(
  allowance: ReturnType<RateLimiter['take']>,
  limitText: string,
  reply: FastifyReply,
): void {
  reply.header('ratelimit-limit', limitText);
  reply.header('ratelimit-remaining', String(allowance.remaining));
  reply.header('ratelimit-reset', String(allowance.resetSeconds));
  if (allowance.isAllowed) return;
  reply.header('retry-after', String(allowance.retryAfterSeconds));
  throw new ApiError(429, TOO_MANY_REQUESTS);
}

/** A request forwarded by a local proxy comes from another machine; the proxy headers show it. */
function isFromThisMachine({ headers, socket }: FastifyRequest): boolean {
  return !PROXY_HEADERS.some((name) => name in headers) && isLoopback(socket.remoteAddress);
}

const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

function isLoopback(peer: string | undefined): boolean {
  return peer !== undefined && (peer === '::1' || /^(::ffff:)?127\./.test(peer));
}
