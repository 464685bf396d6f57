import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../model/errors.ts';
import type { ApiKey, ApiKeys } from '../api-keys.ts';
import { MISSING_KEY, TOO_MANY_WRONG_KEYS } from '../schemas/error-responses.ts';
import { announceAllowance, rateLimitTexts } from './allowance-headers.ts';
import type { FailedKeys } from './failed-keys.ts';
import { findPresentedKey, type PresentedKey } from './presented-key.ts';
import type { Allowance } from './rate-limit.ts';
import type { BudgetName, RequestBudgets } from './request-budgets.ts';
import type { Permission } from './scopes.ts';
import { isPermitted, scopeFor } from './scopes.ts';
import type { Sessions } from './sessions.ts';

/**
 * Who may use a route: anyone (`public`); operators, i.e. local clients or clients with any key
 * (`operator`); any key (`key`); or keys with the given permission.
 */
export type Access = 'public' | 'operator' | 'key' | Permission;

/**
 * Admits a request, or throws the ApiError that refuses it. It counts in the budget `requests` of
 * its key unless another is named.
 */
export type Admit = (
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
  budget?: BudgetName,
) => void;

export interface AdmissionDeps {
  readonly keys: ApiKeys;
  readonly sessions: Sessions;
  readonly budgets: RequestBudgets;
  /** Counts wrong keys across all protocols. */
  readonly failedKeys: FailedKeys;
  /** Operators on other machines do not need a key either. */
  readonly openOps: boolean;
  nowMs(): number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Key of the request; null if the route did not require one. */
    apiKey: ApiKey | null;
    /** What was left to the key after this request was counted; null without a key. */
    allowance: Allowance | null;
  }
}

/** The key of a request on a route that requires one. */
export function keyOf({ apiKey }: FastifyRequest): ApiKey {
  if (apiKey === null) throw new ApiError(401, MISSING_KEY);
  return apiKey;
}

/**
 * Admission check of every request: 403 for a session used by a foreign page, 401 for a missing or
 * wrong key (429 after too many wrong keys from its address), then 429 for the rate limit, then 403
 * for the scope. The rate limit is per key ID, independent of client addresses.
 */
export function createAdmission(deps: AdmissionDeps): Admit {
  const { budgets } = deps;
  const limitTexts = {
    requests: rateLimitTexts(budgets.requests),
    pictures: rateLimitTexts(budgets.pictures),
  };
  return (access, request, reply, budget = 'requests') => {
    if (access === 'public') return;
    const presented = findPresentedKey(request, deps.sessions);
    if (access === 'operator' && presented === null) {
      if (deps.openOps || isFromThisMachine(request)) return;
    }
    const key = authenticate(deps.keys, presented?.text);
    if (key === null) {
      refuseKey(deps, presented, request, reply);
    }
    request.apiKey = key;
    request.presentedKey = presented;
    request.allowance = budgets[budget].limiter.take(key.keyId, deps.nowMs());
    announceAllowance(request.allowance, limitTexts[budget], reply);
    if (access === 'operator' || access === 'key') return;
    assertPermitted(key, access);
  };
}

/** Throws ApiError 403 for a key without the permission. */
export function assertPermitted({ scopes }: ApiKey, permission: Permission): void {
  if (isPermitted(scopes, permission)) return;
  throw new ApiError(403, `This API key does not have the scope ${scopeFor(permission)}.`);
}

/**
 * A request without a key in a header does not count as a guess: it is always answered with 401.
 */
function refuseKey(
  deps: AdmissionDeps,
  presented: PresentedKey | null,
  { socket }: FastifyRequest,
  reply: FastifyReply,
): never {
  const waitSeconds =
    presented === null || presented.session !== null
      ? 0
      : deps.failedKeys.note(socket.remoteAddress ?? '', deps.nowMs());
  if (waitSeconds > 0) {
    reply.header('retry-after', String(waitSeconds));
    throw new ApiError(429, TOO_MANY_WRONG_KEYS);
  }
  reply.header('www-authenticate', 'ApiKey, Bearer');
  throw new ApiError(401, MISSING_KEY);
}

/**
 * Repeated headers are joined with a comma and a space, which this pattern rejects: two keys are not
 * a key.
 */
const KEY_TEXT = /^[\x21-\x7e]{1,200}$/;

/** The valid key with a text; null for any other text. */
export function authenticate(keys: ApiKeys, presented: string | undefined): ApiKey | null {
  if (presented === undefined || !KEY_TEXT.test(presented)) return null;
  return keys.authenticate(presented);
}

/** A request forwarded by a local proxy comes from another machine; the proxy headers show it. */
export function isFromThisMachine({ headers, socket }: FastifyRequest): boolean {
  return !PROXY_HEADERS.some((name) => name in headers) && isLoopback(socket.remoteAddress);
}

const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

function isLoopback(peer: string | undefined): boolean {
  return peer !== undefined && (peer === '::1' || /^(::ffff:)?127\./.test(peer));
}
