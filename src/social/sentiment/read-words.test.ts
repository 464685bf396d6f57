import { describe, expect, it } from 'vitest';
import { TEXT_LENGTH_MAX } from '../text/normalise-text.ts';
import { readWords } from './read-words.ts';

describe('readWords', () => {
  it.each([
    ['Check https://a.b/c now', ['check', '<url>', 'now']],
    ['@dev $SOL to $200', ['<user>', '<tag>', 'to', '$0']],
    ['up +12.5%, down -3% and 3x', ['up', '+0%', 'down', '-0%', 'and', '0x']],
    ["don't can’t", ['dont', 'cant']],
    ['sooooo goooood', ['soo', 'good']],
    ['nice!!! what?! hm...', ['nice', '!!!', 'what', '?!', 'hm', '...']],
    ['🚀🚀 :) &amp; <3', ['🚀', '🚀', ':)', '<3']],
    ['луна 月', ['луна', '月']],
    ['', []],
  ])('reads %j', (text, words) => {
    expect(readWords(text).words).toEqual(words);
  });

  it('keeps tickers in lower case, once per mention', () => {
    expect(readWords('$TSLA and $tsla').tags).toEqual(['$tsla', '$tsla']);
  });

  it('marks words in capitals, and whether there are others', () => {
    expect(readWords('BUY it I')).toMatchObject({
      shouted: [true, false, false],
      isMixedCase: true,
    });
    expect(readWords('BUY IT').isMixedCase).toBe(false);
  });

  it('reads a bounded part of a text, and never throws', () => {
    expect(readWords('a '.repeat(10_000)).words).toHaveLength(TEXT_LENGTH_MAX / 2);
    expect(() => readWords('\u0000\ud800 \u202e<img onerror=x>'.repeat(50))).not.toThrow();
  });
});
