import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseText, TEXT_LENGTH_MAX } from './normalise-text.ts';

describe('normaliseText', () => {
  it.each([
    ['zero width', 'ru\u200bg p\u200du\u2060ll\ufeff', 'rug pull'],
    ['fillers without ink', 'r\u3164u\u115fg\u2800', 'rug'],
    ['soft hyphens and directions', '\u202er\u00adug\u202c', 'rug'],
    ['marks that strike letters out', 'r\u0336u\u0336g\u0336', 'rug'],
    ['Cyrillic among Latin letters', 'ѕсаm', 'scam'],
    ['a word of lookalikes alone', 'a сосо', 'a coco'],
    ['full width', 'ｒｕｇ', 'rug'],
    ['letters of mathematics', '𝗿𝘂𝗴 𝓻𝓾𝓰', 'rug rug'],
    ['letters in circles and boxes', 'ⓡⓤⓖ 🅁🅄🄶 🆁🆄🅶', 'rug RUG rug'],
    ['small capitals', 'ʀᴜɢ', 'rug'],
    ['an emoji flood', '🚀'.repeat(500), '🚀🚀🚀'],
    ['floods of several emoji', '🚀💎'.repeat(9), '🚀💎🚀💎🚀💎'],
  ])('undoes %s', (_, text, normal) => {
    expect(normaliseText(text)).toBe(normal);
  });

  it.each([
    'plain words, $SOL 5%',
    'луна скоро',
    'оса и кот',
    'すぐに月へ',
    'η αγορα',
    '한국어 말',
  ])('leaves %s as it is', (text) => {
    expect(normaliseText(text)).toBe(text);
  });

  it('is bounded, and changes nothing when it is repeated', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const normal = normaliseText(text);
        expect(normal.length).toBeLessThanOrEqual(TEXT_LENGTH_MAX);
        expect(normaliseText(normal)).toBe(normal);
      }),
    );
    // One character that decomposes into eighteen.
    expect(normaliseText('\ufdfa'.repeat(4_000)).length).toBeLessThanOrEqual(TEXT_LENGTH_MAX);
  });
});
