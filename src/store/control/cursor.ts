import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isTransientError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';
import type { SlotMark } from '../../model/slot-range.ts';
import type { Slot } from '../../model/units.ts';
import { transact } from '../sqlite-transaction.ts';
import type { GapLedger } from './gap-ledger.ts';
import type { WriterFence } from './writer-fence.ts';

/** How far the stored derived rows go. */
export interface Cursor {
  /** The fold whose rows are visible. */
  readonly epoch: number;
  /** Derived rows are complete up to this slot; null before the first. */
  readonly slot: Slot | null;
  /** The log holds slots that this fold has not seen in order: it has to be folded again. */
  readonly isDirty: boolean;
}

/** What a process needs to move the cursor; without it the cursor can only be read. */
export interface CursorWriting {
  readonly fence: WriterFence;
  readonly gaps: GapLedger;
}

const NAME = 'fold';
const RULES = 'fold_rules';

/**
 * The cursor, written after the rows it speaks of. It is also what reads go by: the epoch it names
 * is the visible one.
 */
export class CursorBook {
  private readonly select: StatementSync;
  private readonly upsert: StatementSync;
  private readonly selectMeta: StatementSync;
  private readonly upsertMeta: StatementSync;
  private readonly database: DatabaseSync;
  private readonly writing: CursorWriting | null;
  private current: Cursor;
  /** The ledger holds in memory what was marked and not committed. */
  private isLedgerStale = false;

  constructor(database: DatabaseSync, writing: CursorWriting | null = null) {
    this.database = database;
    this.writing = writing;
    this.select = database.prepare('SELECT epoch, slot, is_dirty FROM cursor WHERE name = ?');
    this.upsert = database.prepare(
      'INSERT INTO cursor (name, epoch, slot, is_dirty) VALUES (?, ?, ?, ?) ON CONFLICT (name) ' +
        'DO UPDATE SET epoch = excluded.epoch, slot = excluded.slot, is_dirty = excluded.is_dirty',
    );
    this.selectMeta = database.prepare('SELECT value FROM meta WHERE name = ?');
    this.upsertMeta = database.prepare(
      'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    );
    const row = this.select.get(NAME);
    this.current = {
      epoch: Number(row?.epoch ?? 1),
      slot: typeof row?.slot === 'number' ? (row.slot as Slot) : null,
      isDirty: row?.is_dirty === 1,
    };
  }

  /** As last written; epoch 1 and no slot in a new store. */
  read(): Cursor {
    return this.current;
  }

  /**
   * Moves the cursor and marks the slots that came with it, in one transaction. Durable when it
   * returns. Throws StoreError, with nothing changed: also when another process took over writing.
   */
  write(cursor: Cursor, marks: readonly SlotMark[] = []): void {
    if (this.writing === null) throw new StoreError('The cursor was opened for reading.');
    const { fence, gaps } = this.writing;
    try {
      if (this.isLedgerStale) this.reloadLedger(gaps);
      transact(this.database, () => {
        fence.assertHeld();
        this.upsert.run(NAME, cursor.epoch, cursor.slot, cursor.isDirty ? 1 : 0);
        gaps.mark(marks);
      });
    } catch (error) {
      this.isLedgerStale = true;
      this.tryToReload(gaps);
      if (error instanceof StoreError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new StoreError(`The cursor cannot be moved: ${reason}`, {
        cause: error,
        isTransient: isTransientError(error),
      });
    }
    this.current = cursor;
  }

  private reloadLedger(gaps: GapLedger): void {
    gaps.reload();
    this.isLedgerStale = false;
  }

  /** A device that failed a write may fail the reading too: it is then done before the next write. */
  private tryToReload(gaps: GapLedger): void {
    try {
      this.reloadLedger(gaps);
    } catch (error) {
      if (!isTransientError(error)) throw error;
    }
  }

  /** What the visible rows were folded by: version and options in words; null in a new store. */
  readRules(): string | null {
    const row = this.selectMeta.get(RULES);
    return typeof row?.value === 'string' ? row.value : null;
  }

  /** Written after the rows that obey the rules are visible. Durable when it returns. */
  writeRules(rules: string): void {
    this.upsertMeta.run(RULES, rules);
  }

  /** The visible epoch. */
  get epoch(): number {
    return this.current.epoch;
  }

  /** The slot up to which its rows are complete; null before the first. */
  get slot(): Slot | null {
    return this.current.slot;
  }
}
