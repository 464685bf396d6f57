import { describe, expect, test } from 'vitest';
import { createRequestId } from './request-id.ts';

describe('request id', () => {
  const name = createRequestId();
  const given = (id: string) => name(id);

  test('is the client’s own when it is short and plain', () => {
    expect(given('trace:7f3a-1.b_2')).toBe('trace:7f3a-1.b_2');
    expect(given('x'.repeat(64))).toBe('x'.repeat(64));
  });

  test.each(['', 'x'.repeat(65), 'a b', 'a"b', 'a\nb', 'a,b', 'é', '<b>'])(
    'is generated instead of %j',
    (id) => {
      expect(given(id)).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
    },
  );

  test('differs between requests and between starts', () => {
    const ids = [name, name, createRequestId()].map((next) => next(undefined));
    expect(new Set(ids).size).toBe(3);
  });
});
