/** The layout of stored weights. */
import { FEATURE_COUNT } from './hashed-features.ts';

/** Tweets of traders, headlines, posts of a forum of traders, and tweets about anything. */
export const STYLES = ['market', 'news', 'forum', 'general'] as const;
export type Style = (typeof STYLES)[number];

/**
 * Bytes of an index, in groups of four that are summed together: the rarity of the feature and the
 * pooled weights; the gate's; those of the heads. The pooled model and the heads have a weight for each
 * mood, but the forum's head, which was trained without neutral posts: its only weight, beside those
 * of market tweets, is for bullish against bearish.
 */
export const COLUMNS = {
  rarity: 0,
  pooled: 1,
  gate: 4,
  market: 8,
  forum: 11,
  news: 12,
  general: 15,
} as const;
export const INDEX_BYTES = 18;

export const WEIGHT_BYTES = FEATURE_COUNT * INDEX_BYTES;
