import { type CST, Parser } from 'yaml';

/** How deep a YAML text is nested. Does not recurse, so that no depth can exhaust the stack. */
export function yamlDepth(text: string): number {
  let deepest = 0;
  const pending: [token: CST.Token, depth: number][] = [];
  for (const token of new Parser().parse(text)) pending.push([token, 0]);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [token, depth] = next;
    deepest = Math.max(deepest, depth);
    for (const part of partsOf(token)) pending.push([part, depth + 1]);
  }
  return deepest;
}

function partsOf(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value];
  if (!('items' in token)) return [];
  return token.items.flatMap(({ key, value }) => [key ?? [], value ?? []].flat());
}
