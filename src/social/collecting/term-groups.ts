/** Something to look for, as a platform is asked for it. */
export interface Term {
  /** Lasting; what was found last is kept by it. */
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
  /** Of a whole query. */
  readonly lengthMax: number;
  readonly groupsMax: number;
}

/** Packs terms into as few queries as their order allows. `left` is how many found no room. */
export function groupTerms(
  terms: readonly Term[],
  { start, joiner, end, lengthMax, groupsMax }: QueryForm,
): { readonly groups: readonly TermGroup[]; readonly left: number } {
  const room = lengthMax - start.length - end.length;
  const groups: Term[][] = [];
  let length = 0;
  let left = 0;
  for (const term of terms) {
    const group = groups.at(-1);
    const joined = length + joiner.length + term.query.length;
    if (term.query.length > room) left++;
    else if (group !== undefined && joined <= room) {
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
