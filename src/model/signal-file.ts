import {
  CONTROL_MODEL,
  type Outcome,
  type Signal,
  type SignalModelName,
  type SignalOrigin,
} from './signal.ts';
import type { Slot } from './units.ts';

/** Signals of a span of time. */
export interface SignalQuery {
  /** Both ends are within the span. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Null for all models that are shown. */
  readonly model: SignalModelName | null;
}

export interface SignalPageQuery extends SignalQuery {
  readonly limit: number;
  /** Only signals that were given before this one; null for the newest. */
  readonly beforeRowId: number | null;
}

/** A signal and what became of it, as far as lists and streams tell it. */
export interface SignalListing
  extends Pick<
      Signal,
      | 'rowId'
      | 'version'
      | 'mint'
      | 'pool'
      | 'name'
      | 'symbol'
      | 'createdAtMs'
      | 'marketCapUsd'
      | 'liquidityUsd'
    >,
    OutcomeListing {
  readonly model: SignalModelName;
}

/** As of `slot`. */
export type OutcomeListing = Pick<
  Outcome,
  'slot' | 'athMarketCapUsd' | 'maxDrawdownMarketCapUsd' | 'roiE9' | 'maxDrawdownE9'
>;

/** A signal of a model that is shown. */
export type ShownSignal = Signal & { readonly model: SignalModelName };

export function isShown(signal: Signal): signal is ShownSignal {
  return signal.model !== CONTROL_MODEL;
}

export function toListing(signal: ShownSignal, outcome: Outcome): SignalListing {
  return {
    rowId: signal.rowId,
    model: signal.model,
    version: signal.version,
    mint: signal.mint,
    pool: signal.pool,
    name: signal.name,
    symbol: signal.symbol,
    createdAtMs: signal.createdAtMs,
    marketCapUsd: signal.marketCapUsd,
    liquidityUsd: signal.liquidityUsd,
    ...toOutcomeListing(outcome),
  };
}

export function toOutcomeListing(outcome: Outcome): OutcomeListing {
  const { slot, athMarketCapUsd, maxDrawdownMarketCapUsd, roiE9, maxDrawdownE9 } = outcome;
  return { slot, athMarketCapUsd, maxDrawdownMarketCapUsd, roiE9, maxDrawdownE9 };
}

/** Everything that is kept of a signal. */
export interface SignalDetail {
  readonly signal: ShownSignal;
  readonly outcome: Outcome;
}

/** What statistics need of a signal, or of a random minute, that never changes. */
export interface SignalFigures
  extends Pick<Signal, 'rowId' | 'createdAtMs' | 'ageMs' | 'marketCapUsd' | 'liquidityUsd'> {
  readonly model: SignalOrigin;
}

/** What statistics need of an outcome. */
export interface OutcomeFigures
  extends Pick<Outcome, 'rowId' | 'athMarketCapUsd' | 'roiE9' | 'maxDrawdownE9'> {
  readonly returns: Outcome['execution']['returns'];
}

/** How far somebody knows the figures of a fold already. */
export interface FiguresQuery {
  readonly epoch: number;
  /** Everything that is stored up to this slot is known; null for nothing. */
  readonly afterSlot: Slot | null;
  /** Of what is stored since, everything up to this number. */
  readonly afterRowId: number;
}

/** Figures that are new or others. */
export interface FiguresPage {
  /** The fold that answers; what is known of another one is worth nothing. */
  readonly epoch: number;
  /** Everything up to this slot is stored; what is asked next goes on from it. */
  readonly storedSlot: Slot | null;
  /** JSON lists of rows, which cost the thread that reads them from the store nothing to pass on. */
  readonly signals: string;
  readonly outcomes: string;
  /** Ask again from this number on; null when this was the last page. */
  readonly nextRowId: number | null;
  /** What is folded and not stored: it counts over what is, until the next answer. */
  readonly unwritten: {
    readonly signals: readonly SignalFigures[];
    readonly outcomes: readonly OutcomeFigures[];
  };
}
