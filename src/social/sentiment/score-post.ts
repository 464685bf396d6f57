/**
 * The mood of a post: the score of a trained model, mixed with a share of the score by rules and
 * lexicon, since the model was trained on posts about stocks and the lexicon has crypto words. The
 * share is smaller than the 0.3 of METHODS §8.2, which assumes a model without the rules: here the
 * rule score is also a feature of the model.
 */
import { createFeatureBuffer, hashFeatures } from './hashed-features.ts';
import { type HashedWeights, MoodReader, type MoodShares } from './hashed-model.ts';
import { type PostWords, readWords } from './read-words.ts';
import { ruleScore } from './rule-score.ts';

export type MoodLabel = 'bearish' | 'neutral' | 'bullish';

export interface PostScore {
  /** −1 to 1; see METHODS §8.2. */
  readonly score: number;
  readonly label: MoodLabel;
  /** The result of the model; null when it was not used because the post is not in its language. */
  readonly shares: MoodShares | null;
  /** The score by rules and lexicon, −1 to 1. */
  readonly ruleScore: number;
}

const MODEL_SHARE = 0.9;
/** Rule scores closer to 0 than this are neutral, as in VADER. */
const NEUTRAL_MAX = 0.05;

/** Creates a function that scores a post. It reuses a buffer, so that scoring allocates little. */
export function createPostScorer(weights: HashedWeights): (text: string) => PostScore {
  const buffer = createFeatureBuffer();
  const reader = new MoodReader(weights);
  return (text) => {
    const words = readWords(text);
    const byRules = ruleScore(words);
    if (!isReadable(words)) return scoreOf(null, byRules);
    hashFeatures(words, byRules, buffer);
    return scoreOf(reader.shares(buffer), byRules);
  };
}

/** Combines the scores of the model and the rules; without the model the rules decide alone. */
export function scoreOf(shares: MoodShares | null, byRules: number): PostScore {
  if (shares === null) {
    return { score: byRules, label: ruleLabel(byRules), shares, ruleScore: byRules };
  }
  const byModel = shares.bullish - shares.bearish;
  const score = MODEL_SHARE * byModel + (1 - MODEL_SHARE) * byRules;
  return { score, label: shareLabel(shares), shares, ruleScore: byRules };
}

function ruleLabel(score: number): MoodLabel {
  if (score > NEUTRAL_MAX) return 'bullish';
  return score < -NEUTRAL_MAX ? 'bearish' : 'neutral';
}

function shareLabel({ bearish, neutral, bullish }: MoodShares): MoodLabel {
  if (bullish >= neutral && bullish >= bearish) return 'bullish';
  return bearish > neutral ? 'bearish' : 'neutral';
}

/** The model reads English: at least half of the words must be in its letters. */
function isReadable({ words }: PostWords): boolean {
  let [known, foreign] = [0, 0];
  for (const word of words) {
    const code = word.charCodeAt(0);
    if (code >= 97 && code <= 122) known++;
    else if (isForeignLetter(word)) foreign++;
  }
  return known > 0 && known >= foreign;
}

const FOREIGN_LETTER = /^\p{L}/u;

function isForeignLetter(word: string): boolean {
  return word.charCodeAt(0) > 127 && FOREIGN_LETTER.test(word);
}
