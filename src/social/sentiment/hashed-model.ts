/**
 * Linear models with weights of one byte each, from the hashed features of a post to the three
 * moods: a pooled one of all training posts, and a head for each style of post, since "beats" and
 * "calls" mean another thing in a headline than in a chat. A gate, linear as well, says how much a
 * post is like each style. A rare feature counts more than a common one, and the length of a post
 * does not matter.
 */
import { ColumnSums } from './column-sums.ts';
import type { FeatureBuffer } from './hashed-features.ts';
import { COLUMNS, STYLES, type Style } from './weight-columns.ts';

/** Weights as stored. */
export interface HashedWeights {
  /** For each index the bytes of COLUMNS, as multiples of their units. */
  readonly bytes: Int8Array;
  /** For each column, the value of 1; the first is that of rarities. */
  readonly units: readonly number[];
  /** For each column, what is added to the sum of its weights; 0 for rarities. */
  readonly biases: readonly number[];
}

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
const GATE_FACTOR = 3;
/** A head counts if its style has at least this share; the heads that count share the rest. */
const GATE_MIN = 0.1;
/**
 * Share of a head in the result; the rest is that of the pooled model. Chosen by cross-validation:
 * the head of news is better alone, the others in company.
 */
const HEAD_SHARE: Readonly<Record<Style, number>> = {
  market: 0.7,
  news: 1,
  forum: 0.8,
  general: 0.8,
};

/** Reads the moods of one post after another; it reuses its memory. */
export class MoodReader {
  private readonly sums: ColumnSums;
  private readonly weights: HashedWeights;

  constructor(weights: HashedWeights) {
    this.weights = weights;
    this.sums = new ColumnSums(weights.bytes, (weights.units[0] as number) ** -1);
  }

  shares(features: FeatureBuffer): MoodShares {
    this.sums.read(features);
    const pooled = this.softmaxOf(COLUMNS.pooled);
    const gate = this.gateShares();
    let [bearish, neutral, bullish] = [0, 0, 0];
    for (let at = 0; at < STYLES.length; at++) {
      const share = gate[at] as number;
      if (share === 0) continue;
      const style = STYLES[at] as Style;
      const head = this.headShares(style, pooled);
      const own = share * HEAD_SHARE[style];
      const rest = share - own;
      bearish += own * head.bearish + rest * pooled.bearish;
      neutral += own * head.neutral + rest * pooled.neutral;
      bullish += own * head.bullish + rest * pooled.bullish;
    }
    return { bearish, neutral, bullish };
  }

  private headShares(style: Style, pooled: MoodShares): MoodShares {
    const first = COLUMNS[style];
    this.sums.readHead(first, style === 'forum' ? first : first + 2);
    return style === 'forum' ? this.sidesOf(pooled) : this.softmaxOf(first);
  }

  /** The forum's head divides what the pooled model leaves to the two sides. */
  private sidesOf({ neutral }: MoodShares): MoodShares {
    const up = 1 / (1 + Math.exp(-2 * MARGIN_FACTOR * this.margin(COLUMNS.forum)));
    return { bearish: (1 - neutral) * (1 - up), neutral, bullish: (1 - neutral) * up };
  }

  private gateShares(): number[] {
    const margins = STYLES.map((_, at) => GATE_FACTOR * this.margin(COLUMNS.gate + at));
    const top = Math.max(...margins);
    const parts = margins.map((margin) => Math.exp(margin - top));
    const all = parts.reduce((sum, part) => sum + part, 0);
    const counted = parts.map((part) => (part < GATE_MIN * all ? 0 : part));
    const sum = counted.reduce((total, part) => total + part, 0);
    return counted.map((part) => part / sum);
  }

  /** Shares by the three columns from `first` on: bearish, neutral, bullish. */
  private softmaxOf(first: number): MoodShares {
    const margins = [this.margin(first), this.margin(first + 1), this.margin(first + 2)] as const;
    const top = Math.max(...margins);
    const bear = Math.exp(MARGIN_FACTOR * (margins[0] - top));
    const none = Math.exp(MARGIN_FACTOR * (margins[1] - top));
    const bull = Math.exp(MARGIN_FACTOR * (margins[2] - top));
    const sum = bear + none + bull;
    return { bearish: bear / sum, neutral: none / sum, bullish: bull / sum };
  }

  private margin(column: number): number {
    const { units, biases } = this.weights;
    return (units[column] as number) * this.sums.of(column) + (biases[column] as number);
  }
}
