import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isTransientError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';

const NAME = 'ingestion';

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
  private readonly select: StatementSync;

  private constructor(epoch: number, select: StatementSync) {
    this.epoch = epoch;
    this.select = select;
  }

  static take(database: DatabaseSync): WriterFence {
    const row = database
      .prepare(
        'INSERT INTO writer (name, epoch) VALUES (?, 1) ' +
          'ON CONFLICT (name) DO UPDATE SET epoch = epoch + 1 RETURNING epoch',
      )
      .get(NAME);
    const select = database.prepare('SELECT epoch FROM writer WHERE name = ?');
    return new WriterFence(Number(row?.epoch), select);
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
      return Number(this.select.get(NAME)?.epoch);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StoreError(`The right to write cannot be checked: ${reason}`, {
        cause: error,
        isTransient: isTransientError(error),
      });
    }
  }
}
