/** Parts of the navigation, in their order. */
export const GROUPS = [
  'Start',
  'Guides',
  'Products',
  'API',
  'Reference',
  'Operation',
  'Quality',
  'Project',
  'Decisions',
] as const;

export type Group = (typeof GROUPS)[number];

/** One page of the site, as HTML at `/docs/<path>` and as Markdown at `/docs/<path>.md`. */
export interface SitePage {
  /** Without ending, as `products/fraud`; `index` for the page at `/docs/`. */
  readonly path: string;
  readonly group: Group;
  readonly title: string;
  /** What the page is about, for lists of pages: its first paragraph as plain text, shortened. */
  readonly summary: string;
  /** Links to other pages are `/docs/<path>.md`. */
  readonly markdown: string;
}

/** Where the site is served. */
export const SITE_ROOT = '/docs';

/** Address of the HTML of a page. */
export function pageUrl(path: string): string {
  return path === 'index' ? `${SITE_ROOT}/` : `${SITE_ROOT}/${path}`;
}

/** Address of the Markdown of a page. */
export function markdownUrl(path: string): string {
  return `${SITE_ROOT}/${path}.md`;
}
