import { UndoLog } from '../../../lib/undo-log.ts';
import { WordList } from '../../../lib/word-list.ts';

/** Cells of an hour. A collision makes a skeleton look more common, which spares wallets. */
const CELLS = 65_536;
/** The cell of all traders. */
const ALL = CELLS;
/** Hours of which counts are kept: the present one and the one before. */
const HOURS = 2;
/** Words of a cell: the hour that it counts, plus one, and the count. */
const WORDS = 2;

/**
 * How many established traders of an hour began it with a transaction of a skeleton: each counts
 * once, by the first trade of the hour, so that no wallet needs a list. One megabyte, whatever is
 * sent.
 */
export class SkeletonUsers {
  private readonly words: WordList;

  constructor(undo = new UndoLog()) {
    this.words = new WordList(undo, 'skeletons of traders');
  }

  /** Counts an established trader's first trade in an hour; null for a transaction without a skeleton. */
  count(skeleton: number | null, hour: number): void {
    this.bump(ALL, hour);
    if (skeleton !== null) this.bump(skeleton % CELLS, hour);
  }

  /** Traders of an hour and the one before that began it with a skeleton, as far as counted. */
  usersOf(skeleton: number, hour: number): number {
    return this.sum(skeleton % CELLS, hour);
  }

  /** All traders of an hour and the one before. */
  tradersOf(hour: number): number {
    return this.sum(ALL, hour);
  }

  private bump(cell: number, hour: number): void {
    const at = placeOf(cell, hour);
    const count = this.read(cell, hour);
    if (count === 0) this.words.set(at, hour + 1);
    this.words.set(at + 1, count + 1);
  }

  private sum(cell: number, hour: number): number {
    return this.read(cell, hour) + (hour === 0 ? 0 : this.read(cell, hour - 1));
  }

  private read(cell: number, hour: number): number {
    const at = placeOf(cell, hour);
    return this.words.get(at) === hour + 1 ? this.words.get(at + 1) : 0;
  }
}

function placeOf(cell: number, hour: number): number {
  return (cell * HOURS + (hour % HOURS)) * WORDS;
}
