import type { UndoLog } from '../../src/lib/undo-log.ts';

/** The sums of everything in the pages of books, by the name of each space. */
export function pageSums({ pages }: UndoLog): string[] {
  return pages.spaceNames.map((name, space) => `${name} ${pages.sumOf(space)}`);
}
