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

/** What is indexed and how, equal where the index is made and where it is searched. */
export const SEARCH_OPTIONS = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'excerpt'],
  // Names of endpoints and fields are found by their words.
  tokenize: (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [],
  searchOptions: {
    boost: { title: 4, page: 2 },
    prefix: (term: string) => term.length >= 2,
    fuzzy: (term: string) => (term.length >= 5 ? 0.2 : false),
    combineWith: 'AND' as const,
  },
};
