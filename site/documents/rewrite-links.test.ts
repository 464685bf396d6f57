import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findDocuments } from './documents.ts';
import { linkedFiles, rewriteLinks } from './rewrite-links.ts';

const DOCUMENTS = new Map([
  ['README.md', 'readme'],
  ['docs/install.md', 'install'],
  ['docs/products/README.md', 'products'],
  ['docs/products/fraud.md', 'products/fraud'],
]);

describe('rewriteLinks', () => {
  test.each([
    ['[a](fraud.md)', '[a](/docs/products/fraud.md)'],
    ['[a](../install.md#ports)', '[a](/docs/install.md#ports)'],
    ['[a](../../README.md#command-line)', '[a](/docs/readme.md#command-line)'],
    ['[a](README.md)', '[a](/docs/products.md)'],
    ['[`code`](fraud.md)', '[`code`](/docs/products/fraud.md)'],
    ['[[x]](fraud.md)', '[[x]](/docs/products/fraud.md)'],
    ['![p](../pictures/market.png)', '![p](/docs/pictures/market.png)'],
    ['[a](https://example.com/a.md)', '[a](https://example.com/a.md)'],
    ['[a](#here)', '[a](#here)'],
    ['[a](/docs/programs.md)', '[a](/docs/programs.md)'],
  ])('%s leads to its page', (markdown, expected) => {
    expect(rewriteLinks(markdown, 'docs/products/alerts.md', DOCUMENTS)).toBe(expected);
  });

  test('makes a link to a file of the repository its text', () => {
    const text = 'see [`registry.ts`](../../src/fraud/detect/registry.ts).';
    expect(rewriteLinks(text, 'docs/products/alerts.md', DOCUMENTS)).toBe('see `registry.ts`.');
  });

  test.each(['`[a](fraud.md)`', '```sh\n[a](fraud.md)\n```\n', '``a ` [b](fraud.md)``'])(
    'leaves code as it is: %s',
    (code) => {
      expect(rewriteLinks(code, 'docs/products/alerts.md', DOCUMENTS)).toBe(code);
    },
  );
});

test('every file that a document links to exists', () => {
  const missing = [...findDocuments('.').keys()].flatMap((file) =>
    linkedFiles(readFileSync(file, 'utf8'), file)
      .filter((linked) => !existsSync(linked))
      .map((linked) => `${file}: ${linked}`),
  );
  expect(missing).toEqual([]);
});
