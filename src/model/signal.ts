import type { Address, PriceE18, RawAmount, Slot, UsdNano } from './units.ts';

/** Models whose signals are shown, by the names the wire uses. */
export const SIGNAL_MODELS = [
  'influx_high_on_dip',
  'smart_money_bounce',
  'smart_money_surge',
  'organic_momentum',
] as const;

export type SignalModelName = (typeof SIGNAL_MODELS)[number];

/**
 * Draws random minutes among those in which a model may give a signal, as a baseline for the
 * models. Its rows are stored with the signals and never shown as signals.
 */
export const CONTROL_MODEL = 'random_minute';

export type SignalOrigin = SignalModelName | typeof CONTROL_MODEL;

/** A measured figure within the range that its model requires; a null end is open. */
export interface PassedCondition {
  readonly feature: string;
  readonly value: number;
  readonly least: number | null;
  readonly most: number | null;
}

/** A model's signal for a token at the end of a minute. Never changes. */
export interface Signal {
  /** From 1, in the order in which signals were given. */
  readonly rowId: number;
  readonly model: SignalOrigin;
  /** Raised whenever the model's behaviour changes. */
  readonly version: number;
  /** SHA-256 of the model's parameters, 64 hex digits. */
  readonly parametersHash: string;
  readonly mint: Address;
  /** Primary pool of the mint. */
  readonly pool: Address;
  readonly name: string | null;
  readonly symbol: string | null;
  /**
   * The slot that ended the minute. None of its data was used, and no trade on the signal can
   * happen before it.
   */
  readonly slot: Slot;
  /** Logical time of that slot. */
  readonly createdAtMs: number;
  /** The figures are as of this slot, the last of the minute. */
  readonly asOfSlot: Slot;
  readonly priceUsd: PriceE18;
  /** Supply net of burns. */
  readonly supplyRaw: RawAmount;
  readonly decimals: number;
  readonly marketCapUsd: UsdNano;
  readonly liquidityUsd: UsdNano;
  /** Age of the token in milliseconds; null for a token older than the recorded history. */
  readonly ageMs: number | null;
  /** Reason of the signal: all measured features, and the conditions that passed. */
  readonly features: Readonly<Record<string, number | null>>;
  readonly passed: readonly PassedCondition[];
}

/**
 * Outcome of a signal's token as of a slot (METHODS §6.2). Market caps are prices times the supply
 * at the time of the signal. Percentages have nine decimals.
 */
export interface Outcome {
  readonly rowId: number;
  /** Highest price since the signal; the signal's own price until there is another. */
  readonly highPriceUsd: PriceE18;
  /** Lowest price between the signal and that high. */
  readonly lowPriceUsd: PriceE18;
  readonly athMarketCapUsd: UsdNano;
  readonly maxDrawdownMarketCapUsd: UsdNano;
  /** Below 0 when the price never reached the signal's price again. */
  readonly roiE9: bigint;
  /** Drawdown from the signal's price, 0 or more. */
  readonly maxDrawdownE9: bigint;
  /** Drawdown from the highest price so far, before the last high; 0 or more. */
  readonly peakDrawdownE9: bigint;
  /** True once the outcome can no longer change: the horizon has passed, or the token is dead. */
  readonly isFinal: boolean;
  readonly slot: Slot;
  readonly execution: ExecutionOutcome;
}

/** Rules for closing a position, each fixed before entry (METHODS §6.3). */
export const EXIT_RULES = [
  'hold_5m',
  'hold_1h',
  'hold_24h',
  'take_profit_or_stop',
  'trailing_stop',
] as const;

export type ExitRule = (typeof EXIT_RULES)[number];

/** Amount invested in dollars, all costs included. */
export const TICKETS_USD = [200, 1_000] as const;

/** Result of following a signal, by exit rule. */
export interface ExecutionOutcome {
  /** Null until the position is entered. */
  readonly enteredAtMs: number | null;
  readonly returns: Readonly<Record<ExitRule, readonly TicketReturn[] | null>>;
  /** Whether the price rose by 50 % before it fell by 30 %; null until it does either. */
  readonly roseBeforeFell: boolean | null;
}

/** Return of a ticket in percent of the amount invested, with nine decimals, after all costs. */
export interface TicketReturn {
  readonly ticketUsd: number;
  readonly returnE9: bigint;
}

/** Fraction digits of the percentages in outcomes. */
export const PERCENT_SCALE = 9;
