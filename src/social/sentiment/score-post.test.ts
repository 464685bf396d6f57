import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPostScorer, scoreOf } from './score-post.ts';
import { readShippedModel } from './weights-file.ts';

const { weights, card } = readShippedModel();
const score = createPostScorer(weights);

describe('The shipped model', () => {
  it.each([
    ['bullish', 'so bullish on this, loading calls before it breaks out 🚀'],
    ['bullish', '$SOL this gem is sending, lfg 🚀🚀'],
    ['bearish', 'dev rugged, total scam, i got rekt'],
    ['bearish', 'I am short, this will crash and burn. puts printing'],
  ])('finds %s: %s', (label, text) => {
    expect(score(text).label).toBe(label);
    expect(Math.sign(score(text).score)).toBe(label === 'bullish' ? 1 : -1);
  });

  it('has a card that names its training data and their licences', () => {
    expect(card.training.sources.length).toBeGreaterThan(0);
    for (const { name, licence, posts } of card.training.sources) {
      expect([name, licence]).not.toContain('');
      expect(posts).toBeGreaterThan(0);
    }
  });

  it('uses at most 5 MB', () => {
    expect(weights.bytes.length).toBeLessThanOrEqual(5_000_000);
  });

  it('gives every text a score from −1 to 1, always the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const first = score(text);
        expect(Math.abs(first.score)).toBeLessThanOrEqual(1);
        expect(score(text)).toEqual(first);
      }),
      { numRuns: 200 },
    );
  });

  it('gives a text the same score, whichever texts were scored before', () => {
    // More than 255 posts: the post numbers in the scorer's buffer restart.
    const words = 'gem rug moon dump $SOL 🚀 not very bullish https://a.b 12% луна'.split(' ');
    const texts = Array.from({ length: 600 }, (_, at) =>
      Array.from(
        { length: 1 + (at % 9) },
        (_, index) => words[(at * 7 + index * at) % words.length],
      )
        .join(' ')
        .repeat(at % 200 === 0 ? 300 : 1),
    );
    for (const text of texts.slice(0, 40)) {
      const alone = createPostScorer(weights)(text);
      const used = createPostScorer(weights);
      for (const other of texts) used(other);
      expect(used(text)).toEqual(alone);
    }
    const forwards = texts.map((text) => score(text).score);
    const backwards = texts.toReversed().map((text) => score(text).score);
    expect(backwards.toReversed()).toEqual(forwards);
  });

  it('scores posts in other scripts only by emoji and lexicon', () => {
    expect(score('луна скоро 🚀')).toMatchObject({ shares: null, label: 'bullish' });
    expect(score('すぐに月へ')).toMatchObject({ shares: null, label: 'neutral', score: 0 });
    expect(score('').score).toBe(0);
  });
});

describe('scoreOf', () => {
  it('is 0.9 of the model’s difference plus 0.1 of the rule score', () => {
    const shares = { bearish: 0.1, neutral: 0.3, bullish: 0.6 };
    expect(scoreOf(shares, -0.5)).toMatchObject({ label: 'bullish' });
    expect(scoreOf(shares, -0.5).score).toBeCloseTo(0.9 * 0.5 - 0.1 * 0.5, 12);
    expect(scoreOf(null, -0.5)).toMatchObject({ label: 'bearish', score: -0.5 });
  });
});
