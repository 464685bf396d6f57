import { describe, expect, test } from 'vitest';
import { address } from '../../tests/support/build-transaction.ts';
import { expectedHitsProblem } from './expected-hits.ts';

const [cat, dog] = [address('cat'), address('dog')];
const hitsOf = (...mints: (typeof cat)[]) => mints.map((mint) => ({ mint }));

describe('the hits that a test by slots expects', () => {
  test('are none, and then one hit is too many and named', () => {
    expect(expectedHitsProblem('none', { hits: [], subject: cat })).toBeNull();
    expect(expectedHitsProblem('none', { hits: hitsOf(cat, cat), subject: cat })).toBe(
      `It should have no hit and has 2, of ${cat}.`,
    );
  });

  test('are a least number, which one hit fewer misses', () => {
    const expected = { hits_at_least: 3 };
    expect(expectedHitsProblem(expected, { hits: hitsOf(cat, cat, dog), subject: cat })).toBeNull();
    expect(expectedHitsProblem(expected, { hits: hitsOf(cat, dog), subject: cat })).toBe(
      `It should have at least 3 hits and has 2, of ${cat}, ${dog}.`,
    );
    expect(expectedHitsProblem(expected, { hits: [], subject: cat })).toBe(
      'It should have at least 3 hits and has none.',
    );
  });

  test('are those of exactly the tokens, of which one may be the subject', () => {
    const both = { tokens: ['subject', dog] };
    expect(expectedHitsProblem(both, { hits: hitsOf(dog, cat, dog), subject: cat })).toBeNull();
    expect(expectedHitsProblem(both, { hits: hitsOf(dog), subject: cat })).toBe(
      `It should have hits of ${cat} and has none.`,
    );
    expect(
      expectedHitsProblem({ tokens: ['subject'] }, { hits: hitsOf(cat, dog), subject: cat }),
    ).toBe(`It has hits of other tokens: ${dog}.`);
  });

  test('have no subject in recorded slots', () => {
    const found = { hits: hitsOf(cat), subject: null };
    expect(expectedHitsProblem({ tokens: ['subject'] }, found)).toBe(
      'There is no subject in recorded slots: name the mint.',
    );
    expect(expectedHitsProblem({ tokens: [cat] }, found)).toBeNull();
  });

  test.each(['pass', 'fail', 'unknown'] as const)('are not %s, which is for features', (word) => {
    expect(expectedHitsProblem(word, { hits: [], subject: null })).toBe(
      'A test by slots expects none, or hits with hits_at_least or tokens.',
    );
  });
});
