import { describe, expect, it } from 'vitest';
import { type TrainingPost, trainModel } from '../../scripts/train-model.ts';
import { createPostScorer } from '../../src/social/sentiment/score-post.ts';

const SETTINGS = { seed: 1, rounds: 10, errorCost: 1, indicativeShare: 0.5 };

/** Invented words with a mood that no lexicon contains. */
const POSTS: readonly TrainingPost[] = Array.from({ length: 120 }, (_, at) => {
  const mood = (at % 3) - 1;
  const word = ['zorp', 'quib', 'flim'][at % 3] ?? '';
  return {
    text: `the ${word} of day ${'abcdefgh'[at % 8]} by ${'uvwxyz'[at % 6]}`,
    mood,
    weight: 1,
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
    expect([again.weightUnit, again.rarityUnit, again.bias]).toEqual([
      weights.weightUnit,
      weights.rarityUnit,
      weights.bias,
    ]);
  });

  it('applies the given weight of a post', () => {
    const contrary = POSTS.map(({ text, mood }) => ({ text, mood: -mood, weight: 0.001 }));
    const score = createPostScorer(trainModel([...POSTS, ...contrary], SETTINGS));
    expect(score('a flim again').label).toBe('bullish');
  });
});
