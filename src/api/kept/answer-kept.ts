import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { ApiDeps } from '../deps.ts';
import { authenticate } from '../http/admission.ts';
import type { ConnectionBound } from '../http/connection-bound.ts';
import type { Allowance, RateLimiter } from '../http/rate-limit.ts';
import type { RequestIdOf } from '../http/request-id.ts';
import { isPermitted } from '../http/scopes.ts';
import { dataAgeMs } from '../present/freshness.ts';
import { type KeptAnswers, OWN_VALUES } from './kept-answers.ts';
import { type KeptHead, readKeptHead } from './read-kept-head.ts';

export interface KeptAnswererParts {
  readonly deps: ApiDeps;
  readonly kept: KeptAnswers;
  readonly limiter: RateLimiter;
  readonly connections: ConnectionBound;
  readonly requestId: RequestIdOf;
  /** False while the framework has to see each request. */
  isOn(): boolean;
}

/**
 * Answers a request with a kept answer, or returns false: the request has to go through the
 * framework, which has not seen it. All that decides about a request decides here too: its key, its
 * scope and its rate limit. A request that would be refused, or that says anything unusual, is left
 * to the framework.
 */
export type KeptAnswerer = (request: IncomingMessage, response: ServerResponse) => boolean;

export function createKeptAnswerer(parts: KeptAnswererParts): KeptAnswerer {
  const { deps, kept, requestId } = parts;
  return (request, response) => {
    if (request.method !== 'GET' || !parts.isOn()) return false;
    const answer = kept.find(request.url ?? '');
    if (answer === null) return false;
    const startedMs = performance.now();
    const given = readKeptHead(request);
    if (given === null || !hasReached(deps, given)) return false;
    const allowance = admit(parts, request, given);
    if (allowance === null) return false;
    const { head, timeMs } = answer;
    head[OWN_VALUES.requestId] = requestId(given.requestId);
    head[OWN_VALUES.remaining] = String(allowance.remaining);
    head[OWN_VALUES.reset] = String(allowance.resetSeconds);
    if (timeMs !== null) head[OWN_VALUES.age] = String(dataAgeMs(deps, timeMs));
    kept.sent++;
    response.writeHead(200, head);
    response.end(answer.body, answer.isAscii ? 'latin1' : 'utf8');
    const seconds = (performance.now() - startedMs) / 1_000;
    deps.metrics.observeRequest('GET', answer.route, 200, seconds);
    return true;
  };
}

/** Whether the kept answer is as of the slot that the request wants, or a later one. */
function hasReached({ reached }: ApiDeps, { minSlot }: KeptHead): boolean {
  return minSlot === null || reached.has(minSlot);
}

/** What is left to the key of a request; null for a request that is not admitted. */
function admit(
  { deps, limiter, connections }: KeptAnswererParts,
  { socket }: IncomingMessage,
  { key: text }: KeptHead,
): Allowance | null {
  const key = authenticate(deps.keys, text);
  if (key === null || !isPermitted(key.scopes, 'read')) return null;
  const allowance = limiter.take(key.keyId, deps.nowMs());
  // A refused request uses up nothing: the framework counts it again, and refuses it.
  if (!allowance.isAllowed) return null;
  connections.admit(socket, key.accountId);
  return allowance;
}
