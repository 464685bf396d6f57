import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { KnownTruth, TriggerTurn } from '../../model/trigger-turn.ts';

/** What is true of a trigger whatever the slot, until a later one says otherwise. */
const FROM_THE_START = -1;

/**
 * Which triggers were true, as far as their accounts were told: kept before the slots that made them
 * so are stored, so that a start knows what became true unseen. For whoever is in a transaction.
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
    // Of the row with the largest slot, by SQLite's rule for columns beside max().
    this.newest = database.prepare(
      'SELECT trigger_key, is_true, max(slot) AS slot FROM trigger_truths GROUP BY trigger_key',
    );
  }

  /** A trigger begins anew; what it was before `slot` is not known. */
  begin(key: number, isTrue: boolean, slot: number = FROM_THE_START): void {
    this.forget.run(key);
    this.insert.run(key, slot, isTrue ? 1 : 0);
  }

  /** `storedTo`: nothing before this slot will be asked for. */
  keep(turns: readonly TriggerTurn[], storedTo: number): void {
    for (const { key, slot, isTrue } of turns) this.insert.run(key, slot, isTrue ? 1 : 0);
    for (const key of new Set(turns.map((turn) => turn.key))) this.older.run(key, storedTo);
  }

  /** Slots after `slot` are not stored: what was kept of them is forgotten, the rest by key. */
  backTo(slot: number): Map<number, KnownTruth> {
    this.newer.run(slot);
    const known = new Map<number, KnownTruth>();
    for (const row of this.newest.iterate()) {
      known.set(Number(row.trigger_key), { slot: Number(row.slot), isTrue: row.is_true === 1 });
    }
    return known;
  }
}
