import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { readStaticFile, type StaticFile } from './static-file.ts';

/** The built dashboard. */
export interface Dashboard {
  /** Paths of the page, as route patterns; the first one is `/`. */
  readonly paths: readonly string[];
  readonly page: StaticFile;
  /** All other files, by path. */
  readonly files: ReadonlyMap<string, StaticFile>;
}

const PAGE = 'index.html';
/** Paths of the page, written by the build from web/src/pages/registry.ts. */
const PATHS = 'paths.json';
const HASHED_FOLDER = '/assets/';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Reads the built dashboard; null if it was not built. */
export function readDashboard(folder: string): Dashboard | null {
  if (!existsSync(join(folder, PAGE)) || !existsSync(join(folder, PATHS))) return null;
  const files = new Map<string, StaticFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const contentType = CONTENT_TYPES[extname(entry.name)];
    if (!entry.isFile() || contentType === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const url = path.slice(folder.length).replaceAll('\\', '/').replace(/^\/*/, '/');
    files.set(url, readStaticFile(path, contentType, url.startsWith(HASHED_FOLDER)));
  }
  const page = files.get(`/${PAGE}`);
  if (page === undefined) return null;
  files.delete(`/${PAGE}`);
  const paths = JSON.parse(readFileSync(join(folder, PATHS), 'utf8')) as string[];
  return { paths, page, files };
}
