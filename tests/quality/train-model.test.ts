import { describe, expect, it } from 'vitest';
import { type TrainingPost, trainModel } from '../../scripts/train-model.ts';
import { createPostScorer } from '../../src/social/sentiment/score-post.ts';

const HEAD = { errorCost: 1, indicativeShare: 0.5, balance: 0 };
const SETTINGS = {
  seed: 1,
  rounds: 10,
  heads: { market: HEAD, news: HEAD, forum: HEAD, general: HEAD },
  pooled: HEAD,
  pooledWeights: { market: 1, news: 1, forum: 1, general: 1 },
  gate: HEAD,
};

/** Invented words with a mood that no lexicon contains. */
const POSTS: readonly TrainingPost[] = Array.from({ length: 120 }, (_, at) => {
  const mood = (at % 3) - 1;
  const word = ['zorp', 'quib', 'flim'][at % 3] ?? '';
  return {
    text: `the ${word} of day ${'abcdefgh'[at % 8]} by ${'uvwxyz'[at % 6]}`,
    mood,
    style: 'market',
  };
});

describe('trainModel', () => {
  const weights = trainModel(POSTS, SETTINGS);

  it('learns the mood of words from posts alone', () => {
    const score = createPostScorer(weights);
    expect(['zorp', 'quib', 'flim'].map((word) => score(`a ${word} again`).label)).toEqual([
      'bearish',
      'neutral',
      'bullish',
    ]);
    expect(score('a flim again').score).toBeGreaterThan(0.3);
    expect(score('a zorp again').score).toBeLessThan(-0.3);
  });

  it('gives the same bytes for the same posts', () => {
    const again = trainModel(POSTS, SETTINGS);
    expect(Buffer.compare(Buffer.from(weights.bytes.buffer), Buffer.from(again.bytes.buffer))).toBe(
      0,
    );
    expect([again.units, again.biases]).toEqual([weights.units, weights.biases]);
  });

  it('learns that a word means another thing in another style', () => {
    const inNews = POSTS.map(({ text, mood }) => ({
      text: `${text} says the agency`,
      mood: -mood,
      style: 'news' as const,
    }));
    const score = createPostScorer(trainModel([...POSTS, ...inNews], SETTINGS));
    expect(score('the flim of day a by u').label).toBe('bullish');
    expect(score('the flim of day a by u says the agency').label).toBe('bearish');
  });
});
