import {
  CONTROL_MODEL,
  type ShownModel,
  SIGNAL_MODELS,
  type SignalOrigin,
} from '../../model/signal.ts';
import type {
  Center,
  DayStatistics,
  ModelStatistics,
  SignalStatistics,
} from '../../model/signal-statistics.ts';
import type { UsdNano } from '../../model/units.ts';
import { ExactColumn } from './exact-column.ts';
import { atOnce, type Turns } from './turns.ts';

/** The fields of a signal and of its current outcome that statistics use. */
export interface StatisticsRow {
  readonly model: ShownModel;
  readonly createdAtMs: number;
  readonly marketCapUsd: UsdNano;
  readonly liquidityUsd: UsdNano;
  readonly athMarketCapUsd: UsdNano;
  /** Percent with nine decimals; dollars have as many. */
  readonly roiE9: bigint;
  readonly maxDrawdownE9: bigint;
}

/** The same for many signals, one column per field, in one order. */
export interface StatisticsColumns {
  /** What indexes of models mean: SIGNAL_MODELS, the control, and rules. */
  readonly names: readonly SignalOrigin[];
  readonly models: Uint16Array;
  /** Whole days since 1970, UTC. */
  readonly days: Int32Array;
  readonly marketCap: ExactColumn;
  readonly liquidity: ExactColumn;
  readonly athMarketCap: ExactColumn;
  readonly roi: ExactColumn;
  readonly drawdown: ExactColumn;
}

export const DAY_MS = 86_400_000;

/** Exact statistics over all rows (METHODS §6.4); outcomes that are not final count as they are. */
export function signalStatistics(rows: readonly StatisticsRow[]): SignalStatistics {
  const column = (figure: (row: StatisticsRow) => bigint) => new ExactColumn(rows.map(figure));
  const names: readonly SignalOrigin[] = [
    ...new Set([...SIGNAL_MODELS, ...rows.map(({ model }) => model)]),
  ];
  const columns = {
    names,
    models: Uint16Array.from(rows, ({ model }) => names.indexOf(model)),
    days: Int32Array.from(rows, ({ createdAtMs }) => Math.floor(createdAtMs / DAY_MS)),
    marketCap: column(({ marketCapUsd }) => marketCapUsd),
    liquidity: column(({ liquidityUsd }) => liquidityUsd),
    athMarketCap: column(({ athMarketCapUsd }) => athMarketCapUsd),
    roi: column(({ roiE9 }) => roiE9),
    drawdown: column(({ maxDrawdownE9 }) => maxDrawdownE9),
  };
  return atOnce(statisticsInTurns(columns));
}

/** The same in parts, for threads with other work: some milliseconds per 100,000 signals. */
export function* statisticsInTurns(columns: StatisticsColumns): Turns<SignalStatistics> {
  const roi = columns.roi.summary();
  yield;
  const drawdown = columns.drawdown.summary();
  yield;
  const marketCap = centerOf(columns.marketCap);
  yield;
  const athMarketCap = centerOf(columns.athMarketCap);
  yield;
  const liquidity = centerOf(columns.liquidity);
  yield;
  const count = columns.days.length;
  const buffer = new Float64Array(count);
  const models = rowsBy(columns.models)
    .map(([model, rows]) => toModel(model, columns, rows, buffer))
    .sort(byCount);
  yield;
  const days = rowsBy(columns.days)
    .sort(([one], [other]) => one - other)
    .map(([day, rows]) => toDay(day, columns.roi.pick(rows, buffer)));
  return { count, roi, drawdown, marketCap, athMarketCap, liquidity, models, days };
}

/** Row indexes grouped by key. */
function rowsBy(keys: Uint16Array | Int32Array): (readonly [key: number, rows: Int32Array])[] {
  const { groups, ofRows } = groupsOf(keys);
  // The start of each group; it ends where the next one starts.
  const begins = new Int32Array(groups.length + 1);
  for (let row = 0; row < keys.length; row++) {
    const after = (ofRows[row] ?? 0) + 1;
    begins[after] = (begins[after] ?? 0) + 1;
  }
  for (let group = 0; group < groups.length; group++) {
    begins[group + 1] = (begins[group + 1] ?? 0) + (begins[group] ?? 0);
  }
  const next = begins.slice();
  const rows = new Int32Array(keys.length);
  for (let row = 0; row < keys.length; row++) {
    const group = ofRows[row] ?? 0;
    const at = next[group] ?? 0;
    rows[at] = row;
    next[group] = at + 1;
  }
  return groups.map((key, group) => [key, rows.subarray(begins[group], begins[group + 1])]);
}

const NEAR = 256;

/** The distinct keys in order of appearance, and for each row the index of its key. */
function groupsOf(keys: Uint16Array | Int32Array) {
  const groups: number[] = [];
  const known = new Map<number, number>();
  // There are few keys, or equal ones follow one another: a small cache by their lowest bits
  // suffices.
  const near = new Int32Array(NEAR).fill(-1);
  const ofRows = new Int32Array(keys.length);
  for (let row = 0; row < keys.length; row++) {
    const key = keys[row] ?? 0;
    const at = key & (NEAR - 1);
    let group = near[at] ?? -1;
    if (group === -1 || groups[group] !== key) {
      group = known.get(key) ?? groups.length;
      if (group === groups.length) groups.push(key);
      known.set(key, group);
      near[at] = group;
    }
    ofRows[row] = group;
  }
  return { groups, ofRows };
}

function centerOf(column: ExactColumn): Center {
  return { mean: column.mean(), median: column.median() };
}

function toModel(
  index: number,
  columns: StatisticsColumns,
  rows: Int32Array,
  buffer: Float64Array,
): ModelStatistics {
  const model = columns.names[index];
  if (model === undefined || model === CONTROL_MODEL)
    throw new RangeError(`there is no model ${index}`);
  const roi = columns.roi.pick(rows, buffer);
  const [meanRoiE9, medianRoiE9] = [roi.mean(), roi.median()];
  const meanDrawdownE9 = columns.drawdown.pick(rows, buffer).mean();
  return { model, count: rows.length, meanRoiE9, medianRoiE9, meanDrawdownE9 };
}

function byCount(one: ModelStatistics, other: ModelStatistics): number {
  return other.count - one.count || (one.model < other.model ? -1 : 1);
}

function toDay(day: number, roi: ExactColumn): DayStatistics {
  const date = new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
  return { date, count: roi.count, meanRoiE9: roi.mean() };
}
