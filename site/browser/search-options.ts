/** A section of a page, as it is found. */
export interface SearchEntry {
  /** Address with anchor. */
  readonly id: string;
  readonly title: string;
  /** Title of the page. */
  readonly page: string;
  readonly text: string;
  readonly excerpt: string;
}

/** Pages about how the service is made, which come after those about its use. */
const OF_DEVELOPMENT = /^\/docs\/(decisions|quality|changelog|contributing|architecture)\b/;

/** What is indexed and how, equal where the index is made and where it is searched. */
export const SEARCH_OPTIONS = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'excerpt'],
  // Names of endpoints and fields are found by their words.
  tokenize: (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [],
  searchOptions: {
    boost: { title: 4, page: 2 },
    // The last word may not be written to its end yet.
    prefix: (term: string, index: number, terms: readonly string[]) =>
      index === terms.length - 1 && term.length >= 2,
    fuzzy: (term: string) => (term.length >= 5 ? 0.2 : false),
    combineWith: 'AND' as const,
    boostDocument: (id: string) => (OF_DEVELOPMENT.test(id) ? 0.25 : 1),
  },
};
