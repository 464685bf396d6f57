import { describe, expect, test } from 'vitest';
import { Random } from '../random/random.ts';
import {
  composeCall,
  composeOffTopic,
  composeOpinion,
  composeRaid,
  composeRotation,
  composeSarcasm,
  composeSpam,
  copyOf,
} from './compose-text.ts';
import { TONES, type Tone } from './phrases.ts';

const LANGUAGES = ['en', 'es', 'pt', 'tr', 'ru', 'zh', 'ja'];

/** Crypto terms with their valence, as METHODS §8.2 publishes them. */
const LEXICON: Readonly<Record<string, number>> = {
  ...{ moon: 2, moons: 2, gem: 1.8, lfg: 1.5, wagmi: 1.8, bullish: 2, ath: 1.3 },
  ...{ rug: -3.2, rugged: -3.2, honeypot: -3.2, scam: -3, rekt: -2.5, ngmi: -1.8, dumped: -1.8 },
  ...{ jeets: -1.6, bundled: -1.6, cooked: -1.5, farmed: -1.2 },
  ...{ '🚀': 1.8, '💎': 1.2, '📉': -1.5, '🤡': -1.8 },
};

function valence(text: string): number {
  const words = text.toLowerCase().match(/\p{L}+|\p{Emoji_Presentation}/gu) ?? [];
  return words.reduce((sum, word) => sum + (LEXICON[word] ?? 0), 0);
}

describe('composed texts', () => {
  test('name the token, replace every placeholder, and have the sentiment of the tone', () => {
    const random = new Random('tones');
    const sign = { euphoric: 1, bullish: 1, neutral: 0, bearish: -1, furious: -1 } as const;
    for (const lang of LANGUAGES) {
      for (const tone of TONES) {
        for (let draw = 0; draw < 60; draw++) {
          const composed = composeOpinion(random, lang, tone, '$TOKEN');
          expect(composed.text).toContain('$TOKEN');
          expect(composed.text).not.toMatch(/[{}]/);
          expect(composed.lang).toBe(lang);
          expect(Math.sign(composed.sentiment)).toBe(sign[tone]);
          expect(Math.abs(composed.sentiment)).toBeLessThanOrEqual(1);
        }
      }
    }
  });

  test('agree with the published crypto terms if they contain some', () => {
    const random = new Random('lexicon');
    const mean = (tone: Tone) => {
      const valences = Array.from({ length: 400 }, () =>
        valence(composeOpinion(random, 'en', tone, '$TOKEN').text),
      );
      return valences.reduce((sum, each) => sum + each, 0) / valences.length;
    };
    expect(mean('euphoric')).toBeGreaterThan(0.5);
    expect(Math.abs(mean('neutral'))).toBeLessThan(0.1);
    expect(mean('furious')).toBeLessThan(-1);
  });

  test('number in the thousands', () => {
    const random = new Random('variety');
    const texts = new Set<string>();
    for (let draw = 0; draw < 5_000; draw++) {
      texts.add(composeOpinion(random, 'en', random.pick(TONES), '$TOKEN').text);
    }
    expect(texts.size).toBeGreaterThan(4_900);
  });

  test('of other kinds name the given tokens and have the intended sentiment', () => {
    const random = new Random('kinds');
    for (let draw = 0; draw < 50; draw++) {
      expect(composeCall(random, 'en', '$TOKEN').sentiment).toBeGreaterThanOrEqual(0.8);
      const sarcasm = composeSarcasm(random, '$TOKEN');
      expect(sarcasm.text).toContain('$TOKEN');
      expect(sarcasm.sentiment).toBeLessThan(-0.5);
      const spam = composeSpam(random, ['$ONE', '$TWO']);
      expect(spam.text).toContain('$ONE $TWO');
      expect(spam.sentiment).toBe(0);
      const rotation = composeRotation(random, '$FROM', '$INTO');
      expect(rotation.text.indexOf('$FROM')).toBeLessThan(rotation.text.indexOf('$INTO'));
      expect(composeOffTopic(random).text).not.toMatch(/[{}]/);
    }
  });

  test('insert a mention unchanged, even one that looks like a placeholder', () => {
    const random = new Random('braces');
    for (const mention of ['{n}{k}', '$&', '$1', '{m}{f}']) {
      expect(composeOpinion(random, 'en', 'neutral', mention).text).toContain(mention);
      expect(composeRaid(random, mention, '@x').text).toContain(mention);
      expect(composeRotation(random, '$FROM', mention).text).toContain(mention);
    }
  });

  test('are copied verbatim or nearly so', () => {
    const random = new Random('copies');
    const { text } = composeRaid(random, 'MINT', '@handle');
    const words = (copy: string) => copy.toLowerCase().match(/[\p{L}\p{N}@]+/gu);
    const copies = Array.from({ length: 300 }, () => copyOf(random, text));
    for (const copy of copies) expect(words(copy)).toEqual(words(text));
    expect(copies.filter((copy) => copy === text).length).toBeGreaterThan(150);
    expect(new Set(copies).size).toBeGreaterThan(5);
  });
});
