import type { DatabaseSync } from 'node:sqlite';
import type { KnownTruth, TriggerTurn } from '../../model/trigger-turn.ts';
import { column, flag, integer } from '../sqlite/kind.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { tableRow } from '../sqlite/table-row.ts';

/** The slot of a truth that holds from the first slot on, until a later one changes it. */
const FROM_THE_START = -1;

export const TRIGGER_TRUTHS = tableRow('trigger_truths', {
  key: column('trigger_key', integer),
  /** A slot, or FROM_THE_START. */
  slot: integer,
  isTrue: flag,
});

const STATEMENTS = {
  put: TRIGGER_TRUTHS.insertOrReplace(),
  forget: 'DELETE FROM trigger_truths WHERE trigger_key = ?',
  older:
    'DELETE FROM trigger_truths WHERE trigger_key = ?1 AND slot < ' +
    '(SELECT max(slot) FROM trigger_truths WHERE trigger_key = ?1 AND slot <= ?2)',
  newer: 'DELETE FROM trigger_truths WHERE slot > ?',
  // With max(), SQLite takes the other columns from the row with the largest slot.
  newest: TRIGGER_TRUTHS.query(
    'SELECT trigger_key, max(slot), is_true FROM trigger_truths GROUP BY trigger_key',
  ),
};

/**
 * The truth of triggers as their accounts last learned it. Saved before the slots that changed it
 * are stored, so that a start finds what became true without being reported. Callers provide the
 * transaction.
 */
export class TriggerTruths {
  private readonly statements: Prepared<typeof STATEMENTS>;

  constructor(database: DatabaseSync) {
    this.statements = prepareAll(database, STATEMENTS);
  }

  /** Resets a trigger: its truth before `slot` is unknown. */
  begin(key: number, isTrue: boolean, slot: number = FROM_THE_START): void {
    this.statements.forget.run(key);
    this.statements.put.run({ key, slot, isTrue });
  }

  /** `storedTo`: no slot before this one will be requested. */
  keep(turns: readonly TriggerTurn[], storedTo: number): void {
    for (const turn of turns) this.statements.put.run(turn);
    for (const key of new Set(turns.map((turn) => turn.key))) {
      this.statements.older.run(key, storedTo);
    }
  }

  /** Discards truths of slots after `slot`, which are not stored, and returns the rest by key. */
  backTo(slot: number): Map<number, KnownTruth> {
    this.statements.newer.run(slot);
    return new Map(this.statements.newest.all().map(({ key, ...truth }) => [key, truth]));
  }
}
