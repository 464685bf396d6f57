import { describe, expect, test } from 'vitest';
import { renderMarkdown } from './render-markdown.ts';

const htmlOf = (markdown: string) => renderMarkdown(markdown).html;

describe('renderMarkdown', () => {
  test.each([
    ['<script>alert(1)</script>', '&lt;script&gt;'],
    ['a <b onclick="x()">b</b>', '&lt;b onclick=&quot;x()&quot;&gt;'],
    ['`<i>`', '<code>&lt;i&gt;</code>'],
    ['```html\n<p>"&"</p>\n```', '&lt;p&gt;&quot;&amp;&quot;&lt;/p&gt;'],
    ['| a |\n|---|\n| <u>x |', '&lt;u&gt;x'],
    ['# <em>t', '&lt;em&gt;t'],
  ])('shows HTML in %s as text', (markdown, shown) => {
    const html = htmlOf(markdown);
    expect(html).toContain(shown);
    expect(html).not.toMatch(/<(script|b|i|u|em)[ >]/);
  });

  test('shows text that looks like an entity as it is written', () => {
    expect(htmlOf('`&lt;` and a & b')).toContain('<code>&amp;lt;</code> and a &amp; b');
  });

  test('leaves out comments', () => {
    expect(htmlOf('a\n\n<!-- made by a script -->\n\nb')).not.toContain('made by');
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    '//other.example/x',
    'other.md',
    'mailto:a@b.c',
  ])('refuses the link %s', (href) => {
    expect(() => htmlOf(`[x](${href})`)).toThrow('leads to no page');
  });

  test('leads to the HTML of pages, in its text to their Markdown', () => {
    const html = htmlOf(
      '[a](/docs/products/fraud.md#links) [b](/docs/index.md) [c](#x) [d](/docs/api/)',
    );
    const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    expect(hrefs).toEqual(['/docs/products/fraud#links', '/docs/', '#x', '/docs/api/']);
  });

  test('gives headings the anchors of GitHub, numbered where they repeat', () => {
    const { headings, html } = renderMarkdown(
      '# Ports, volumes, environment\n## `GET /v1/x`\n## A\n## A\n> ## In a quotation\n\n### Ünder_score-s',
    );
    expect(headings.map(({ id }) => id)).toEqual([
      'ports-volumes-environment',
      'get-v1x',
      'a',
      'a-1',
      'ünder_score-s',
    ]);
    expect(html).toContain('<h2 id="a-1">');
    expect(html).not.toMatch(/<h2[^>]*>In a quotation/);
  });

  test('divides the text by headings, without markup, for the search', () => {
    const { sections } = renderMarkdown(
      '# Title\nOne **bold** `code`.\n## Part\n| a | b |\n|---|---|\n| 1 | [x](#y) |\n\n- item',
    );
    expect(sections).toEqual([
      { id: '', title: 'Title', text: 'One bold code.' },
      { id: 'part', title: 'Part', text: 'a b 1 x item' },
    ]);
  });
});
