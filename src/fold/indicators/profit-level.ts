import { breakEvenUsd, isAlwaysProfitable, type ProfitTerms } from './profit.ts';
import { bucketOf } from './profit-buckets.ts';

/** Ahead at no price, as a row of zeros is. */
export const NEVER = 0;
/** Ahead at any price. */
export const ALWAYS = 1;
const FIRST_BUCKET = 2;

/** Whether a wallet is ahead at every price, at none, or above one in a certain bucket; as a number. */
export function placeOf(terms: ProfitTerms | null, baseDecimals: number): number {
  if (terms === null) return NEVER;
  const isAhead = isAlwaysProfitable(terms);
  if (isAhead === null) return levelOfBucket(bucketOf(breakEvenUsd(terms, baseDecimals)));
  return isAhead ? ALWAYS : NEVER;
}

export function levelOfBucket(bucket: number): number {
  return bucket + FIRST_BUCKET;
}

/** Null where the price does not matter. */
export function bucketOfLevel(place: number): number | null {
  return place < FIRST_BUCKET ? null : place - FIRST_BUCKET;
}
