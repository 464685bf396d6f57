import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** One file of the built dashboard, in memory. */
export interface DashboardFile {
  readonly contentType: string;
  readonly etag: string;
  /** Whether its name contains a hash of its content, so that it never changes. */
  readonly isImmutable: boolean;
  readonly plain: Buffer;
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
}

/** The built dashboard. */
export interface Dashboard {
  /** Paths of the page, as route patterns; the first one is `/`. */
  readonly paths: readonly string[];
  readonly page: DashboardFile;
  /** All other files, by path. */
  readonly files: ReadonlyMap<string, DashboardFile>;
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
  const files = new Map<string, DashboardFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const contentType = CONTENT_TYPES[extname(entry.name)];
    if (!entry.isFile() || contentType === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const url = path.slice(folder.length).replaceAll('\\', '/').replace(/^\/*/, '/');
    files.set(url, readFile(path, contentType, url.startsWith(HASHED_FOLDER)));
  }
  const page = files.get(`/${PAGE}`);
  if (page === undefined) return null;
  files.delete(`/${PAGE}`);
  const paths = JSON.parse(readFileSync(join(folder, PATHS), 'utf8')) as string[];
  return { paths, page, files };
}

function readFile(path: string, contentType: string, isImmutable: boolean): DashboardFile {
  const plain = readFileSync(path);
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  const compressed = (ending: string) =>
    existsSync(`${path}${ending}`) ? readFileSync(`${path}${ending}`) : null;
  const etag = `"${hash}"`;
  return { contentType, etag, isImmutable, plain, br: compressed('.br'), gzip: compressed('.gz') };
}

export type Encoding = 'br' | 'gzip' | 'identity';

/** The shortest stored encoding that the request accepts. */
export function chooseEncoding(
  accepted: string | undefined,
  { br, gzip }: Pick<DashboardFile, 'br' | 'gzip'>,
): Encoding {
  const accepts = (name: string) =>
    (accepted ?? '').split(',').some((part) => {
      const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      return coding === name && !parameters.some((text) => /^q=0(\.0*)?$/.test(text));
    });
  if (br !== null && accepts('br')) return 'br';
  return gzip !== null && accepts('gzip') ? 'gzip' : 'identity';
}
