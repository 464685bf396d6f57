import type { FastifyReply } from 'fastify';
import { ApiError } from '../../model/errors.ts';
import { TOO_MANY_REQUESTS } from '../schemas/error-responses.ts';
import type { Allowance } from './rate-limit.ts';
import type { Budget } from './request-budgets.ts';

/** The rate limit as its headers show it. */
export interface RateLimitTexts {
  readonly limit: string;
  readonly policy: string;
}

/** The headers that differ from request to request. */
export const RATE_LIMIT_HEADERS = {
  remaining: 'ratelimit-remaining',
  reset: 'ratelimit-reset',
} as const;

export function rateLimitTexts({ limit: { perMinute, burst }, name }: Budget): RateLimitTexts {
  const policy = `${perMinute};w=60;burst=${burst}`;
  return {
    limit: String(perMinute),
    policy: name === undefined ? policy : `${policy};comment="${name}"`,
  };
}

/** Sets the RateLimit headers of a response; throws ApiError 429 if the request was refused. */
export function announceAllowance(
  allowance: Allowance,
  { limit, policy }: RateLimitTexts,
  reply: FastifyReply,
): void {
  reply.header('ratelimit-limit', limit);
  reply.header('ratelimit-policy', policy);
  reply.header(RATE_LIMIT_HEADERS.remaining, String(allowance.remaining));
  reply.header(RATE_LIMIT_HEADERS.reset, String(allowance.resetSeconds));
  if (allowance.isAllowed) return;
  reply.header('retry-after', String(allowance.retryAfterSeconds));
  throw new ApiError(429, TOO_MANY_REQUESTS);
}
