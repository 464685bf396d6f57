import type { RuleHit } from './rule-hit.ts';
import {
  isBuiltIn,
  type Outcome,
  ruleOfModel,
  type ShownModel,
  type Signal,
  type SignalModelName,
  type SignalOrigin,
} from './signal.ts';
import type { Slot } from './units.ts';

/** Signals in a time range. */
export interface SignalQuery {
  /** Both ends are inclusive. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Null for all built-in models. */
  readonly model: ShownModel | null;
}

export interface SignalPageQuery extends SignalQuery {
  readonly limit: number;
  /** Only signals given before this one; null to start with the newest. */
  readonly beforeRowId: number | null;
}

/** A signal and its outcome, as shown in lists and streams. */
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

/** The rule that gave a signal. */
export type SignalRule = Pick<RuleHit, 'author' | 'name' | 'version' | 'hash'>;

/** A signal of a rule, as lists show it beside those of the models. */
export interface RuleSignalListing extends Omit<SignalListing, 'model'> {
  readonly rule: SignalRule;
}

/** A signal as streams show it. */
export type StreamedSignal = SignalListing | RuleSignalListing;

export function isOfRule(signal: StreamedSignal): signal is RuleSignalListing {
  return 'rule' in signal;
}

/** Signals of both in one range; together at most as many as were asked for. */
export interface SignalsWithRules {
  readonly signals: readonly SignalListing[];
  readonly ruleSignals: readonly RuleSignalListing[];
}

/** As of `slot`. */
export type OutcomeListing = Pick<
  Outcome,
  'slot' | 'athMarketCapUsd' | 'maxDrawdownMarketCapUsd' | 'roiE9' | 'maxDrawdownE9'
>;

/** A signal of a built-in model. Those of rules are shown to whom the rule is. */
export type ShownSignal = Signal & { readonly model: SignalModelName };

export function isShown(signal: Signal): signal is ShownSignal {
  return isBuiltIn(signal.model);
}

export function toListing(signal: ShownSignal, outcome: Outcome): SignalListing {
  return { model: signal.model, ...commonOf(signal, outcome) };
}

/** Null for a signal that no rule gave. */
export function toRuleListing(signal: Signal, outcome: OutcomeListing): RuleSignalListing | null {
  const rule = ruleOfSignal(signal);
  return rule === null ? null : { rule, ...commonOf(signal, outcome) };
}

/** The rule that gave a signal; null if no rule did. */
export function ruleOfSignal(signal: Signal): SignalRule | null {
  const author = ruleOfModel(signal.model);
  if (author === null) return null;
  return { ...author, version: signal.version, hash: signal.parametersHash };
}

function commonOf(signal: Signal, outcome: OutcomeListing): Omit<SignalListing, 'model'> {
  return {
    rowId: signal.rowId,
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

export function toOutcomeListing(outcome: OutcomeListing): OutcomeListing {
  const { slot, athMarketCapUsd, maxDrawdownMarketCapUsd, roiE9, maxDrawdownE9 } = outcome;
  return { slot, athMarketCapUsd, maxDrawdownMarketCapUsd, roiE9, maxDrawdownE9 };
}

/** Everything stored about a signal of a built-in model. */
export interface SignalDetail {
  readonly signal: ShownSignal;
  readonly outcome: Outcome;
}

/** Everything stored about a signal of a rule. */
export interface RuleSignalDetail {
  readonly rule: SignalRule;
  readonly signal: Signal;
  readonly outcome: Outcome;
}

/** A signal that was asked for by its number. */
export type FoundSignal = SignalDetail | RuleSignalDetail;

/** The part of a signal, or of a random minute, that statistics need. It never changes. */
export interface SignalFigures
  extends Pick<Signal, 'rowId' | 'createdAtMs' | 'ageMs' | 'marketCapUsd' | 'liquidityUsd'> {
  readonly model: SignalOrigin;
}

/** The part of an outcome that statistics need. */
export interface OutcomeFigures
  extends Pick<Outcome, 'rowId' | 'athMarketCapUsd' | 'roiE9' | 'maxDrawdownE9'> {
  readonly returns: Outcome['execution']['returns'];
}

/** The figures that the caller already has. */
export interface FiguresQuery {
  readonly epoch: number;
  /** Everything stored up to this slot is known; null when nothing is. */
  readonly afterSlot: Slot | null;
  /** Of the rows stored since, all up to this number are known. */
  readonly afterRowId: number;
}

/** Figures that are new or have changed. */
export interface FiguresPage {
  /** The fold that answers. Figures of another epoch are not comparable and must be discarded. */
  readonly epoch: number;
  /** Everything up to this slot is stored; the next query continues from it. */
  readonly storedSlot: Slot | null;
  /**
   * JSON arrays of rows, passed on as text so that the thread that reads them from the store does
   * not parse them.
   */
  readonly signals: string;
  readonly outcomes: string;
  /** Continue from this number; null on the last page. */
  readonly nextRowId: number | null;
  /** Applied but not yet stored. It takes precedence over stored rows until the next answer. */
  readonly unwritten: {
    readonly signals: readonly SignalFigures[];
    readonly outcomes: readonly OutcomeFigures[];
  };
}
