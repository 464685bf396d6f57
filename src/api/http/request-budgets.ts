import { createRateLimiter, type RateLimit, type RateLimiter } from './rate-limit.ts';

/** The budget of a key that a request counts in. */
export type BudgetName = 'requests' | 'pictures';

export interface Budget {
  readonly limiter: RateLimiter;
  /** What `limiter` allows each key. */
  readonly limit: RateLimit;
  /** Named in RateLimit-Policy where it is not the budget of most requests. */
  readonly name?: BudgetName;
}

export type RequestBudgets = Readonly<Record<BudgetName, Budget>>;

/** As many pictures are allowed as requests, times this: a page of 100 rows is ten requests. */
const PICTURES_PER_REQUEST = 10;

/**
 * The budgets of each key: requests with `limit`, counted by `limiter`, and pictures of tokens with
 * ten times that (docs/decisions/0072).
 */
export function createRequestBudgets(limit: RateLimit, limiter: RateLimiter): RequestBudgets {
  const pictureLimit = {
    perMinute: limit.perMinute * PICTURES_PER_REQUEST,
    burst: limit.burst * PICTURES_PER_REQUEST,
  };
  return {
    requests: { limiter, limit },
    pictures: { limiter: createRateLimiter(pictureLimit), limit: pictureLimit, name: 'pictures' },
  };
}
