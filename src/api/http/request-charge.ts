import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../model/errors.ts';
import { keyOf } from './admission.ts';
import { announceAllowance, rateLimitTexts } from './allowance-headers.ts';
import type { Budget } from './request-budgets.ts';

/**
 * Counts an admitted request, which counts as one already, as `requests`. Throws ApiError 429 if
 * the key has not that many left, 422 if no key ever has.
 */
export type RequestCharge = (
  request: FastifyRequest,
  reply: FastifyReply,
  requests: number,
) => void;

export interface RequestChargeDeps {
  readonly budget: Budget;
  nowMs(): number;
}

export function createRequestCharge({ budget, nowMs }: RequestChargeDeps): RequestCharge {
  const { limiter, limit } = budget;
  const texts = rateLimitTexts(budget);
  return (request, reply, requests) => {
    if (requests <= 1) return;
    if (requests > limit.burst) throw new ApiError(422, overBurst(requests, limit.burst));
    request.allowance = limiter.takeMore(keyOf(request).keyId, nowMs(), requests - 1);
    announceAllowance(request.allowance, texts, reply);
  };
}

/** Example of the 422 response of an endpoint whose requests count as several. */
export const OVER_BURST_EXAMPLE = overBurst(10, 5);

function overBurst(requests: number, burst: number): string {
  return `This request counts as ${requests} requests, and at most ${burst} may be sent at once.`;
}
