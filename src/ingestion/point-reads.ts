import type { AsOf } from '../model/as-of.ts';
import type { StoredPoint } from '../model/slot-range.ts';
import type { Slot } from '../model/units.ts';
import type { Cursor } from '../store/control/cursor.ts';
import type { Fold } from './fold.ts';
import { UnwrittenRows, type UnwrittenSlots } from './unwritten-rows.ts';

/** The state that reads of stored rows are completed from. */
export interface PointSource {
  /** The newest slot of the current state; null before the first. */
  readonly newest: StoredPoint | null;
  /** The end of the stored rows while they are ahead of the state. */
  readonly storedAhead: StoredPoint | null;
  /** Rows of slots up to this one may be stored; null before the first. */
  readonly storedThrough: Slot | null;
  /** Another number once rows of another fold are visible. */
  readonly rowsVersion: number;
  readonly unwritten: ReturnType<UnwrittenSlots>;
}

/** `storedAhead`: the end of the stored rows while they are ahead of the fold. */
export function pointSourceOf(
  { end, epoch, takenThrough, unwritten }: Fold,
  cursor: Cursor,
  storedAhead: StoredPoint | null,
): PointSource {
  return {
    newest: end === null ? null : { slot: end.slot, timeMs: end.timeMs === 0 ? null : end.timeMs },
    storedAhead,
    storedThrough: takenThrough ?? cursor.slot,
    // Another fold is continued, and its rows become visible, one shortly after the other.
    rowsVersion: epoch + cursor.epoch,
    unwritten,
  };
}

/**
 * After so many attempts, what was read last is returned: rows of later slots may be in it. Takes a
 * source of final blocks that is stored faster than it is read.
 */
const ATTEMPTS_MAX = 4;

/**
 * Reads of stored rows merged with unwritten ones, all of them as of one slot: the unwritten rows
 * are taken once, and the read is repeated if rows of later slots, or of another fold, were stored
 * meanwhile.
 */
export class PointReads {
  private readonly source: () => PointSource;
  private readonly unwritten: UnwrittenRows;

  constructor(source: () => PointSource) {
    this.source = source;
    this.unwritten = new UnwrittenRows(() => source().unwritten);
  }

  async read<Data>(run: (unwritten: UnwrittenRows) => Promise<Data>): Promise<AsOf<Data>> {
    for (let attempt = 1; ; attempt++) {
      const { rowsVersion, storedAhead, newest } = this.source();
      const point = storedAhead ?? newest;
      const data = await run(this.unwritten.frozen());
      const slot = point?.slot ?? null;
      const now = this.source();
      const isOfPoint =
        now.rowsVersion === rowsVersion && (now.storedThrough ?? -1) <= (slot ?? -1);
      if (isOfPoint || attempt >= ATTEMPTS_MAX) {
        return { slot, timeMs: point?.timeMs ?? null, data };
      }
    }
  }
}
