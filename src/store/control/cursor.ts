import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { StoreError } from '../../model/errors.ts';
import type { Slot } from '../../model/units.ts';

/** How far the stored derived rows go. */
export interface Cursor {
  /** The fold whose rows are visible. */
  readonly epoch: number;
  /** Derived rows are complete up to this slot; null before the first. */
  readonly slot: Slot | null;
  /** The log holds slots that this fold has not seen in order: it has to be folded again. */
  readonly isDirty: boolean;
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
  private current: Cursor;

  constructor(database: DatabaseSync) {
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

  /** Durable when it returns. Throws StoreError; then the cursor is where it was. */
  write(cursor: Cursor): void {
    try {
      this.upsert.run(NAME, cursor.epoch, cursor.slot, cursor.isDirty ? 1 : 0);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StoreError(`The cursor cannot be moved: ${reason}`, { cause: error });
    }
    this.current = cursor;
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
}
