import { EXIT_RULES, type ExecutionOutcome, type Signal, TICKETS_USD } from '../../model/signal.ts';
import type { ExecutionStatistics } from '../../model/signal-statistics.ts';
import type { MatchedCells, ReturnsE9, SlotSums } from './day-cells.ts';
import { DayDraws } from './day-draws.ts';
import { ExactColumn, NONE_WIDE } from './exact-column.ts';
import { marketCellOf } from './market-cell.ts';
import { MatchedLift } from './matched-lift.ts';
import { DAY_MS } from './signal-statistics.ts';
import { atOnce, type Turns } from './turns.ts';

/** A signal, or a random minute, with its realisable returns. */
export interface ExecutionRow
  extends Pick<Signal, 'createdAtMs' | 'ageMs' | 'marketCapUsd' | 'liquidityUsd'> {
  readonly returns: ExecutionOutcome['returns'];
}

/** The same for many rows, one column per field. */
export interface ExecutionColumns {
  /** In the order of the rows. */
  readonly places: MatchedCells;
  /** The indexes of the rows in the columns. */
  readonly rows: Int32Array;
  /** By exit rule, then by ticket; NaN if the position is not closed. */
  readonly returnsE9: readonly Float64Array[];
}

/** By ticket, then by exit rule (METHODS §6.3). */
export function executionStatistics(
  signals: readonly ExecutionRow[],
  controls: readonly ExecutionRow[],
): readonly ExecutionStatistics[] {
  return atOnce(executionInTurns(columnsOf(signals), columnsOf(controls), new DayDraws()));
}

/** The same in parts, for threads with other work: some milliseconds per 100,000 signals. */
export function* executionInTurns(
  signals: ExecutionColumns,
  controls: ExecutionColumns,
  draws: DayDraws,
): Turns<readonly ExecutionStatistics[]> {
  const matching = new MatchedLift(signals.places, controls.places, draws);
  const { signals: own, controls: base } = matching;
  const buffer = new Float64Array(Math.max(signals.rows.length, controls.rows.length));
  yield;
  const found: ExecutionStatistics[] = [];
  for (const [ticket, ticketUsd] of TICKETS_USD.entries()) {
    for (const [at, rule] of EXIT_RULES.entries()) {
      const index = at * TICKETS_USD.length + ticket;
      const baseSums = base.sumsOf(returnsAt(controls, index), buffer);
      const sums = own.sumsOf(returnsAt(signals, index), buffer);
      const realised = earned(sums, buffer);
      yield;
      found.push({ rule, ticketUsd, ...realised, lift: yield* matching.of(sums, baseSums) });
      yield;
    }
  }
  return found;
}

function returnsAt({ returnsE9, rows }: ExecutionColumns, index: number): ReturnsE9 {
  const column = returnsE9[index];
  if (column === undefined) throw new RangeError(`there are no returns ${index}`);
  return { column, rows };
}

function earned(
  { count, wins }: SlotSums,
  closed: Float64Array,
): Pick<ExecutionStatistics, 'count' | 'meanE9' | 'medianE9' | 'winShare'> {
  const column = new ExactColumn(closed.subarray(0, count), NONE_WIDE);
  return {
    count,
    meanE9: column.mean(),
    medianE9: column.median(),
    winShare: count === 0 ? null : wins / count,
  };
}

function columnsOf(rows: readonly ExecutionRow[]): ExecutionColumns {
  const returnsE9 = EXIT_RULES.flatMap((rule) =>
    TICKETS_USD.map((ticketUsd) =>
      Float64Array.from(rows, ({ returns }) => returnE9Of(returns[rule], ticketUsd)),
    ),
  );
  return {
    places: {
      days: Int32Array.from(rows, ({ createdAtMs }) => Math.floor(createdAtMs / DAY_MS)),
      cells: Int32Array.from(rows, marketCellOf),
    },
    rows: Int32Array.from(rows.keys()),
    returnsE9,
  };
}

/** At most 9 million percent, whose nine decimals a double represents; NaN for an open position. */
export function returnE9Of(
  returns: ExecutionOutcome['returns'][keyof ExecutionOutcome['returns']],
  ticketUsd: number,
): number {
  const found = returns?.find((each) => each.ticketUsd === ticketUsd);
  return found === undefined ? Number.NaN : toReturn(found.returnE9);
}

const RETURN_MAX = Number.MAX_SAFE_INTEGER;

/** Returns above nine million percent are capped at that value. */
export function toReturn(returnE9: bigint): number {
  return Math.max(-RETURN_MAX, Math.min(RETURN_MAX, Number(returnE9)));
}
