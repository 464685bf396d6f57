import type { DatabaseSync } from 'node:sqlite';
import { isTransientError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';
import type { SlotMark } from '../../model/slot-range.ts';
import type { Slot } from '../../model/units.ts';
import type { RowLayers } from '../sql/visible-epoch.ts';
import { flag, integer, json, nullable, orElse, slot, text } from '../sqlite/kind.ts';
import type { NamedValues } from '../sqlite/named-values.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { transact } from '../sqlite/sqlite-transaction.ts';
import { tableRow } from '../sqlite/table-row.ts';
import { addToSum } from './additive-sum.ts';
import { type ControlSums, controlSums } from './control-sums.ts';
import { type FoldLayers, rowLayersOf } from './fold-layers.ts';
import type { GapLedger } from './gap-ledger.ts';
import { metaTexts } from './meta-texts.ts';
import type { WriterFence } from './writer-fence.ts';

/** How far the stored derived rows are complete. */
export interface Cursor {
  /** The epoch of the fold whose rows are visible. */
  readonly epoch: number;
  /** Derived rows are complete up to this slot; null before the first. */
  readonly slot: Slot | null;
  /** The log contains slots that this fold did not apply in order: it must be folded again. */
  readonly isDirty: boolean;
  /** While it is dirty, the first slot that has changed; null or omitted: any may have. */
  readonly dirtyFrom?: Slot | null;
  /** Null or omitted: all visible rows are of this fold, in the layer with its number. */
  readonly layers?: FoldLayers | null;
}

/** What a process needs to move the cursor. Without it the cursor is read-only. */
export interface CursorWriting {
  readonly fence: WriterFence;
  readonly gaps: GapLedger;
  /** The record of stored parts, saved in the same transaction as the cursor. */
  readonly parts?: { save(): void; reload(): void };
}

export const CURSORS = tableRow('cursor', {
  name: text,
  epoch: orElse(integer, 1),
  slot: orElse(nullable(slot), null),
  isDirty: orElse(flag, true),
  dirtyFrom: orElse(nullable(slot), null),
  layers: orElse(nullable(json<FoldLayers>()), null),
});

const STATEMENTS = {
  read: CURSORS.without('name').select('WHERE name = ?'),
  write: CURSORS.upsert('name'),
};

const NAME = 'fold';
const NEW: Cursor = { epoch: 1, slot: null, isDirty: false };
const RULES = 'fold_rules';

/**
 * The cursor, written after the rows that it covers. It also decides what reads return: its epoch
 * is the visible one.
 */
export class CursorTable {
  private readonly statements: Prepared<typeof STATEMENTS>;
  private readonly meta: NamedValues<string>;
  private readonly database: DatabaseSync;
  private readonly writing: CursorWriting | null;
  private readonly sums: ControlSums;
  private current: Cursor;
  /** The ledger in memory contains marks that were not committed. */
  private isLedgerStale = false;

  constructor(database: DatabaseSync, writing: CursorWriting | null = null) {
    this.database = database;
    this.writing = writing;
    this.sums = controlSums(database);
    this.statements = prepareAll(database, STATEMENTS);
    this.meta = metaTexts(database);
    const stored = this.statements.read.get(NAME);
    this.current = stored === null ? NEW : withoutNulls(stored);
  }

  /** The cursor as last written; epoch 1 and no slot in a new store. */
  read(): Cursor {
    return this.current;
  }

  /**
   * Moves the cursor and marks the slots given with it, in one transaction. Durable when it
   * returns. Throws StoreError, without any change, on failure and when another process took over
   * writing.
   */
  write(cursor: Cursor, marks: readonly SlotMark[] = []): void {
    if (this.writing === null) throw new StoreError('The cursor was opened read-only.');
    const { fence, gaps, parts } = this.writing;
    try {
      if (this.isLedgerStale) this.reload();
      transact(this.database, () => {
        fence.assertHeld();
        const { dirtyFrom = null, layers = null } = cursor;
        this.statements.write.run({ name: NAME, ...cursor, dirtyFrom, layers });
        this.sums.write('cursor', sumOf(cursor));
        gaps.mark(marks);
        parts?.save();
      });
    } catch (error) {
      this.isLedgerStale = true;
      this.tryToReload();
      if (error instanceof StoreError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new StoreError(`The cursor cannot be moved: ${reason}`, {
        cause: error,
        isTransient: isTransientError(error),
      });
    }
    this.current = cursor;
  }

  /** Discards marks that were not committed. */
  private reload(): void {
    this.writing?.gaps.reload();
    this.writing?.parts?.reload();
    this.isLedgerStale = false;
  }

  /** A device that failed a write may fail the read too: then the next write reloads first. */
  private tryToReload(): void {
    try {
      this.reload();
    } catch (error) {
      if (!isTransientError(error)) throw error;
    }
  }

  /** Whether the cursor matches its sum. True when an earlier version wrote it, without a sum. */
  get isIntact(): boolean {
    const sum = this.sums.read('cursor');
    return sum === null || sum === sumOf(this.current);
  }

  /** The rules of the visible rows, as text: version and options. Null in a new store. */
  readRules(): string | null {
    return this.meta.read(RULES);
  }

  /** Call it once the rows made by these rules are visible. Durable when it returns. */
  writeRules(rules: string): void {
    this.meta.write(RULES, rules);
  }

  /** Number of the fold whose rows are visible. */
  get epoch(): number {
    return this.current.epoch;
  }

  /** The layers of the visible rows. */
  get layers(): RowLayers {
    return rowLayersOf(this.current);
  }

  /** The slot up to which the rows of this epoch are complete; null before the first. */
  get slot(): Slot | null {
    return this.current.slot;
  }
}

function withoutNulls({ dirtyFrom, layers, ...rest }: Required<Cursor>): Cursor {
  return {
    ...rest,
    ...(dirtyFrom === null ? {} : { dirtyFrom }),
    ...(layers === null ? {} : { layers }),
  };
}

/** An earlier version wrote the sum of the first three fields. */
function sumOf({ epoch, slot, isDirty, dirtyFrom = null, layers = null }: Cursor): number {
  const later =
    dirtyFrom === null && layers === null ? '' : ` ${JSON.stringify([dirtyFrom, layers])}`;
  return addToSum(0, `${epoch} ${slot} ${isDirty}${later}`);
}
