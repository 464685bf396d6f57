import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { siteFileOf } from '../../../site/site-file.ts';
import { readDocSite } from './doc-site.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'mintscope-docs-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe('readDocSite', () => {
  test('is null for a folder that does not exist or holds no build', () => {
    expect(readDocSite('/nowhere')).toBeNull();
    expect(readDocSite(folderWith({ 'index.html': '<!doctype html>' }))).toBeNull();
  });

  test('reads what the build writes, at the addresses that the build means', () => {
    const urls = [
      '/docs/',
      '/docs/index.md',
      '/docs/products/fraud',
      '/docs/products/fraud.md',
      '/docs/assets/site-abc.js',
      '/docs/assets/search-abc.json',
      '/docs/pictures/market.png',
      '/llms.txt',
    ];
    const site = readDocSite(
      folderWith({
        ...Object.fromEntries(urls.map((url) => [siteFileOf(url), url])),
        'products/fraud.html.gz': 'short',
        'left-behind.bin': 'x',
      }),
    );
    expect([...(site?.files.keys() ?? [])].sort()).toEqual(
      urls.filter((url) => url !== '/llms.txt').sort(),
    );
    for (const [url, { plain }] of site?.files ?? []) expect(String(plain)).toBe(url);
    expect(site?.list).toMatchObject({ plain: Buffer.from('/llms.txt'), isImmutable: false });
    expect(site?.files.get('/docs/products/fraud')).toMatchObject({
      contentType: 'text/html; charset=utf-8',
      isImmutable: false,
      gzip: Buffer.from('short'),
    });
    expect(site?.files.get('/docs/assets/site-abc.js')).toMatchObject({ isImmutable: true });
  });
});
