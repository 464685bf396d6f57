import { breakEvenUsd, isAlwaysProfitable, type ProfitTerms } from './profit.ts';
import { bucketOf } from './profit-buckets.ts';

/** Profitable at no price; the value in an empty row. */
export const NEVER = 0;
/** Profitable at any price. */
export const ALWAYS = 1;
const FIRST_BUCKET = 2;

/** Encodes whether a wallet is profitable at any price, at none, or above a price in a bucket. */
export function placeOf(terms: ProfitTerms | null, baseDecimals: number): number {
  if (terms === null) return NEVER;
  const isAhead = isAlwaysProfitable(terms);
  if (isAhead === null) return levelOfBucket(bucketOf(breakEvenUsd(terms, baseDecimals)));
  return isAhead ? ALWAYS : NEVER;
}

export function levelOfBucket(bucket: number): number {
  return bucket + FIRST_BUCKET;
}

/** Null for a level that does not depend on the price. */
export function bucketOfLevel(level: number): number | null {
  return level < FIRST_BUCKET ? null : level - FIRST_BUCKET;
}
