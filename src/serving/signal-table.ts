import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatInstant } from '../api/present/format-wire.ts';
import { TRY_AGAIN } from '../api/schemas/error-responses.ts';
import { ApiError } from '../model/errors.ts';
import type { FiguresPage, FiguresQuery, SignalQuery } from '../model/signal-file.ts';
import type { ExecutionStatistics, SignalStatistics } from '../model/signal-statistics.ts';
import type { Slot } from '../model/units.ts';
import { DayDraws } from '../signals/statistics/day-draws.ts';
import { executionInTurns } from '../signals/statistics/execution-statistics.ts';
import { statisticsInTurns } from '../signals/statistics/signal-statistics.ts';
import type { Turns } from '../signals/statistics/turns.ts';
import { type OutcomeCells, parseOutcomes, parseSignals, SignalColumns } from './signal-columns.ts';

/** About 150 MB. Of more the oldest are left out, a tenth at a time. */
const SIGNALS_MAX = 1_000_000;

/** Stored rows that are taken in one turn: a few milliseconds. */
const TURN_ROWS = 1_000;

/** Answers that may wait for each other. */
const WAITING_MAX = 32;

/** What has to be taken out again: so many signals at the end, and outcomes that were others before. */
interface Unwritten {
  readonly size: number;
  readonly before: ReadonlyMap<number, OutcomeCells>;
}

export interface TableStatistics {
  readonly statistics: SignalStatistics;
  readonly execution: readonly ExecutionStatistics[];
}

/**
 * Statistics of signals on the API's thread: the figures of all signals, kept up to date by asking for
 * what is new before each answer, so that no answer reads or sorts history in the store. What is not
 * stored yet counts over what is and is taken out again before the next answer, since a fork may take
 * it back.
 */
export class SignalTable {
  private readonly fetch: (known: FiguresQuery) => Promise<FiguresPage>;
  private readonly sizeMax: number;
  private readonly draws = new DayDraws();
  private columns = new SignalColumns();
  private epoch = -1;
  private storedSlot: Slot | null = null;
  /** Signals up to here were left out; they are the oldest. */
  private leftOutToMs = Number.NEGATIVE_INFINITY;
  private unwritten: Unwritten = { size: 0, before: new Map() };
  private last: Promise<void> = Promise.resolve();
  private waiting = 0;

  constructor(fetch: (known: FiguresQuery) => Promise<FiguresPage>, sizeMax = SIGNALS_MAX) {
    this.fetch = fetch;
    this.sizeMax = sizeMax;
  }

  get size(): number {
    return this.columns.size;
  }

  /**
   * Of all signals of a span, as of now, one answer after another: in memory that they share. Throws
   * ApiError 422 for a span that reaches too far back, 503 when too many wait.
   */
  async statistics(query: SignalQuery): Promise<TableStatistics> {
    if (this.waiting >= WAITING_MAX) throw new ApiError(503, TRY_AGAIN);
    this.waiting++;
    const answer = this.last.then(() => this.answer(query));
    // One that failed does not keep the next from being answered.
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

  private async answer(query: SignalQuery): Promise<TableStatistics> {
    await this.refresh();
    await nextTurn();
    if (query.fromMs <= this.leftOutToMs) {
      const first = formatInstant(this.leftOutToMs + 1);
      throw new ApiError(422, `Statistics are kept of signals from ${first} on.`);
    }
    const { statistics, execution, control } = this.columns.select(query);
    return {
      statistics: await inTurns(statisticsInTurns(statistics)),
      execution: await inTurns(executionInTurns(execution, control, this.draws)),
    };
  }

  private async refresh(): Promise<void> {
    const known = { epoch: this.epoch, afterSlot: this.storedSlot };
    let page = await this.fetch({ ...known, afterRowId: 0 });
    this.takeBack();
    if (page.epoch !== this.epoch) this.startAnew(page.epoch);
    // What is stored while pages are read is asked for the next time.
    const { storedSlot } = page;
    await this.takeStored(page);
    while (page.nextRowId !== null) {
      const { epoch, storedSlot: afterSlot } = this;
      page = await this.fetch({ epoch, afterSlot, afterRowId: page.nextRowId });
      // What was read so far is of another fold now.
      if (page.epoch !== this.epoch) return this.refresh();
      await this.takeStored(page);
    }
    this.takeUnwritten(page);
    this.storedSlot = storedSlot;
  }

  private startAnew(epoch: number): void {
    this.columns = new SignalColumns();
    this.epoch = epoch;
    this.storedSlot = null;
    this.leftOutToMs = Number.NEGATIVE_INFINITY;
  }

  /** In turns: the first answer takes all there are. */
  private async takeStored({ signals, outcomes }: FiguresPage): Promise<void> {
    let taken = 0;
    for (const signal of parseSignals(signals)) {
      if (++taken % TURN_ROWS === 0) await nextTurn();
      const isLeftOut = signal.createdAtMs <= this.leftOutToMs;
      if (!isLeftOut && this.columns.placeOf(signal.rowId) === null) this.columns.add(signal);
    }
    for (const outcome of parseOutcomes(outcomes)) {
      if (++taken % TURN_ROWS === 0) await nextTurn();
      const place = this.columns.placeOf(outcome.rowId);
      if (place !== null) this.columns.setCells(place, outcome);
    }
    if (this.columns.size <= this.sizeMax) return;
    const end = this.columns.size - Math.floor(this.sizeMax * 0.9);
    this.leftOutToMs = this.columns.timeAt(end - 1);
    this.columns.remove(0, end);
  }

  private takeUnwritten({ unwritten }: FiguresPage): void {
    const { size } = this.columns;
    const before = new Map<number, OutcomeCells>();
    for (const signal of unwritten.signals) {
      if (this.columns.placeOf(signal.rowId) === null) this.columns.add(signal);
    }
    for (const outcome of unwritten.outcomes) {
      const place = this.columns.placeOf(outcome.rowId);
      if (place === null) continue;
      if (place < size) before.set(place, this.columns.cellsAt(place));
      this.columns.setOutcome(place, outcome);
    }
    this.unwritten = { size: this.columns.size - size, before };
  }

  private takeBack(): void {
    const { size, before } = this.unwritten;
    for (const [place, cells] of before) this.columns.setCells(place, cells);
    this.columns.remove(this.columns.size - size, this.columns.size);
    this.unwritten = { size: 0, before: new Map() };
  }
}

/** Lets others have their turn in between. */
async function inTurns<Result>(steps: Turns<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}
