import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatInstant } from '../api/present/format-wire.ts';
import { TRY_AGAIN } from '../api/schemas/error-responses.ts';
import type { AsOf } from '../model/as-of.ts';
import { ApiError } from '../model/errors.ts';
import type { FiguresPage, FiguresQuery, SignalQuery } from '../model/signal-listing.ts';
import type { ExecutionStatistics, SignalStatistics } from '../model/signal-statistics.ts';
import type { Slot } from '../model/units.ts';
import { DayDraws } from '../signals/statistics/day-draws.ts';
import { executionInTurns } from '../signals/statistics/execution-statistics.ts';
import { statisticsInTurns } from '../signals/statistics/signal-statistics.ts';
import type { Turns } from '../signals/statistics/turns.ts';
import { type OutcomeCells, parseOutcomes, parseSignals, SignalColumns } from './signal-columns.ts';

/** Uses about 150 MB. Beyond it the oldest tenth is dropped. */
const SIGNALS_MAX = 1_000_000;

/** Rows processed per turn of the event loop: a few milliseconds. */
const TURN_ROWS = 1_000;

/** Maximum number of waiting queries. */
const WAITING_MAX = 32;

/**
 * What to undo before the next query: the number of signals appended, and the previous outcomes of
 * others.
 */
interface Unwritten {
  readonly size: number;
  readonly before: ReadonlyMap<number, OutcomeCells>;
}

export interface TableStatistics {
  readonly statistics: SignalStatistics;
  readonly execution: readonly ExecutionStatistics[];
}

/**
 * Signal statistics on the API thread. The figures of all signals are kept in memory and updated
 * before each query, so that no query reads or sorts history in the store. Rows that are not stored
 * yet are applied on top and undone before the next query, because a fork may revert them.
 */
export class SignalTable {
  private readonly fetch: (known: FiguresQuery) => Promise<AsOf<FiguresPage>>;
  private readonly sizeMax: number;
  private readonly draws = new DayDraws();
  private columns = new SignalColumns();
  private epoch = -1;
  private storedSlot: Slot | null = null;
  /** Signals up to this time, the oldest, have been dropped. */
  private droppedToMs = Number.NEGATIVE_INFINITY;
  private unwritten: Unwritten = { size: 0, before: new Map() };
  private last: Promise<void> = Promise.resolve();
  private waiting = 0;

  constructor(fetch: (known: FiguresQuery) => Promise<AsOf<FiguresPage>>, sizeMax = SIGNALS_MAX) {
    this.fetch = fetch;
    this.sizeMax = sizeMax;
  }

  get size(): number {
    return this.columns.size;
  }

  /**
   * Statistics of all signals in a range, as of now. Queries share buffers and run one after
   * another. Throws ApiError 422 for a range that starts before the retained signals, and 503 when
   * too many queries wait.
   */
  async statistics(query: SignalQuery): Promise<AsOf<TableStatistics>> {
    if (this.waiting >= WAITING_MAX) throw new ApiError(503, TRY_AGAIN);
    this.waiting++;
    const answer = this.last.then(() => this.answer(query));
    // A failed query does not affect the next.
    this.last = answer.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await answer;
    } finally {
      this.waiting--;
    }
  }

  private async answer(query: SignalQuery): Promise<AsOf<TableStatistics>> {
    const { slot, timeMs } = await this.refresh();
    await nextTurn();
    if (query.fromMs <= this.droppedToMs) {
      const first = formatInstant(this.droppedToMs + 1);
      throw new ApiError(422, `Statistics are available for signals from ${first} on.`);
    }
    const { statistics, execution, control } = this.columns.select(query);
    const data = {
      statistics: await inTurns(statisticsInTurns(statistics)),
      execution: await inTurns(executionInTurns(execution, control, this.draws)),
    };
    return { slot, timeMs, data };
  }

  /** Returns the point that the table is as of: that of the last page. */
  private async refresh(): Promise<AsOf<FiguresPage>> {
    const known = { epoch: this.epoch, afterSlot: this.storedSlot };
    let read = await this.fetch({ ...known, afterRowId: 0 });
    let page = read.data;
    this.undoUnwritten();
    if (page.epoch !== this.epoch) this.restart(page.epoch);
    // Rows stored while the pages are read are fetched by the next refresh.
    const { storedSlot } = page;
    await this.takeStored(page);
    while (page.nextRowId !== null) {
      const { epoch, storedSlot: afterSlot } = this;
      read = await this.fetch({ epoch, afterSlot, afterRowId: page.nextRowId });
      page = read.data;
      // The store was replaced by a newer epoch: start over.
      if (page.epoch !== this.epoch) return this.refresh();
      await this.takeStored(page);
    }
    this.takeUnwritten(page);
    this.storedSlot = storedSlot;
    return read;
  }

  private restart(epoch: number): void {
    this.columns = new SignalColumns();
    this.epoch = epoch;
    this.storedSlot = null;
    this.droppedToMs = Number.NEGATIVE_INFINITY;
  }

  /** In several turns of the event loop: the first query loads all rows. */
  private async takeStored({ signals, outcomes }: FiguresPage): Promise<void> {
    let taken = 0;
    for (const signal of parseSignals(signals)) {
      if (++taken % TURN_ROWS === 0) await nextTurn();
      const isDropped = signal.createdAtMs <= this.droppedToMs;
      if (!isDropped && this.columns.placeOf(signal.rowId) === null) this.columns.add(signal);
    }
    for (const outcome of parseOutcomes(outcomes)) {
      if (++taken % TURN_ROWS === 0) await nextTurn();
      const row = this.columns.placeOf(outcome.rowId);
      if (row !== null) this.columns.setCells(row, outcome);
    }
    if (this.columns.size <= this.sizeMax) return;
    const end = this.columns.size - Math.floor(this.sizeMax * 0.9);
    this.droppedToMs = this.columns.timeAt(end - 1);
    this.columns.remove(0, end);
  }

  private takeUnwritten({ unwritten }: FiguresPage): void {
    const { size } = this.columns;
    const before = new Map<number, OutcomeCells>();
    for (const signal of unwritten.signals) {
      if (this.columns.placeOf(signal.rowId) === null) this.columns.add(signal);
    }
    for (const outcome of unwritten.outcomes) {
      const row = this.columns.placeOf(outcome.rowId);
      if (row === null) continue;
      if (row < size) before.set(row, this.columns.cellsAt(row));
      this.columns.setOutcome(row, outcome);
    }
    this.unwritten = { size: this.columns.size - size, before };
  }

  private undoUnwritten(): void {
    const { size, before } = this.unwritten;
    for (const [row, cells] of before) this.columns.setCells(row, cells);
    this.columns.remove(this.columns.size - size, this.columns.size);
    this.unwritten = { size: 0, before: new Map() };
  }
}

/** Runs the steps in separate turns of the event loop. */
async function inTurns<Result>(steps: Turns<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}
