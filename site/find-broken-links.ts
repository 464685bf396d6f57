import { SITE_ROOT } from './site-page.ts';

/** Paths of the service that pages may link to beside those of the site. */
const OF_SERVICE = new Set([
  '/',
  '/openapi.json',
  '/asyncapi.json',
  '/llms.txt',
  `${SITE_ROOT}/api/`,
]);

/**
 * Links, scripts, styles and pictures of HTML pages that lead to nothing: `files` has every file of
 * the site by its address. An anchor must be that of an element of its page.
 */
export function findBrokenLinks(
  files: ReadonlyMap<string, string | Uint8Array>,
): readonly string[] {
  const ids = new Map<string, ReadonlySet<string>>();
  for (const [url, content] of files) {
    if (isHtml(content)) ids.set(url, idsOf(content));
  }
  return [...files].flatMap(([url, content]) => {
    if (!isHtml(content)) return [];
    return referencesOf(content)
      .filter((reference) => !leadsSomewhere(reference, url, files, ids))
      .map((reference) => `${url}: ${reference}`);
  });
}

function isHtml(content: string | Uint8Array): content is string {
  return typeof content === 'string' && content.startsWith('<!doctype html>');
}

function idsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id));
}

function referencesOf(html: string): readonly string[] {
  const found = html.matchAll(/<[^>]*?\s(?:href|src|data-search-index)="([^"]*)"/g);
  return [...found].map(([, reference = '']) => reference.replaceAll('&amp;', '&'));
}

function leadsSomewhere(
  reference: string,
  from: string,
  files: ReadonlyMap<string, unknown>,
  ids: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  // Addresses of others are not requested.
  if (/^https?:\/\//.test(reference)) return true;
  const [path = '', anchor = ''] = reference.split('#', 2);
  const url = path === '' ? from : path;
  if (OF_SERVICE.has(url) && anchor === '') return true;
  return files.has(url) && (anchor === '' || ids.get(url)?.has(anchor) === true);
}
