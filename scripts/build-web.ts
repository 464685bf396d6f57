/**
 * Builds the dashboard into web/dist: types of the API from its OpenAPI document, then the page with
 * its files compressed, and the list of its paths for the service.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import openapiTS, { astToString } from 'openapi-typescript';
import { build } from 'vite';
import { answerHelp } from './answer-help.ts';

answerHelp(`Builds the dashboard into web/dist, with the types of the API from docs/openapi.json.

Example:
  npm run web:build`);

const GENERATED = resolve('web/generated');
const DIST = resolve('web/dist');
/** Written by `npm run openapi`; a test compares it with what is served. */
const OPENAPI = resolve('docs/openapi.json');
const COMPRESSED = ['.js', '.css', '.html', '.svg'];

await writeTypes();
await build({ configFile: resolve('web/vite.config.ts'), logLevel: 'warn' });
// Not imported by name: the page's sources are compiled with settings of their own.
const { PAGES } = (await import(pathToFileURL(resolve('web/src/pages/registry.ts')).href)) as {
  readonly PAGES: readonly { readonly patterns: readonly string[] }[];
};
const paths = PAGES.flatMap(({ patterns }) => patterns);
writeFileSync(join(DIST, 'paths.json'), `${JSON.stringify(paths.toSorted())}\n`);
compress();

async function writeTypes(): Promise<void> {
  mkdirSync(GENERATED, { recursive: true });
  const types = await openapiTS(withoutErrors(readFileSync(OPENAPI, 'utf8')));
  writeFileSync(join(GENERATED, 'api.d.ts'), astToString(types));
}

/** Failures have one shape, and headers are read by name: their types would be most of the file. */
function withoutErrors(text: string) {
  return JSON.parse(text, (name, value) => {
    if (name === 'headers') return undefined;
    if (name !== 'responses' || value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).filter(([status]) => /^2/.test(status)));
  });
}

/** Compressed once here, so that the service does not need to. */
function compress(): void {
  for (const entry of readdirSync(DIST, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !COMPRESSED.includes(extname(entry.name))) continue;
    const path = join(entry.parentPath, entry.name);
    const plain = readFileSync(path);
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
    writeFileSync(`${path}.br`, brotliCompressSync(plain, quality));
    writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9 }));
  }
}
