import {
  CONTROL_MODEL,
  EXIT_RULES,
  SIGNAL_MODELS,
  type SignalOrigin,
  TICKETS_USD,
} from '../model/signal.ts';
import type { OutcomeFigures, SignalFigures, SignalQuery } from '../model/signal-listing.ts';
import { asUsdNano } from '../model/units.ts';
import {
  type ExecutionColumns,
  returnE9Of,
  toReturn,
} from '../signals/statistics/execution-statistics.ts';
import { marketCellOf } from '../signals/statistics/market-cell.ts';
import type { StatisticsColumns } from '../signals/statistics/signal-statistics.ts';
import { GrowingColumn, GrowingNumbers } from './signal-growing.ts';
import { Selection } from './signal-selection.ts';

/** Selected columns; valid until the next selection or change. */
export interface SelectedColumns {
  readonly statistics: StatisticsColumns;
  readonly execution: ExecutionColumns;
  /** Random minutes of the same time range. */
  readonly control: ExecutionColumns;
}

/** Model index of random minutes. */
const CONTROL = SIGNAL_MODELS.length;
/** Rules beyond are counted together: more than there can be at one time. */
const MODELS_MAX = 65_535;

/** The column values of an outcome, kept to restore them. */
export interface OutcomeCells {
  readonly athMarketCap: bigint;
  readonly roi: bigint;
  readonly drawdown: bigint;
  /** NaN for an open position. */
  readonly returnsE9: readonly number[];
}

/**
 * Columns of signals and random minutes. Statistics over 100,000 rows need only as much time as
 * iterating over as many objects. About 250 bytes per row, including the buffers shared by all
 * queries.
 */
export class SignalColumns {
  private readonly places = new Map<number, number>();
  /** The models that have an index; those of rules follow the control. */
  private readonly names: SignalOrigin[] = [...SIGNAL_MODELS, CONTROL_MODEL];
  private readonly indexes = new Map(this.names.map((name, index) => [name, index]));
  private readonly rowIds = new GrowingNumbers();
  private readonly models = new GrowingNumbers();
  private readonly times = new GrowingNumbers();
  private readonly cells = new GrowingNumbers();
  private readonly marketCap = new GrowingColumn();
  private readonly liquidity = new GrowingColumn();
  private readonly athMarketCap = new GrowingColumn();
  private readonly roi = new GrowingColumn();
  private readonly drawdown = new GrowingColumn();
  private readonly returnsE9: readonly GrowingNumbers[] = EXIT_RULES.flatMap(() =>
    TICKETS_USD.map(() => new GrowingNumbers()),
  );
  private readonly signals = new Selection();
  private readonly controls = new Selection();

  get size(): number {
    return this.places.size;
  }

  /** Row of a signal; null if it is not in the table. */
  placeOf(rowId: number): number | null {
    return this.places.get(rowId) ?? null;
  }

  timeAt(row: number): number {
    return this.times.at(row);
  }

  /** Adds a signal that is not in the table yet, with an empty outcome. */
  add(signal: SignalFigures): void {
    const row = this.size;
    this.places.set(signal.rowId, row);
    this.rowIds.set(row, signal.rowId);
    this.models.set(row, this.modelIndex(signal.model));
    this.times.set(row, signal.createdAtMs);
    this.cells.set(row, marketCellOf(signal));
    this.marketCap.set(row, signal.marketCapUsd);
    this.liquidity.set(row, signal.liquidityUsd);
    this.setCells(row, NOTHING);
  }

  setOutcome(row: number, outcome: OutcomeFigures): void {
    this.setCells(row, {
      athMarketCap: outcome.athMarketCapUsd,
      roi: outcome.roiE9,
      drawdown: outcome.maxDrawdownE9,
      returnsE9: EXIT_RULES.flatMap((rule) =>
        TICKETS_USD.map((ticketUsd) => returnE9Of(outcome.returns[rule], ticketUsd)),
      ),
    });
  }

  setCells(row: number, { athMarketCap, roi, drawdown, returnsE9 }: OutcomeCells): void {
    this.athMarketCap.set(row, athMarketCap);
    this.roi.set(row, roi);
    this.drawdown.set(row, drawdown);
    for (const [at, column] of this.returnsE9.entries()) {
      column.set(row, returnsE9[at] ?? Number.NaN);
    }
  }

  cellsAt(row: number): OutcomeCells {
    return {
      athMarketCap: this.athMarketCap.at(row),
      roi: this.roi.at(row),
      drawdown: this.drawdown.at(row),
      returnsE9: this.returnsE9.map((column) => column.at(row)),
    };
  }

  /** Removes the rows from `begin` up to `end`; later rows move up. */
  remove(begin: number, end: number): void {
    const { size } = this;
    for (let row = begin; row < end; row++) this.places.delete(this.rowIds.at(row));
    const lists = [this.rowIds, this.models, this.times, this.cells, ...this.returnsE9];
    for (const list of [...lists, ...this.exact()]) list.remove(begin, end, size);
    for (let row = begin; row < this.size; row++) {
      this.places.set(this.rowIds.at(row), row);
    }
  }

  select(query: SignalQuery): SelectedColumns {
    this.findPlaces(query);
    const execution = this.execution(this.signals);
    const { places } = this.signals;
    const statistics = {
      names: this.names,
      models: this.signals.models(this.models),
      days: execution.places.days,
      marketCap: this.marketCap.pick(places),
      liquidity: this.liquidity.pick(places),
      athMarketCap: this.athMarketCap.pick(places),
      roi: this.roi.pick(places),
      drawdown: this.drawdown.pick(places),
    };
    return { statistics, execution, control: this.execution(this.controls) };
  }

  private findPlaces({ fromMs, toMs, model: asked }: SignalQuery): void {
    const wanted = asked === null ? null : (this.indexes.get(asked) ?? -1);
    const { size, signals, controls } = this;
    const { all: times } = this.times;
    const { all: models } = this.models;
    signals.start(size);
    controls.start(size);
    for (let row = 0; row < size; row++) {
      const timeMs = times[row] ?? 0;
      if (timeMs < fromMs || timeMs > toMs) continue;
      const model = models[row] ?? CONTROL;
      if (model === CONTROL) controls.add(row);
      else if (wanted === null ? model < CONTROL : model === wanted) signals.add(row);
    }
  }

  private modelIndex(model: SignalOrigin): number {
    const known = this.indexes.get(model);
    if (known !== undefined) return known;
    const index = Math.min(this.names.length, MODELS_MAX);
    this.names[index] = model;
    this.indexes.set(model, index);
    return index;
  }

  private execution(selection: Selection): ExecutionColumns {
    return {
      places: { days: selection.days(this.times), cells: selection.cells(this.cells) },
      rows: selection.places,
      returnsE9: this.returnsE9.map((column) => column.all),
    };
  }

  private exact(): readonly GrowingColumn[] {
    const { marketCap, liquidity, athMarketCap, roi, drawdown } = this;
    return [marketCap, liquidity, athMarketCap, roi, drawdown];
  }
}

const NOTHING: OutcomeCells = { athMarketCap: 0n, roi: 0n, drawdown: 0n, returnsE9: [] };

type Row = readonly (string | null)[];

/** Parses the JSON of `StoredSignals.figures`, in the column order of its SQL, one by one. */
export function* parseSignals(text: string): Generator<SignalFigures> {
  for (const [rowId, createdAtMs, model, ageMs, cap, liquidity] of JSON.parse(text) as Row[]) {
    yield {
      rowId: Number(rowId),
      createdAtMs: Number(createdAtMs),
      model: model as SignalOrigin,
      ageMs: ageMs === null ? null : Number(ageMs),
      marketCapUsd: asUsdNano(BigInt(cap ?? 0)),
      liquidityUsd: asUsdNano(BigInt(liquidity ?? 0)),
    };
  }
}

export function* parseOutcomes(text: string): Generator<OutcomeCells & { readonly rowId: number }> {
  for (const [rowId, ath, roi, drawdown, ...returnsE9] of JSON.parse(text) as Row[]) {
    yield {
      rowId: Number(rowId),
      athMarketCap: BigInt(ath ?? 0),
      roi: BigInt(roi ?? 0),
      drawdown: BigInt(drawdown ?? 0),
      returnsE9: returnsE9.map((value) => (value === null ? Number.NaN : toReturn(BigInt(value)))),
    };
  }
}
