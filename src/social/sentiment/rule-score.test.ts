import { describe, expect, it } from 'vitest';
import { readWords } from './read-words.ts';
import { ruleScore } from './rule-score.ts';

const scoreOf = (text: string) => ruleScore(readWords(text));
/** VADER's normalisation, written out. */
const normalised = (x: number) => x / Math.sqrt(x * x + 15);

describe('ruleScore', () => {
  it('of "gem 🚀" is the one of METHODS §8.2, 1.8 twice', () => {
    expect(scoreOf('gem 🚀')).toBeCloseTo(0.680823, 6);
  });

  it('of unknown or ambiguous words is 0', () => {
    expect(scoreOf('the ape and the degen shill a pump')).toBe(0);
    expect(scoreOf('the constructor of __proto__ toString')).toBe(0);
    expect(scoreOf('')).toBe(0);
  });

  it('is reversed by a negation within three words, and by none further away', () => {
    expect(scoreOf('rug')).toBeCloseTo(normalised(-3.2), 9);
    expect(scoreOf('not a rug')).toBeCloseTo(normalised(3.2 * 0.74), 9);
    expect(scoreOf("this isn't a rug")).toBeGreaterThan(0);
    expect(scoreOf('not one two three rug')).toBeLessThan(0);
  });

  it('is strengthened by intensifiers, capitals among others and exclamation marks', () => {
    const plain = scoreOf('this is bullish');
    expect(scoreOf('this is very bullish')).toBeCloseTo(normalised(2 * 1.293), 9);
    expect(scoreOf('this is kinda bullish')).toBeCloseTo(normalised(2 * (1 - 0.293)), 9);
    expect(scoreOf('this is BULLISH')).toBeCloseTo(normalised(2.733), 9);
    expect(scoreOf('THIS IS BULLISH')).toBe(plain);
    expect(scoreOf('this is bullish!!')).toBeCloseTo(normalised(2 + 2 * 0.292), 9);
  });

  it('counts text after "but" more than text before it', () => {
    expect(scoreOf('great chart but a rug')).toBeCloseTo(normalised(2.7 * 0.5 - 3.2 * 1.5), 9);
  });

  it.each([
    ['🚀', 1.8],
    ['💎', 1.2],
    ['📉', -1.5],
    ['🤡', -1.8],
    ['honeypot', -3.2],
    ['wagmi', 1.8],
    ['ngmi', -1.8],
    ['lfg', 1.5],
    ['jeet', -1.6],
    ['rekt', -2.5],
    ['scam', -3],
    ['moon', 2],
  ])('knows %s as METHODS §8.2 does', (word, valence) => {
    expect(scoreOf(word)).toBeCloseTo(normalised(valence), 9);
  });

  it('is within −1 and 1 for any words and repetitions', () => {
    expect(scoreOf('scam '.repeat(700))).toBeGreaterThan(-1.0001);
    expect(scoreOf('moon '.repeat(700))).toBeLessThan(1.0001);
  });
});
