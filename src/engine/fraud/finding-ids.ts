import { PairIndex } from '../../lib/pair-index.ts';
import type { UndoLog } from '../../lib/undo-log.ts';

/**
 * Ids of findings, each with a number, as a hash of 47 bits: ids are UUIDs made by SHA-1, so that
 * two of a million are the same with a probability of 1 in 280.
 */
export class FindingIds {
  private readonly index: PairIndex;

  constructor(undo: UndoLog, name: string) {
    this.index = new PairIndex(undo, name);
  }

  /** The number of an id; -1 if it has none. */
  get(id: string): number {
    const [group, rest] = keyOf(id);
    return this.index.get(group, rest);
  }

  set(id: string, number: number): void {
    const [group, rest] = keyOf(id);
    this.index.set(group, rest, number);
  }

  delete(id: string): void {
    const [group, rest] = keyOf(id);
    this.index.delete(group, rest);
  }
}

/** The first 16 and the last 31 bits. */
function keyOf(id: string): readonly [group: number, rest: number] {
  return [Number.parseInt(id.slice(0, 4), 16), Number.parseInt(id.slice(-8), 16) >>> 1];
}
