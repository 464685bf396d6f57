import { BadAnswerError } from './errors.ts';

/** Follows `next_cursor` until it is null. `read` returns the body for a cursor. */
export async function* readPages<Data>(
  read: (cursor: string | undefined) => Promise<Data>,
): AsyncGenerator<Data, void, undefined> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const data = await read(cursor);
    const next = (data as { readonly next_cursor?: unknown } | null)?.next_cursor;
    if (next !== null && typeof next !== 'string') {
      throw new BadAnswerError('A page must have next_cursor, a text or null.');
    }
    yield data;
    if (next === null) return;
    if (seen.has(next)) throw new BadAnswerError('A page leads back to an earlier one.');
    seen.add(next);
    cursor = next;
  }
}

/** The list that a page always has: lists that are only there on request are after it. */
export function itemsOf(page: object): readonly unknown[] {
  const list = Object.values(page).find((value) => Array.isArray(value));
  if (list === undefined) throw new BadAnswerError('A page must have a list.');
  return list as readonly unknown[];
}
