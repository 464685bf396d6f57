/**
 * A linear model with weights of one byte each, from the hashed features of a post to the three
 * moods. A rare feature counts more than a common one, and the length of a post does not matter.
 */
import { FEATURE_COUNT, type FeatureBuffer } from './hashed-features.ts';

/** Bytes per index: weights of bearish, neutral and bullish, and the rarity of the feature. */
export const INDEX_BYTES = 4;

export const WEIGHT_BYTES = FEATURE_COUNT * INDEX_BYTES;

/** Length of the vector of letter pieces relative to that of words. */
export const PIECE_SHARE = 1;

/** Weights as stored. */
export interface HashedWeights {
  /** For each index, three weights in units of `weightUnit`, and its rarity in `rarityUnit`. */
  readonly bytes: Int8Array;
  readonly weightUnit: number;
  readonly rarityUnit: number;
  readonly bias: MoodTriple;
}

/** Bearish, neutral, bullish. */
export type MoodTriple = readonly [number, number, number];

/** The probabilities that a post is bearish, neutral and bullish; their sum is 1. */
export interface MoodShares {
  readonly bearish: number;
  readonly neutral: number;
  readonly bullish: number;
}

/**
 * Shares are the softmax of the margins times this factor. It was chosen on held-out training
 * posts, on which it calibrates the shares: they equal how often a mood is right.
 */
const MARGIN_FACTOR = 2;

/** Sums over a range of features: the three margins and the squared length of the vector. */
interface FeatureSums {
  bearish: number;
  neutral: number;
  bullish: number;
  squares: number;
}

export function moodShares(weights: HashedWeights, features: FeatureBuffer): MoodShares {
  const words = sumsOf(weights.bytes, features.places, 0, features.wordCount);
  const pieces = sumsOf(weights.bytes, features.places, features.wordCount, features.count);
  const wordValue = valuePerUnit(weights, words);
  const pieceValue = valuePerUnit(weights, pieces) * PIECE_SHARE;
  const { bias } = weights;
  return softmax(
    MARGIN_FACTOR * (bias[0] + words.bearish * wordValue + pieces.bearish * pieceValue),
    MARGIN_FACTOR * (bias[1] + words.neutral * wordValue + pieces.neutral * pieceValue),
    MARGIN_FACTOR * (bias[2] + words.bullish * wordValue + pieces.bullish * pieceValue),
  );
}

function sumsOf(bytes: Int8Array, places: Uint32Array, from: number, to: number): FeatureSums {
  let [bearish, neutral, bullish, squares] = [0, 0, 0, 0];
  for (let at = from; at < to; at++) {
    const offset = (places[at] as number) * INDEX_BYTES;
    bearish += bytes[offset] as number;
    neutral += bytes[offset + 1] as number;
    bullish += bytes[offset + 2] as number;
    const rarity = bytes[offset + 3] as number;
    squares += rarity * rarity;
  }
  return { bearish, neutral, bullish, squares };
}

function valuePerUnit(weights: HashedWeights, { squares }: FeatureSums): number {
  return squares === 0 ? 0 : weights.weightUnit / (weights.rarityUnit * Math.sqrt(squares));
}

function softmax(bearish: number, neutral: number, bullish: number): MoodShares {
  const top = Math.max(bearish, neutral, bullish);
  const bear = Math.exp(bearish - top);
  const none = Math.exp(neutral - top);
  const bull = Math.exp(bullish - top);
  const sum = bear + none + bull;
  return { bearish: bear / sum, neutral: none / sum, bullish: bull / sum };
}
