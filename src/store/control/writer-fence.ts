import type { DatabaseSync } from 'node:sqlite';
import { isTransientError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';
import { integer, text } from '../sqlite/kind.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { singleValue, tableRow } from '../sqlite/table-row.ts';

const NAME = 'ingestion';

export const WRITERS = tableRow('writer', { name: text, epoch: integer });

const STATEMENTS = {
  take: singleValue(
    integer,
    'INSERT INTO writer (name, epoch) VALUES (?, 1) ' +
      'ON CONFLICT (name) DO UPDATE SET epoch = epoch + 1 RETURNING epoch',
  ),
  read: WRITERS.only('epoch').select('WHERE name = ?'),
};

/**
 * The right to write, as a fencing number in the control database. Taking it revokes it from the
 * previous writer: a writer that was believed dead and resumes finds a higher number and stops.
 *
 * The folder lock keeps a second process out while the first is alive; the fence protects where the
 * lock cannot: on file systems without locks, or after the lock file was removed by hand.
 */
export class WriterFence {
  /** The number of this writer. */
  readonly epoch: number;
  private readonly statements: Prepared<typeof STATEMENTS>;

  private constructor(epoch: number, statements: Prepared<typeof STATEMENTS>) {
    this.epoch = epoch;
    this.statements = statements;
  }

  static take(database: DatabaseSync): WriterFence {
    const statements = prepareAll(database, STATEMENTS);
    return new WriterFence(Number(statements.take.get(NAME)), statements);
  }

  /** Throws StoreError when another writer took over. In a transaction it holds until its end. */
  assertHeld(): void {
    const epoch = this.read();
    if (epoch === this.epoch) return;
    throw new StoreError(
      `Another process writes to this data folder now (writer ${epoch}, this is ` +
        `${this.epoch}): this one stops, and has not changed any data of the other.`,
    );
  }

  private read(): number {
    try {
      return Number(this.statements.read.get(NAME)?.epoch);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StoreError(`The right to write cannot be checked: ${reason}`, {
        cause: error,
        isTransient: isTransientError(error),
      });
    }
  }
}
