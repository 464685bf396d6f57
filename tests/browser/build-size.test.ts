import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

const DIST = resolve('web/dist');
const BYTES_MAX = 150 * 1_024;

/** Script files of the built page that a file needs before it runs, itself included. */
function scriptsOf(entries: readonly string[]): ReadonlySet<string> {
  const scripts = new Set(entries);
  for (const path of scripts) {
    const text = readFileSync(join(DIST, path), 'utf8');
    for (const [, name = ''] of text.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)) {
      scripts.add(`assets/${name}`);
    }
  }
  return scripts;
}

describe.skipIf(!existsSync(DIST))('the built dashboard', () => {
  test('needs at most 150 kB of script, compressed, for the first page', () => {
    const page = readFileSync(join(DIST, 'index.html'), 'utf8');
    const ofFrame = [...page.matchAll(/(?:src|href)="\/([\w/-]+\.js)"/g)].map(
      ([, path = '']) => path,
    );
    const [main = ''] = ofFrame.filter((path) => path.startsWith('assets/index-'));
    const [, market = ''] =
      /\/market[\s\S]{0,200}?import\(["`]\.\/(page-[\w-]+\.js)/.exec(
        readFileSync(join(DIST, main), 'utf8'),
      ) ?? [];
    expect(market).not.toBe('');
    const scripts = scriptsOf([...ofFrame, `assets/${market}`]);
    let bytes = 0;
    for (const path of scripts) bytes += gzipSync(readFileSync(join(DIST, path))).length;
    expect(scripts.size).toBeGreaterThan(3);
    expect(bytes).toBeLessThanOrEqual(BYTES_MAX);
  });

  test('has nothing inline in its page', () => {
    const page = readFileSync(join(DIST, 'index.html'), 'utf8');
    expect(page).not.toMatch(/<style|style=|<script>|\son\w+=/);
    expect(
      [...page.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, text]) => text),
    ).toEqual(['', '']);
  });
});
