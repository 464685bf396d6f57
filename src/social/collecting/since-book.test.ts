import { describe, expect, it } from 'vitest';
import { SinceBook } from './since-book.ts';

const MARKS = { fresh: 100n, oldest: 10n };

describe('search marks', () => {
  it('start a query at the oldest mark of its terms, a new term at the mark for new ones', () => {
    const book = new SinceBook({ a: '50', b: '70' });
    expect(book.startOf(['a', 'b', 'new'], MARKS)).toEqual({ since: 50n, isGap: false });
    expect(book.startOf(['new'], { ...MARKS, fresh: 200n })).toEqual({ since: 100n, isGap: false });
  });

  it('report a gap when a mark is older than the platform can search', () => {
    const book = new SinceBook({ a: '5' });
    expect(book.startOf(['a'], MARKS)).toEqual({ since: 10n, isGap: true });
    expect(book.startOf(['a'], MARKS)).toEqual({ since: 10n, isGap: false });
  });

  it('never decrease, and are exact beyond 2^53', () => {
    const book = new SinceBook({});
    book.advance(['a'], 1_900_000_000_000_000_001n);
    book.advance(['a'], 5n);
    const kept: unknown = JSON.parse(JSON.stringify(book.entries()));
    expect(new SinceBook(kept).startOf(['a'], MARKS).since).toBe(1_900_000_000_000_000_001n);
  });

  it('drop terms that are no longer searched, and ignore invalid marks', () => {
    const book = new SinceBook({ a: '1000', b: '1000', c: -4, d: '1e9', e: null });
    book.keepOnly(['b', 'c']);
    expect(book.entries()).toEqual({ b: '1000' });
    expect(new SinceBook('text').entries()).toEqual({});
  });
});
