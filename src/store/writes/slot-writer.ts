import { isTransientError } from '../../lib/transient-error.ts';
import { hasTrader, type SlotChanges } from '../../model/derived.ts';
import { StoreError } from '../../model/errors.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import { encodeSlotFacts } from '../codecs/facts-codec.ts';
import { type Cell, encodeRowsInTurns } from '../sql/cell.ts';
import type { Lane } from '../sql/lane.ts';
import { candleRows } from './candle-rows.ts';
import { classificationRows, newestClassificationRows } from './classification-rows.ts';
import { indicatorMinuteRows, newestIndicatorRows } from './indicator-rows.ts';
import type { RowWriter } from './row-writer.ts';
import { signalOutcomeRows, signalRows } from './signal-rows.ts';
import { balanceRows, bundleRows, poolRows, solPriceRows, tokenRows } from './state-rows.ts';
import { swapByWalletRows, swapRows } from './swap-rows.ts';

/** Slots that are stored together. 5,000 to 10,000 rows per batch are best. */
export interface SlotBatch {
  /** Decoded slots for the canonical log; empty when it contains them already. */
  readonly slots: readonly SlotFacts[];
  /** The changes made by the fold, in slot order. */
  readonly changes: readonly SlotChanges[];
  /** Number of the fold that produced the changes. */
  readonly epoch: number;
}

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
        await this.insert('slot_log', LOG_COLUMNS, latestSlots(batch.slots), logRow);
        await this.writeChanges(batch);
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

  private async writeChanges({ changes, epoch }: SlotBatch): Promise<void> {
    const swapsOf = (change: SlotChanges) => change.swaps;
    const walletSwapsOf = (change: SlotChanges) => change.swaps.filter(hasTrader);
    const minutesOf = (change: SlotChanges) => change.indicators;
    const classificationsOf = (change: SlotChanges) => change.classifications;
    await this.writeTable(swapRows, changes, swapsOf, epoch);
    await this.writeTable(swapByWalletRows, changes, walletSwapsOf, epoch);
    await this.writeTable(candleRows, changes, (change) => change.candles, epoch);
    await this.writeTable(tokenRows, changes, (change) => change.tokens, epoch);
    await this.writeTable(poolRows, changes, (change) => change.pools, epoch);
    await this.writeTable(balanceRows, changes, (change) => change.balances, epoch);
    await this.writeTable(bundleRows, changes, (change) => change.bundles, epoch);
    await this.writeTable(solPriceRows, changes, (change) => change.solPrices, epoch);
    await this.writeTable(indicatorMinuteRows, changes, minutesOf, epoch);
    await this.writeTable(newestIndicatorRows, changes, minutesOf, epoch);
    await this.writeTable(classificationRows, changes, classificationsOf, epoch);
    await this.writeTable(newestClassificationRows, changes, classificationsOf, epoch);
    // Outcomes first: a reader that finds a signal also finds its outcome.
    await this.writeTable(signalOutcomeRows, changes, (change) => change.outcomes, epoch);
    await this.writeTable(signalRows, changes, (change) => change.signals, epoch);
  }

  private async writeTable<Stored>(
    writer: RowWriter<Stored>,
    changes: readonly SlotChanges[],
    storedOf: (change: SlotChanges) => readonly Stored[],
    epoch: number,
  ): Promise<void> {
    const latest = new Map<string, { stored: Stored; version: string }>();
    for (const change of changes) {
      const version = rowVersion(epoch, change.slot);
      for (const stored of storedOf(change)) latest.set(writer.key(stored), { stored, version });
    }
    const cells = Object.values(writer.columns);
    const columns = ['epoch', 'version', ...Object.keys(writer.columns)];
    await this.insert(writer.table, columns, [...latest.values()], ({ stored, version }) => {
      const row: Cell[] = [epoch, version];
      for (const cell of cells) row.push(cell(stored));
      return row;
    });
  }

  private async insert<Row>(
    table: string,
    columns: readonly string[],
    rows: readonly Row[],
    toCells: (row: Row) => readonly Cell[],
  ): Promise<void> {
    if (this.failure !== null) {
      throw new StoreError('an earlier write failed: all writes are refused until a restart');
    }
    if (rows.length === 0) return;
    await this.lane.insert(table, columns, await encodeRowsInTurns(rows, toCells));
  }
}

/** Later epochs replace earlier ones; within an epoch, later slots replace earlier ones. */
export function rowVersion(epoch: number, slot: number): string {
  return ((BigInt(epoch) << 40n) + BigInt(slot)).toString();
}

const LOG_COLUMNS = [
  'slot',
  'version',
  'blockhash',
  'parent_slot',
  'block_time_ms',
  'is_whole',
  'facts',
];

function logRow(facts: SlotFacts): Cell[] {
  return [
    facts.slot,
    completeness(facts),
    facts.blockhash,
    facts.parentSlot,
    facts.blockTimeMs,
    facts.isWhole,
    encodeSlotFacts(facts),
  ];
}

/**
 * The version of a slot in the log: a whole block replaces loose transactions, more transactions
 * replace fewer, and with equal transactions the newer decoder version wins.
 */
function completeness(facts: SlotFacts): number {
  const { isWhole, transactions, decoderVersion } = facts;
  return (isWhole ? 2 ** 48 : 0) + transactions.length * 2 ** 16 + decoderVersion;
}

function latestSlots(slots: readonly SlotFacts[]): SlotFacts[] {
  const latest = new Map<number, SlotFacts>();
  for (const facts of slots) {
    const known = latest.get(facts.slot);
    if (known === undefined || completeness(facts) >= completeness(known)) {
      latest.set(facts.slot, facts);
    }
  }
  return [...latest.values()];
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
