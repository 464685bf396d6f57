import { describe, expect, it } from 'vitest';
import { readDataUrl } from './data-url.ts';

describe('readDataUrl', () => {
  it.each([
    ['data:application/json;base64,eyJhIjoxfQ==', 'application/json', '{"a":1}'],
    ['data:,a%20b', 'text/plain', 'a b'],
    ['DATA:text/html;charset=utf-8,%3Cb%3E', 'text/html;charset=utf-8', '<b>'],
  ])('reads %s', (url, contentType, text) => {
    const content = readDataUrl(url, 100);
    expect(content).toMatchObject({ kind: 'data', contentType });
    expect(content?.kind === 'data' && Buffer.from(content.body).toString()).toBe(text);
  });

  it('rejects a URL that is too large, badly encoded or without a comma', () => {
    expect(readDataUrl(`data:,${'a'.repeat(11)}`, 10)).toMatchObject({ reason: 'body-too-large' });
    expect(readDataUrl(`data:,${'a'.repeat(10)}`, 10)).toMatchObject({ kind: 'data' });
    expect(readDataUrl('data:,%zz', 10)).toMatchObject({ reason: 'broken-answer' });
    expect(readDataUrl('data:text/plain', 10)).toMatchObject({ reason: 'bad-url' });
  });

  it('returns null for other URLs', () => {
    expect(readDataUrl('https://example.com/', 10)).toBeNull();
  });
});
