import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { KnownTruth, TriggerTurn } from '../../model/trigger-turn.ts';

/** The slot of a truth that holds from the first slot on, until a later one changes it. */
const FROM_THE_START = -1;

/**
 * The truth of triggers as their accounts last learned it. Saved before the slots that changed it
 * are stored, so that a start finds what became true without being reported. Callers provide the
 * transaction.
 */
export class TriggerTruths {
  private readonly insert: StatementSync;
  private readonly forget: StatementSync;
  private readonly older: StatementSync;
  private readonly newer: StatementSync;
  private readonly newest: StatementSync;

  constructor(database: DatabaseSync) {
    this.insert = database.prepare('INSERT OR REPLACE INTO trigger_truths VALUES (?, ?, ?)');
    this.forget = database.prepare('DELETE FROM trigger_truths WHERE trigger_key = ?');
    this.older = database.prepare(
      'DELETE FROM trigger_truths WHERE trigger_key = ?1 AND slot < ' +
        '(SELECT max(slot) FROM trigger_truths WHERE trigger_key = ?1 AND slot <= ?2)',
    );
    this.newer = database.prepare('DELETE FROM trigger_truths WHERE slot > ?');
    // With max(), SQLite takes the other columns from the row with the largest slot.
    this.newest = database.prepare(
      'SELECT trigger_key, is_true, max(slot) AS slot FROM trigger_truths GROUP BY trigger_key',
    );
  }

  /** Resets a trigger: its truth before `slot` is unknown. */
  begin(key: number, isTrue: boolean, slot: number = FROM_THE_START): void {
    this.forget.run(key);
    this.insert.run(key, slot, isTrue ? 1 : 0);
  }

  /** `storedTo`: no slot before this one will be requested. */
  keep(turns: readonly TriggerTurn[], storedTo: number): void {
    for (const { key, slot, isTrue } of turns) this.insert.run(key, slot, isTrue ? 1 : 0);
    for (const key of new Set(turns.map((turn) => turn.key))) this.older.run(key, storedTo);
  }

  /** Discards truths of slots after `slot`, which are not stored, and returns the rest by key. */
  backTo(slot: number): Map<number, KnownTruth> {
    this.newer.run(slot);
    const known = new Map<number, KnownTruth>();
    for (const row of this.newest.iterate()) {
      known.set(Number(row.trigger_key), { slot: Number(row.slot), isTrue: row.is_true === 1 });
    }
    return known;
  }
}
