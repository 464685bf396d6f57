import {
  CONTROL_MODEL,
  EXIT_RULES,
  SIGNAL_MODELS,
  type SignalOrigin,
  TICKETS_USD,
} from '../model/signal.ts';
import type { OutcomeFigures, SignalFigures, SignalQuery } from '../model/signal-file.ts';
import type { UsdNano } from '../model/units.ts';
import {
  type ExecutionColumns,
  returnE9Of,
  toReturn,
} from '../signals/statistics/execution-statistics.ts';
import { marketCellOf } from '../signals/statistics/market-cell.ts';
import type { StatisticsColumns } from '../signals/statistics/signal-statistics.ts';
import { GrowingColumn, GrowingNumbers } from './signal-growing.ts';
import { Selection } from './signal-selection.ts';

/** Figures of some signals, good until others are selected or anything changes. */
export interface SelectedColumns {
  readonly statistics: StatisticsColumns;
  readonly execution: ExecutionColumns;
  /** Random minutes of the same span. */
  readonly control: ExecutionColumns;
}

/** The place of random minutes among the models. */
const CONTROL = SIGNAL_MODELS.length;

/** An outcome as it is in the columns, to be put back. */
export interface OutcomeCells {
  readonly athMarketCap: bigint;
  readonly roi: bigint;
  readonly drawdown: bigint;
  /** NaN where a position is open. */
  readonly returnsE9: readonly number[];
}

/**
 * Figures of signals and random minutes, column by column: statistics over 100,000 of them take what
 * looking at as many objects takes. About 250 bytes each, with the memory that answers share.
 */
export class SignalColumns {
  private readonly places = new Map<number, number>();
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

  /** Null for a signal that is not here. */
  placeOf(rowId: number): number | null {
    return this.places.get(rowId) ?? null;
  }

  timeAt(place: number): number {
    return this.times.at(place);
  }

  /** Adds a signal that is not here yet, with an outcome of nothing. */
  add(signal: SignalFigures): void {
    const place = this.size;
    this.places.set(signal.rowId, place);
    this.rowIds.set(place, signal.rowId);
    this.models.set(place, modelIndex(signal.model));
    this.times.set(place, signal.createdAtMs);
    this.cells.set(place, marketCellOf(signal));
    this.marketCap.set(place, signal.marketCapUsd);
    this.liquidity.set(place, signal.liquidityUsd);
    this.setCells(place, NOTHING);
  }

  setOutcome(place: number, outcome: OutcomeFigures): void {
    this.setCells(place, {
      athMarketCap: outcome.athMarketCapUsd,
      roi: outcome.roiE9,
      drawdown: outcome.maxDrawdownE9,
      returnsE9: EXIT_RULES.flatMap((rule) =>
        TICKETS_USD.map((ticketUsd) => returnE9Of(outcome.returns[rule], ticketUsd)),
      ),
    });
  }

  setCells(place: number, { athMarketCap, roi, drawdown, returnsE9 }: OutcomeCells): void {
    this.athMarketCap.set(place, athMarketCap);
    this.roi.set(place, roi);
    this.drawdown.set(place, drawdown);
    for (const [at, column] of this.returnsE9.entries()) {
      column.set(place, returnsE9[at] ?? Number.NaN);
    }
  }

  cellsAt(place: number): OutcomeCells {
    return {
      athMarketCap: this.athMarketCap.at(place),
      roi: this.roi.at(place),
      drawdown: this.drawdown.at(place),
      returnsE9: this.returnsE9.map((column) => column.at(place)),
    };
  }

  /** Takes away all places from `begin` up to `end`; those behind move up. */
  remove(begin: number, end: number): void {
    const { size } = this;
    for (let place = begin; place < end; place++) this.places.delete(this.rowIds.at(place));
    const lists = [this.rowIds, this.models, this.times, this.cells, ...this.returnsE9];
    for (const list of [...lists, ...this.exact()]) list.remove(begin, end, size);
    for (let place = begin; place < this.size; place++) {
      this.places.set(this.rowIds.at(place), place);
    }
  }

  select(query: SignalQuery): SelectedColumns {
    this.findPlaces(query);
    const execution = this.execution(this.signals);
    const { places } = this.signals;
    const statistics = {
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
    const wanted = asked === null ? null : modelIndex(asked);
    const { size, signals, controls } = this;
    const { all: times } = this.times;
    const { all: models } = this.models;
    signals.start(size);
    controls.start(size);
    for (let place = 0; place < size; place++) {
      const timeMs = times[place] ?? 0;
      if (timeMs < fromMs || timeMs > toMs) continue;
      const model = models[place];
      if (model === CONTROL) controls.add(place);
      else if (wanted === null || model === wanted) signals.add(place);
    }
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

function modelIndex(model: SignalOrigin): number {
  return model === CONTROL_MODEL ? CONTROL : SIGNAL_MODELS.indexOf(model);
}

type Row = readonly (string | null)[];

/** Reads the lists of `StoredSignals.figures`, in the order of their SQL, one by one. */
export function* parseSignals(text: string): Generator<SignalFigures> {
  for (const [rowId, createdAtMs, model, ageMs, cap, liquidity] of JSON.parse(text) as Row[]) {
    yield {
      rowId: Number(rowId),
      createdAtMs: Number(createdAtMs),
      model: model as SignalOrigin,
      ageMs: ageMs === null ? null : Number(ageMs),
      marketCapUsd: BigInt(cap ?? 0) as UsdNano,
      liquidityUsd: BigInt(liquidity ?? 0) as UsdNano,
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
