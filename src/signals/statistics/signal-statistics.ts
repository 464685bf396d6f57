import { SIGNAL_MODELS, type SignalModelName } from '../../model/signal.ts';
import type {
  Center,
  DayStatistics,
  ModelStatistics,
  SignalStatistics,
} from '../../model/signal-statistics.ts';
import type { UsdNano } from '../../model/units.ts';
import { ExactColumn } from './exact-column.ts';
import { atOnce, type Turns } from './turns.ts';

/** What statistics need of a signal and of its outcome as of now. */
export interface StatisticsRow {
  readonly model: SignalModelName;
  readonly createdAtMs: number;
  readonly marketCapUsd: UsdNano;
  readonly liquidityUsd: UsdNano;
  readonly athMarketCapUsd: UsdNano;
  /** Percent with nine decimals, as dollars have. */
  readonly roiE9: bigint;
  readonly maxDrawdownE9: bigint;
}

/** The same of many signals, figure by figure in one order. */
export interface StatisticsColumns {
  /** Places in SIGNAL_MODELS. */
  readonly models: Uint8Array;
  /** Whole days since 1970, UTC. */
  readonly days: Int32Array;
  readonly marketCap: ExactColumn;
  readonly liquidity: ExactColumn;
  readonly athMarketCap: ExactColumn;
  readonly roi: ExactColumn;
  readonly drawdown: ExactColumn;
}

export const DAY_MS = 86_400_000;

/** METHODS §6.4: exact, over all of the rows; outcomes that are not final count as they stand. */
export function signalStatistics(rows: readonly StatisticsRow[]): SignalStatistics {
  const column = (figure: (row: StatisticsRow) => bigint) => new ExactColumn(rows.map(figure));
  const columns = {
    models: Uint8Array.from(rows, ({ model }) => SIGNAL_MODELS.indexOf(model)),
    days: Int32Array.from(rows, ({ createdAtMs }) => Math.floor(createdAtMs / DAY_MS)),
    marketCap: column(({ marketCapUsd }) => marketCapUsd),
    liquidity: column(({ liquidityUsd }) => liquidityUsd),
    athMarketCap: column(({ athMarketCapUsd }) => athMarketCapUsd),
    roi: column(({ roiE9 }) => roiE9),
    drawdown: column(({ maxDrawdownE9 }) => maxDrawdownE9),
  };
  return atOnce(statisticsInTurns(columns));
}

/** The same a part at a time, for who shares a thread: some milliseconds of 100,000 signals. */
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
  const room = new Float64Array(count);
  const models = placesBy(columns.models)
    .map(([model, places]) => toModel(model, columns, places, room))
    .sort(byCount);
  yield;
  const days = placesBy(columns.days)
    .sort(([one], [other]) => one - other)
    .map(([day, places]) => toDay(day, columns.roi.pick(places, room)));
  return { count, roi, drawdown, marketCap, athMarketCap, liquidity, models, days };
}

/** Places of the rows by what they have in common. */
function placesBy(keys: Uint8Array | Int32Array): (readonly [key: number, places: Int32Array])[] {
  const { groups, ofRows } = groupsOf(keys);
  // Of each group where it begins; where the next begins it ends.
  const begins = new Int32Array(groups.length + 1);
  for (let row = 0; row < keys.length; row++) {
    const after = (ofRows[row] ?? 0) + 1;
    begins[after] = (begins[after] ?? 0) + 1;
  }
  for (let group = 0; group < groups.length; group++) {
    begins[group + 1] = (begins[group + 1] ?? 0) + (begins[group] ?? 0);
  }
  const next = begins.slice();
  const places = new Int32Array(keys.length);
  for (let row = 0; row < keys.length; row++) {
    const group = ofRows[row] ?? 0;
    const at = next[group] ?? 0;
    places[at] = row;
    next[group] = at + 1;
  }
  return groups.map((key, group) => [key, places.subarray(begins[group], begins[group + 1])]);
}

const NEAR = 256;

/** The keys there are, in the order in which they come, and the place of each row's key among them. */
function groupsOf(keys: Uint8Array | Int32Array) {
  const groups: number[] = [];
  const known = new Map<number, number>();
  // Keys are few or follow one another: looked up once, remembered by their last bits.
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
  place: number,
  columns: StatisticsColumns,
  places: Int32Array,
  room: Float64Array,
): ModelStatistics {
  const model = SIGNAL_MODELS[place];
  if (model === undefined) throw new RangeError(`there is no model ${place}`);
  const roi = columns.roi.pick(places, room);
  const [meanRoiE9, medianRoiE9] = [roi.mean(), roi.median()];
  const meanDrawdownE9 = columns.drawdown.pick(places, room).mean();
  return { model, count: places.length, meanRoiE9, medianRoiE9, meanDrawdownE9 };
}

function byCount(one: ModelStatistics, other: ModelStatistics): number {
  return other.count - one.count || (one.model < other.model ? -1 : 1);
}

function toDay(day: number, roi: ExactColumn): DayStatistics {
  const date = new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
  return { date, count: roi.count, meanRoiE9: roi.mean() };
}
