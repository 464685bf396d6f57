import {
  type Codec,
  type Described,
  float,
  integer,
  type Json,
  list,
  nullable,
  plain,
  record,
  text,
} from './codec.ts';
import type { Slot } from './units.ts';
import { address, amount, price, usd } from './value-codecs.ts';

/** Models whose signals are shown, by the names the wire uses. */
export const SIGNAL_MODELS = [
  'influx_high_on_dip',
  'smart_money_bounce',
  'smart_money_surge',
  'organic_momentum',
  'graduation_velocity',
] as const;

export type SignalModelName = (typeof SIGNAL_MODELS)[number];

/**
 * Draws random minutes among those in which a model may give a signal, as a baseline for the
 * models. Its rows are stored with the signals and never shown as signals.
 */
export const CONTROL_MODEL = 'random_minute';

/** `rule:author/name`, the model of signals of a rule. */
export type RuleModelName = `rule:${string}`;

/** Who gives signals that are shown. */
export type ShownModel = SignalModelName | RuleModelName;

export type SignalOrigin = ShownModel | typeof CONTROL_MODEL;

/** False for the control and for rules. */
export function isBuiltIn(model: SignalOrigin): model is SignalModelName {
  return model !== CONTROL_MODEL && !model.startsWith('rule:');
}

export function ruleModelName(author: string, name: string): RuleModelName {
  return `rule:${author}/${name}`;
}

/** The author and the name of the rule of a model; null for another model. */
export function ruleOfModel(model: SignalOrigin): { author: string; name: string } | null {
  const [, author, name] = /^rule:([^/]+)[/](.+)$/.exec(model) ?? [];
  return author === undefined || name === undefined ? null : { author, name };
}

const MAYBE_FLOAT = nullable(float);

export const PASSED_CONDITION = record({
  feature: text,
  value: float,
  least: MAYBE_FLOAT,
  most: MAYBE_FLOAT,
});

/** A measured figure within the range that its model requires; a null end is open. */
export interface PassedCondition extends Described<typeof PASSED_CONDITION> {}

/** Feature names with their measured values, in order. */
const FEATURES: Codec<Readonly<Record<string, number | null>>> = {
  encode: (value, strings) =>
    Object.entries(value).map(([name, measured]) => [name, MAYBE_FLOAT.encode(measured, strings)]),
  decode: (json, strings) =>
    Object.fromEntries(
      (json as readonly [string, Json][]).map(([name, measured]) => [
        name,
        MAYBE_FLOAT.decode(measured, strings),
      ]),
    ),
};

export const SIGNAL = record({
  /** From 1, in the order in which signals were given. */
  rowId: plain<number>(),
  model: plain<SignalOrigin>(),
  /** Raised whenever the model's behaviour changes. */
  version: plain<number>(),
  /** SHA-256 of the model's parameters, 64 hex digits. */
  parametersHash: text,
  mint: address,
  /** Primary pool of the mint. */
  pool: address,
  name: plain<string | null>(),
  symbol: plain<string | null>(),
  /**
   * The slot that ended the minute. None of its data was used, and no trade on the signal can
   * happen before it.
   */
  slot: plain<Slot>(),
  /** Logical time of that slot. */
  createdAtMs: plain<number>(),
  /** The figures are as of this slot, the last of the minute. */
  asOfSlot: plain<Slot>(),
  priceUsd: price,
  /** Supply net of burns. */
  supplyRaw: amount,
  decimals: plain<number>(),
  marketCapUsd: usd,
  liquidityUsd: usd,
  /** Age of the token in milliseconds; null for a token older than the recorded history. */
  ageMs: plain<number | null>(),
  /** Reason of the signal: all measured features, and the conditions that passed. */
  features: FEATURES,
  passed: list(PASSED_CONDITION),
});

/** A model's signal for a token at the end of a minute. Never changes. */
export interface Signal extends Described<typeof SIGNAL> {}

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

export const TICKET_RETURN = record({
  ticketUsd: plain<number>(),
  returnE9: integer<bigint>(),
});

/** Return of a ticket in percent of the amount invested, with nine decimals, after all costs. */
export interface TicketReturn extends Described<typeof TICKET_RETURN> {}

const TICKET_RETURNS = nullable(list(TICKET_RETURN));

const RETURNS = record(
  // Object.fromEntries does not express that every rule is there.
  Object.fromEntries(EXIT_RULES.map((rule) => [rule, TICKET_RETURNS])) as Record<
    ExitRule,
    typeof TICKET_RETURNS
  >,
);

export const EXECUTION_OUTCOME = record({
  /** Null until the position is entered. */
  enteredAtMs: plain<number | null>(),
  returns: RETURNS,
  /** Whether the price rose by 50 % before it fell by 30 %; null until it does either. */
  roseBeforeFell: plain<boolean | null>(),
});

/** Result of following a signal, by exit rule. */
export interface ExecutionOutcome extends Described<typeof EXECUTION_OUTCOME> {}

export const OUTCOME = record({
  rowId: plain<number>(),
  /** Highest price since the signal; the signal's own price until there is another. */
  highPriceUsd: price,
  /** Lowest price between the signal and that high. */
  lowPriceUsd: price,
  athMarketCapUsd: usd,
  maxDrawdownMarketCapUsd: usd,
  /** Below 0 when the price never reached the signal's price again. */
  roiE9: integer<bigint>(),
  /** Drawdown from the signal's price, 0 or more. */
  maxDrawdownE9: integer<bigint>(),
  /** Drawdown from the highest price so far, before the last high; 0 or more. */
  peakDrawdownE9: integer<bigint>(),
  /** True once the outcome can no longer change: the horizon has passed, or the token is dead. */
  isFinal: plain<boolean>(),
  slot: plain<Slot>(),
  execution: EXECUTION_OUTCOME,
});

/**
 * Outcome of a signal's token as of a slot (METHODS §6.2). Market caps are prices times the supply
 * at the time of the signal. Percentages have nine decimals.
 */
export interface Outcome extends Described<typeof OUTCOME> {}

/** Fraction digits of the percentages in outcomes. */
export const PERCENT_SCALE = 9;
