import { existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { readStaticFile, type StaticFile } from './static-file.ts';

/**
 * The built documentation, in memory: at most 8 MiB, which the build enforces, and what is compressed
 * as gzip for clients that ask for it.
 */
export interface DocSite {
  /** Files by path, as `/docs/products/fraud`; the first page is `/docs/`. */
  readonly files: ReadonlyMap<string, StaticFile>;
  /** The list of all pages, for programs. */
  readonly list: StaticFile;
}

/** Served at the root of the service; everything else below it. */
const LIST = 'llms.txt';
const ROOT = '/docs';
const HASHED_FOLDER = '/docs/assets/';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** Reads the built documentation; null if it was not built. */
export function readDocSite(folder: string): DocSite | null {
  if (!existsSync(join(folder, 'index.html')) || !existsSync(join(folder, LIST))) return null;
  const files = new Map<string, StaticFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const contentType = CONTENT_TYPES[extname(entry.name)];
    if (!entry.isFile() || contentType === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const url = urlOf(path.slice(folder.length).replaceAll('\\', '/').replace(/^\/*/, '/'));
    files.set(url, readStaticFile(path, contentType, url.startsWith(HASHED_FOLDER)));
  }
  // Text of its own kind, so that browsers show it.
  return { files, list: readStaticFile(join(folder, LIST), 'text/plain; charset=utf-8', false) };
}

/** `/products/fraud.html` → `/docs/products/fraud`; all other files keep their ending. */
function urlOf(file: string): string {
  if (file === '/index.html') return `${ROOT}/`;
  return `${ROOT}${file.replace(/\.html$/, '')}`;
}
