import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupTerms } from './term-groups.ts';

const FORM = { start: '(', joiner: ' OR ', end: ')', lengthMax: 20, groupsMax: 2 };

function terms(...queries: string[]) {
  return queries.map((query) => ({ key: `key ${query}`, query }));
}

describe('groups of terms', () => {
  it('are as few as the order allows, and never exceed the query length', () => {
    // "(aaaaaa OR bbbbbb)" has 18 characters; with " OR c" it would have 23.
    expect(groupTerms(terms('aaaaaa', 'bbbbbb', 'c'), FORM)).toEqual({
      left: 0,
      groups: [
        { keys: ['key aaaaaa', 'key bbbbbb'], query: '(aaaaaa OR bbbbbb)' },
        { keys: ['key c'], query: '(c)' },
      ],
    });
  });

  it('count the terms that do not fit', () => {
    const long = 'x'.repeat(18);
    expect(groupTerms(terms(long, `${long}x`, long, long, 'y'), FORM)).toMatchObject({
      left: 3,
      groups: [{ query: `(${long})` }, { query: `(${long})` }],
    });
  });

  it('contain every term at most once', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 25 }), { maxLength: 30 });
    fc.assert(
      fc.property(lengths, (sizes) => {
        const given = sizes.map((size, at) => ({ key: `${at}`, query: 'x'.repeat(size) }));
        const { groups, left } = groupTerms(given, FORM);
        const keys = groups.flatMap((group) => group.keys);
        expect(new Set(keys).size).toBe(keys.length);
        expect(keys.length + left).toBe(given.length);
        for (const { query } of groups) expect(query.length).toBeLessThanOrEqual(20);
        expect(groups.length).toBeLessThanOrEqual(2);
      }),
    );
  });
});
