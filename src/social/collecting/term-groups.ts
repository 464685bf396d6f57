import type { Wanted } from './collector.ts';

/** A search term in the query syntax of a platform. */
export interface Term {
  /** Stable: the search mark is stored under it. */
  readonly key: string;
  readonly query: string;
}

export interface TermGroup {
  readonly keys: readonly string[];
  readonly query: string;
}

export interface QueryForm {
  readonly start: string;
  readonly joiner: string;
  readonly end: string;
  /** Maximum length of a whole query. */
  readonly lengthMax: number;
  readonly groupsMax: number;
}

const MINT = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const CASHTAG = /^[A-Za-z0-9]{1,15}$/;

/** Addresses and cashtags as quoted phrases, so that they contain no operators. */
export function quotedTerms({ mints, cashtags }: Wanted): Term[] {
  return [
    ...mints.filter((mint) => MINT.test(mint)).map((mint) => ({ key: mint, query: `"${mint}"` })),
    ...cashtags
      .filter((cashtag) => CASHTAG.test(cashtag))
      .map((cashtag) => ({ key: `$${cashtag}`, query: `"$${cashtag}"` })),
  ];
}

/** Packs terms into as few queries as their order allows. `left` counts terms that do not fit. */
export function groupTerms(
  terms: readonly Term[],
  { start, joiner, end, lengthMax, groupsMax }: QueryForm,
): { readonly groups: readonly TermGroup[]; readonly left: number } {
  const capacity = lengthMax - start.length - end.length;
  const groups: Term[][] = [];
  let length = 0;
  let left = 0;
  for (const term of terms) {
    const group = groups.at(-1);
    const joined = length + joiner.length + term.query.length;
    if (term.query.length > capacity) left++;
    else if (group !== undefined && joined <= capacity) {
      group.push(term);
      length = joined;
    } else if (groups.length < groupsMax) {
      groups.push([term]);
      length = term.query.length;
    } else left++;
  }
  return { left, groups: groups.map((group) => ({ keys: keysOf(group), query: text(group) })) };

  function text(group: readonly Term[]): string {
    return `${start}${group.map(({ query }) => query).join(joiner)}${end}`;
  }
}

function keysOf(group: readonly Term[]): string[] {
  return group.map(({ key }) => key);
}
