import { UndoLog } from './undo-log.ts';
import { WordList } from './word-list.ts';

/**
 * The row of each id, for tables with a row for many of all ids: four bytes per id. The rows of ids
 * that were assigned at about the same time lie together, unlike in a PairIndex.
 */
export class IdRows {
  /** By id: the row plus one. */
  private readonly words: WordList;

  constructor(undo = new UndoLog(), name = 'rows by id') {
    this.words = new WordList(undo, name);
  }

  /** Bytes of its pages in memory. */
  get allocatedBytes(): number {
    return this.words.allocatedBytes;
  }

  /** The row of an id, -1 if it has none, and for the id -1. */
  get(id: number): number {
    return id === -1 ? -1 : this.words.get(id) - 1;
  }

  set(id: number, row: number): void {
    this.words.set(id, row + 1);
  }

  delete(id: number): void {
    this.words.set(id, 0);
  }

  /** The ids below `end` that have a row, in ascending order. */
  *entries(end: number): Generator<[id: number, row: number]> {
    for (let id = 0; id < end; id++) {
      const word = this.words.get(id);
      if (word !== 0) yield [id, word - 1];
    }
  }
}
