import { isTransientError } from '../../lib/transient-error.ts';
import type { SlotChanges } from '../../model/derived.ts';
import { StoreError } from '../../model/errors.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import { type Cell, encodeRowsInTurns } from '../sql/cell.ts';
import type { Lane } from '../sql/lane.ts';
import { rowVersion } from '../sql/row-version.ts';
import type { Table } from '../sql/table.ts';
import { DERIVED_ROWS, type DerivedRows } from '../tables/derived-rows.ts';
import { slotLogTable } from '../tables/slot-log-table.ts';

/** Slots that are stored together. 5,000 to 10,000 rows per batch are best. */
export interface SlotBatch {
  /** Decoded slots for the canonical log; empty when it contains them already. */
  readonly slots: readonly SlotFacts[];
  /** The changes made by the fold, in slot order. */
  readonly changes: readonly SlotChanges[];
  /** Number of the fold that produced the changes. */
  readonly epoch: number;
  /** The layer of its rows; default: the one with its number. */
  readonly layer?: number;
}

/** Records of a table as of the end of a slot that an earlier fold last changed. */
export interface RestoredRows {
  readonly table: Table<unknown>;
  readonly stored: readonly unknown[];
  /** Number of the fold that they become rows of, and the slot. */
  readonly epoch: number;
  readonly slot: number;
}

/** A record and the cells of the columns that all tables of its kind have. */
interface VersionedRow<Stored> {
  readonly stored: Stored;
  readonly version: readonly Cell[];
}

const LOG_VERSION = ['version'];
const FOLD_VERSION = ['epoch', 'version'];

/** Throws StoreError when this process may no longer write. Called before each batch. */
export type WriteGuard = () => Promise<void>;

/**
 * Writes slots. A write is durable when it returns, and idempotent. The log is written first, then
 * the derived rows: after a crash the log may be ahead of the derived rows, but never behind. The
 * caller moves the cursor last.
 *
 * A batch that failed for a transient reason may be written again and replaces its rows that were
 * already stored. After any other failure every further write is refused: a restart continues from
 * the cursor and repairs what was partially written.
 */
export class SlotWriter {
  private readonly lane: Lane;
  private readonly guard: WriteGuard;
  private readonly onStored: () => Promise<void>;
  private failure: StoreError | null = null;
  private transientFailure: StoreError | null = null;
  /** The last batch, once all its rows are stored. */
  private stored: SlotBatch | null = null;

  /** `onStored`: called after each batch whose rows are all stored. */
  constructor(
    lane: Lane,
    guard: WriteGuard = async () => undefined,
    onStored: () => Promise<void> = async () => undefined,
  ) {
    this.lane = lane;
    this.guard = guard;
    this.onStored = onStored;
  }

  /** The error that ended writing, or the transient error of the last write, or null. */
  get failed(): StoreError | null {
    return this.failure ?? this.transientFailure;
  }

  /** Stores a batch. Throws StoreError; unless it is transient, all later writes are refused. */
  async writeBatch(batch: SlotBatch): Promise<void> {
    try {
      await this.guard();
      // If only `onStored` failed, the rows are not written a second time.
      if (this.stored !== batch) {
        await this.insert(slotLogTable, LOG_VERSION, latestSlots(batch.slots));
        for (const rows of DERIVED_ROWS) await this.writeTable(rows, batch);
        this.stored = batch;
      }
      await this.onStored();
      this.stored = null;
      this.transientFailure = null;
    } catch (error) {
      const failure = asStoreError(error, batch);
      if (failure.isTransient) this.transientFailure = failure;
      else this.failure ??= failure;
      throw failure;
    }
  }

  /** Stores rows that the fold of their epoch does not write itself. Throws StoreError. */
  async writeRestored({ table, stored, epoch, slot }: RestoredRows): Promise<void> {
    try {
      await this.guard();
      const version = [epoch, rowVersion(epoch, slot)];
      const rows = stored.map((one) => ({ stored: one, version }));
      await this.insert(table, FOLD_VERSION, rows);
    } catch (error) {
      throw asStoreError(error, { slots: [], changes: [], epoch });
    }
  }

  private async writeTable(
    { table, storedOf }: DerivedRows,
    { changes, epoch, layer = epoch }: SlotBatch,
  ): Promise<void> {
    const latest = new Map<string, VersionedRow<unknown>>();
    for (const change of changes) {
      const version = [layer, rowVersion(epoch, change.slot)];
      for (const stored of storedOf(change)) latest.set(table.key(stored), { stored, version });
    }
    await this.insert(table, FOLD_VERSION, [...latest.values()]);
  }

  private async insert<Stored>(
    table: Table<Stored>,
    versionColumns: readonly string[],
    rows: readonly VersionedRow<Stored>[],
  ): Promise<void> {
    if (this.failure !== null) {
      throw new StoreError('an earlier write failed: all writes are refused until a restart');
    }
    if (rows.length === 0) return;
    const body = await encodeRowsInTurns(rows, ({ stored, version }) => {
      const cells = [...version];
      table.write(stored, cells);
      return cells;
    });
    await this.lane.insert(table.name, [...versionColumns, ...table.columns], body);
  }
}

/**
 * The version of a slot in the log: a whole block replaces loose transactions, more transactions
 * replace fewer, and with equal transactions the newer decoder version wins.
 */
function completeness(facts: SlotFacts): number {
  const { isWhole, transactions, decoderVersion } = facts;
  return (isWhole ? 2 ** 48 : 0) + transactions.length * 2 ** 16 + decoderVersion;
}

function latestSlots(slots: readonly SlotFacts[]): VersionedRow<SlotFacts>[] {
  const latest = new Map<number, SlotFacts>();
  for (const facts of slots) {
    const known = latest.get(facts.slot);
    if (known === undefined || completeness(facts) >= completeness(known)) {
      latest.set(facts.slot, facts);
    }
  }
  return [...latest.values()].map((facts) => ({ stored: facts, version: [completeness(facts)] }));
}

function asStoreError(error: unknown, { changes, slots: logged, epoch }: SlotBatch): StoreError {
  const first = changes[0]?.slot ?? logged[0]?.slot;
  const slots = first === undefined ? 'no slot' : `slot ${first} and after`;
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError(`Writing ${slots} (epoch ${epoch}) failed: ${reason}`, {
    cause: error,
    isTransient: isTransientError(error),
  });
}
