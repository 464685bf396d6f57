import { describe, expect, it } from 'vitest';
import { linkPages, officialPage } from './official-page.ts';

describe('officialPage', () => {
  it.each([
    ['https://x.com/Foo', 'x.com/foo', 'foo'],
    ['http://www.twitter.com/Foo/?s=21', 'x.com/foo', 'foo'],
    ['@Foo', 'x.com/foo', 'foo'],
    ['t.me/foo_chat', 't.me/foo_chat', 'foo_chat'],
    ['https://www.tiktok.com/@foo', 'tiktok.com/@foo', 'foo'],
    // A post of another account, or a community, is not the token's own account.
    ['https://x.com/famous/status/1', 'x.com/famous/status/1', null],
    ['https://x.com/i/communities/77', 'x.com/i/communities/77', null],
    ['https://foo.example', 'foo.example', null],
    ['https://github.com/foo/foo#read', 'github.com/foo/foo', null],
  ])('reads %s', (link, page, handle) => {
    expect(officialPage(link)).toEqual({ page, handle });
  });

  it.each([
    'https://x.com',
    'https://x.com/home',
    'https://google.com/',
    'javascript:alert(1)',
    'https://localhost/a',
    '',
    `https://foo.example/${'a'.repeat(3_000)}`,
  ])('takes nothing from %s', (link) => {
    expect(officialPage(link)).toBeNull();
  });
});

describe('linkPages', () => {
  it('lists the pages from the link to the host, ignoring user information before the host', () => {
    expect(linkPages('https://x.com@foo.example/A/b.?x=1#y')).toEqual([
      'foo.example/a/b',
      'foo.example/a',
      'foo.example',
    ]);
    expect(linkPages('not a link')).toEqual([]);
  });
});
