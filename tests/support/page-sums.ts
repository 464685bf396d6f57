import type { PagePool } from '../../src/lib/pages/page-pool.ts';

/** A line for each space of a pool: its name and the sum of its contents. */
export function sumsOf(pages: PagePool): string {
  return pages.spaceNames.map((name, space) => `${name} ${pages.sumOf(space)}`).join('\n');
}
