import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readDashboard } from './dashboard.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'mintscope-dashboard-'));
  folders.push(folder);
  mkdirSync(join(folder, 'assets'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const BUILT = {
  'index.html': '<!doctype html>',
  'paths.json': '["/","/token/:mint"]',
  'assets/app-abc.js': 'let a;',
  'assets/app-abc.js.br': 'short',
  'icon.svg': '<svg/>',
};

describe('readDashboard', () => {
  test('is null for a folder that does not exist or holds no build', () => {
    expect(readDashboard('/nowhere')).toBeNull();
    expect(readDashboard(folderWith({}))).toBeNull();
  });

  test('reads the page, its paths and its files with their compressed forms', () => {
    const dashboard = readDashboard(folderWith(BUILT));
    expect(dashboard?.paths).toEqual(['/', '/token/:mint']);
    expect(dashboard?.page).toMatchObject({ isImmutable: false, br: null });
    expect([...(dashboard?.files.keys() ?? [])].sort()).toEqual([
      '/assets/app-abc.js',
      '/icon.svg',
    ]);
    expect(dashboard?.files.get('/assets/app-abc.js')).toMatchObject({
      contentType: 'text/javascript; charset=utf-8',
      isImmutable: true,
      br: Buffer.from('short'),
    });
    expect(dashboard?.files.get('/icon.svg')).toMatchObject({ isImmutable: false });
  });

  test('has another ETag for other content', () => {
    const etagOf = (text: string) =>
      readDashboard(folderWith({ ...BUILT, 'index.html': text }))?.page.etag;
    expect(etagOf('a')).toMatch(/^"[\w-]{22}"$/);
    expect(etagOf('a')).toBe(etagOf('a'));
    expect(etagOf('a')).not.toBe(etagOf('b'));
  });
});
