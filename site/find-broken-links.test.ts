import { describe, expect, test } from 'vitest';
import { findBrokenLinks } from './find-broken-links.ts';

const page = (body: string) => `<!doctype html><html><body>${body}</body></html>`;

describe('findBrokenLinks', () => {
  test('accepts pages, anchors, files, paths of the service and addresses of others', () => {
    const files = new Map<string, string | Uint8Array>([
      [
        '/docs/',
        page(
          '<h1 id="top">x</h1><a href="/docs/a#one">a</a><a href="#top">b</a><img src="/docs/p.png">' +
            '<a href="/docs/api/">c</a><a href="/openapi.json">d</a><a href="https://example.com/#x">e</a>',
        ),
      ],
      ['/docs/a', page('<h2 id="one">x</h2><a href="/docs/#top">b</a>')],
      ['/docs/p.png', Buffer.of(1)],
    ]);
    expect(findBrokenLinks(files)).toEqual([]);
  });

  test.each([
    '<a href="/docs/b">x</a>',
    '<a href="/docs/a#two">x</a>',
    '<a href="#nowhere">x</a>',
    '<img src="/docs/q.png">',
    '<script src="/docs/assets/old.js"></script>',
    '<a class="x" href="/v1/secret">x</a>',
  ])('names %s', (body) => {
    const files = new Map([
      ['/docs/', page(body)],
      ['/docs/a', page('<h2 id="one">x</h2>')],
    ]);
    const [reference] = /(?<=(?:href|src)=")[^"]*/.exec(body) ?? [];
    expect(findBrokenLinks(files)).toEqual([`/docs/: ${reference}`]);
  });
});
