/**
 * Builds the documentation site into docs/dist: pages from docs/, from the registries of the code and
 * from docs/openapi.json, each as HTML and as Markdown, with their search index, compressed.
 *
 *     node scripts/build-site.ts [folder]
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build, type Rollup, transformWithOxc } from 'vite';
import type { OpenApi } from '../site/cards/open-api.ts';
import { makeSite } from '../site/make-site.ts';
import { siteFileOf } from '../site/site-file.ts';
import { answerHelp } from './answer-help.ts';

answerHelp(`Builds the documentation site.

  npm run site:build -- [folder]      docs/dist by default

Example:
  npm run site:build`);

const ROOT = resolve(import.meta.dirname, '..');
const BROWSER = join(ROOT, 'site/browser');
/** In their order: what narrows the window comes last. */
const STYLES = ['frame.css', 'content.css', 'search.css', 'windows.css'];
/** What the service reads into memory when it starts, at most. */
const BYTES_MAX = 8 * 1_048_576;

const folder = resolve(process.argv[2] ?? join(ROOT, 'docs/dist'));
const files = await makeSite({
  root: ROOT,
  openApi: JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as OpenApi,
  browserFiles: new Map([
    ['theme.js', await buildTheme()],
    ['site.js', await buildScript()],
    ['site.css', STYLES.map((name) => readFileSync(join(BROWSER, name), 'utf8')).join('\n')],
    ['icon.svg', readFileSync(join(ROOT, 'web/public/icon.svg'), 'utf8')],
  ]),
});
rmSync(folder, { recursive: true, force: true });
let bytes = 0;
for (const [url, content] of files) {
  const path = join(folder, siteFileOf(url));
  mkdirSync(dirname(path), { recursive: true });
  const plain = Buffer.from(content);
  writeFileSync(path, plain);
  bytes += plain.length;
}
if (bytes > BYTES_MAX) {
  throw new Error(`The site has ${bytes} bytes, the maximum is ${BYTES_MAX}.`);
}
console.log(`${folder}: ${files.size} files, ${(bytes / 1e6).toFixed(1)} MB`);

/** Runs before the page is drawn, so it is no module. */
async function buildTheme(): Promise<string> {
  const path = join(BROWSER, 'theme.ts');
  return (await transformWithOxc(readFileSync(path, 'utf8'), path)).code;
}

/** The script with the search library, as one module. */
async function buildScript(): Promise<string> {
  const output = (await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      minify: true,
      lib: { entry: join(BROWSER, 'site.ts'), formats: ['es'] },
    },
  })) as Rollup.RollupOutput[];
  const chunk = output[0]?.output[0];
  if (chunk === undefined) throw new Error('The script of the site could not be built.');
  return chunk.code;
}
