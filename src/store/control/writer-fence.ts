import type { DatabaseSync } from 'node:sqlite';
import { isTransientError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';
import { column, integer, text } from '../sqlite/kind.ts';
import { NamedCounts } from '../sqlite/named-counts.ts';
import { tableRow } from '../sqlite/table-row.ts';

const NAME = 'ingestion';

export const WRITERS = tableRow('writer', { name: text, count: column('epoch', integer) });

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
  private readonly epochs: NamedCounts;

  private constructor(epoch: number, epochs: NamedCounts) {
    this.epoch = epoch;
    this.epochs = epochs;
  }

  static take(database: DatabaseSync): WriterFence {
    const epochs = new NamedCounts(database, WRITERS);
    return new WriterFence(epochs.next(NAME), epochs);
  }

  /** The number of the newest writer; null before the first. */
  static lastOf(database: DatabaseSync): number | null {
    return new NamedCounts(database, WRITERS).last(NAME);
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
      return this.epochs.last(NAME) ?? Number.NaN;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StoreError(`The right to write cannot be checked: ${reason}`, {
        cause: error,
        isTransient: isTransientError(error),
      });
    }
  }
}
