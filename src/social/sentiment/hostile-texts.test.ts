import { describe, expect, it } from 'vitest';
import { readWords } from './read-words.ts';
import { ruleScore } from './rule-score.ts';
import { createPostScorer } from './score-post.ts';
import { readShippedModel } from './weights-file.ts';

const score = createPostScorer(readShippedModel().weights);

/** Written by hand; none is from the training data. */
const PLAIN = [
  'dev rugged again, this is a scam, stay away',
  'so bullish on this one, loading more before the breakout',
  'liquidity pulled, it is going to zero',
  'amazing team and great community, we are going to the moon',
];

const DISGUISES: readonly (readonly [name: string, disguise: (text: string) => string])[] = [
  ['invisible letters', (text) => [...text].join('\u200b')],
  ['lookalikes', (text) => text.replaceAll('a', 'а').replaceAll('o', 'о').replaceAll('e', 'е')],
  ['letters of mathematics', (text) => text.replace(/[a-z]/g, mathematical)],
  ['strikes', (text) => [...text].join('\u0336')],
  ['full width', (text) => text.replace(/[a-z]/g, (letter) => letterAt(letter, 0xff41))],
];

function mathematical(letter: string): string {
  return letterAt(letter, 0x1d5ee);
}

function letterAt(letter: string, first: number): string {
  return String.fromCodePoint(first + letter.charCodeAt(0) - 97);
}

describe('the mood of a disguised text', () => {
  it.each(DISGUISES)('by %s is that of the plain one', (_, disguise) => {
    for (const text of PLAIN) {
      expect(disguise(text)).not.toBe(text);
      expect(score(disguise(text))).toEqual(score(text));
    }
  });

  it('does not depend on how many emoji of a kind follow', () => {
    for (const text of PLAIN) {
      expect(score(`${text} ${'🚀'.repeat(1_000)}`)).toEqual(score(`${text} 🚀🚀🚀`));
    }
  });

  it('stays bearish by rules under a flood of rockets', () => {
    const byRules = (text: string) => ruleScore(readWords(text));
    expect(byRules(`total scam, dev rugged, got rekt ${'🚀'.repeat(300)}`)).toBeLessThan(0);
  });
});

describe('phrases', () => {
  it.each([
    ['liquidity pulled an hour ago', -1],
    ['this is going to zero', -1],
    ['dev sold everything', -1],
    ['it is a honey pot', -1],
    ['we go to the moon', 1],
    ['liquidity locked for a year', 1],
    ['sold puts today', 1],
    ['bought puts today', -1],
  ])('%s has the side %d by rules', (text, side) => {
    expect(Math.sign(ruleScore(readWords(text)))).toBe(side);
  });

  it('count once, in place of their words, and are reversed by negations', () => {
    // "pulled" and "zero" have no valence; −3.2 is that of the phrase alone.
    expect(ruleScore(readWords('liquidity pulled'))).toBeCloseTo(
      -3.2 / Math.sqrt(3.2 ** 2 + 15),
      9,
    );
    expect(ruleScore(readWords('not a rug pull'))).toBeGreaterThan(0);
  });
});
