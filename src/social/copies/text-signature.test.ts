import { describe, expect, it } from 'vitest';
import { shinglesOf, textSignature } from './text-signature.ts';

const RAID = 'this one is going to the moon, do not miss it, buy before the listing tomorrow';

describe('textSignature', () => {
  it.each([
    ['link, handle and capitals', `@you ${RAID.toUpperCase()} @me https://a.b/1`],
    ['punctuation', `${RAID.replaceAll(',', '!!!')} ...`],
    ['emoji', `🚀🚀 ${RAID} 💎`],
    ['numbers and tickers', `$ABC 100x ${RAID} 24 7`],
    ['order of words', RAID.split(' ').toReversed().join(' ')],
    ['invisible letters', [...RAID].join('\u200b')],
    ['lookalikes', RAID.replaceAll('o', 'о').replaceAll('e', 'е')],
    ['elongations', RAID.replaceAll('o', 'ooo')],
    ['letters of mathematics', RAID.replaceAll('m', '𝗺')],
    ['strikes', [...RAID].join('\u0336')],
  ])('is the same for copies that differ in %s', (_, copy) => {
    expect(textSignature(copy)).toEqual(textSignature(RAID));
  });

  it('differs for other texts in nearly all bytes', () => {
    const one = textSignature(RAID) ?? new Uint8Array();
    const other = textSignature('cats sleep wherever warm sunlight falls during autumn') ?? one;
    const equal = one.filter((byte, at) => byte === other[at]).length;
    expect(equal).toBeLessThan(8);
  });

  it('of an empty text, or of a link alone, is null', () => {
    expect(textSignature('')).toBeNull();
    expect(textSignature(' https://a.b/c !!')).toBeNull();
    expect(textSignature('\u200b\u3164')).toBeNull();
  });

  it('of emoji or tickers alone is that of these', () => {
    expect(textSignature('🚀🚀')).toEqual(textSignature('🚀'));
    expect(textSignature('🚀')).not.toEqual(textSignature('📉'));
    expect(textSignature('$ABC')).not.toEqual(textSignature('$XYZ'));
  });

  it('does not depend on the addresses of tokens that a text names', () => {
    const [one, other] = ['So11111111111111111111111111111111111111112', `${'x'.repeat(43)}9`];
    expect(textSignature(`fair enough ${one}`)).toEqual(textSignature(`fair enough ${other}`));
    expect(textSignature(`fair enough ${one}`)).not.toEqual(textSignature(`good indeed ${one}`));
    expect(textSignature(one)).not.toEqual(textSignature(other));
  });
});

it('shingles are pieces of four letters within words, with their ends', () => {
  // " moo", "moon", "oon " become " mon", "mon " once repeated letters are cut.
  expect(shinglesOf('🚀 wonderful wonderful performance ahead').size).toBe(8 + 10 + 4);
});
