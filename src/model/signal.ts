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
 * Draws minutes at random among those in which a model may speak: what the others are compared with.
 * Its rows are kept beside the signals and never shown as such.
 */
export const CONTROL_MODEL = 'random_minute';

export type SignalOrigin = SignalModelName | typeof CONTROL_MODEL;

/** A measured figure within the range its model asks for; null is an open end. */
export interface PassedCondition {
  readonly feature: string;
  readonly value: number;
  readonly least: number | null;
  readonly most: number | null;
}

/** What a model said of a token at the end of a minute. Never changes. */
export interface Signal {
  /** From 1, in the order in which signals were given. */
  readonly rowId: number;
  readonly model: SignalOrigin;
  /** Raised whenever what the model does changes. */
  readonly version: number;
  /** SHA-256 of the model's parameters, 64 hex digits. */
  readonly parametersHash: string;
  readonly mint: Address;
  /** Primary pool of the mint. */
  readonly pool: Address;
  readonly name: string | null;
  readonly symbol: string | null;
  /** The slot that ended the minute: nothing of it was used, and nobody can trade before it. */
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
  /** Age of the token in milliseconds; null for one that is older than the held history. */
  readonly ageMs: number | null;
  /** Why: everything that was measured, and the conditions it passed. */
  readonly features: Readonly<Record<string, number | null>>;
  readonly passed: readonly PassedCondition[];
}

/**
 * What became of a signal's token, as of a slot (METHODS §6.2). Market caps are prices times the
 * supply that the signal saw. Percentages have nine decimals.
 */
export interface Outcome {
  readonly rowId: number;
  /** Highest price since the signal; the signal's own before there is any. */
  readonly highPriceUsd: PriceE18;
  /** Lowest price since the signal before that. */
  readonly lowPriceUsd: PriceE18;
  readonly athMarketCapUsd: UsdNano;
  readonly maxDrawdownMarketCapUsd: UsdNano;
  /** Below 0 where the price was never reached again. */
  readonly roiE9: bigint;
  /** From the signal's price down, 0 or more. */
  readonly maxDrawdownE9: bigint;
  /** From the highest price before it down, before the last high; 0 or more. */
  readonly peakDrawdownE9: bigint;
  /** True for good: the horizon passed, or the token died. */
  readonly isFinal: boolean;
  readonly slot: Slot;
  readonly execution: ExecutionOutcome;
}

/** Ways to leave a position, each fixed before it is entered (METHODS §6.3). */
export const EXIT_RULES = [
  'hold_5m',
  'hold_1h',
  'hold_24h',
  'take_profit_or_stop',
  'trailing_stop',
] as const;

export type ExitRule = (typeof EXIT_RULES)[number];

/** What is put in, in dollars, everything paid included. */
export const TICKETS_USD = [200, 1_000] as const;

/** What somebody would have had who followed a signal, by exit rule. */
export interface ExecutionOutcome {
  /** Null until the position was entered. */
  readonly enteredAtMs: number | null;
  readonly returns: Readonly<Record<ExitRule, readonly TicketReturn[] | null>>;
  /** Whether the price rose by half before it fell by 30 %; null while it did neither. */
  readonly roseBeforeFell: boolean | null;
}

/** Of a ticket in percent of what was put in, with nine decimals, after all costs. */
export interface TicketReturn {
  readonly ticketUsd: number;
  readonly returnE9: bigint;
}

/** Percentages of outcomes have so many fraction digits. */
export const PERCENT_SCALE = 9;
