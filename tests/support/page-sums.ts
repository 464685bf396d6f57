import type { PagePool } from '../../src/lib/pages/page-pool.ts';
import type { UndoLog } from '../../src/lib/undo-log.ts';

/** A line for each space of a pool: its name and the sum of its contents. */
export function sumsOf(pages: PagePool): string {
  return pages.spaceNames.map((name, space) => `${name} ${pages.sumOf(space)}`).join('\n');
}

/** The same for the pool of books. */
export function pageSums({ pages }: UndoLog): string {
  return sumsOf(pages);
}
