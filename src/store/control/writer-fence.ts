import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isTransientError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';

const NAME = 'ingestion';

/**
 * The right to write, as a number in the control database. Taking it takes it from whoever had it:
 * a writer that was thought dead and wakes up finds a higher number than its own and stops.
 *
 * The lock on the folder keeps a second process out while the first lives; this holds where that
 * lock cannot, on file systems without locks or after the lock file was removed by hand.
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

  /** Throws StoreError when another writer took over. Inside a transaction it holds to its end. */
  assertHeld(): void {
    const epoch = this.read();
    if (epoch === this.epoch) return;
    throw new StoreError(
      `Another process writes to this data folder since this one began (writer ${epoch}, this is ` +
        `${this.epoch}): this one stops, and has changed nothing of the other's.`,
    );
  }

  private read(): number {
    try {
      return Number(this.select.get(NAME)?.epoch);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StoreError(`Whether this process may write cannot be read: ${reason}`, {
        cause: error,
        isTransient: isTransientError(error),
      });
    }
  }
}
