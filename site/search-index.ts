import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS, type SearchEntry } from './browser/search-options.ts';
import type { Section } from './markdown/render-markdown.ts';
import { pageUrl, type SitePage } from './site-page.ts';

const EXCERPT_MAX = 80;

/** The index of all sections, as JSON that `MiniSearch.loadJSON` reads. */
export function searchIndex(
  pages: readonly { readonly page: SitePage; readonly sections: readonly Section[] }[],
): string {
  const index = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  index.addAll(
    pages.flatMap(({ page, sections }) =>
      sections.map(({ id, title, text }) => ({
        id: `${pageUrl(page.path)}${id === '' ? '' : `#${id}`}`,
        title,
        page: page.title,
        text,
        excerpt: text.length <= EXCERPT_MAX ? text : `${text.slice(0, EXCERPT_MAX).trimEnd()}…`,
      })),
    ),
  );
  return JSON.stringify(index);
}
