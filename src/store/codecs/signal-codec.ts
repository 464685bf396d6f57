import {
  EXIT_RULES,
  type ExecutionOutcome,
  type Outcome,
  type PassedCondition,
  type Signal,
  type TicketReturn,
} from '../../model/signal.ts';
import type { Address, PriceE18, RawAmount, UsdNano } from '../../model/units.ts';
import {
  type Codec,
  decodeText,
  encodeText,
  type Fields,
  float,
  integer,
  interned,
  type Json,
  list,
  nullable,
  plain,
  record,
  text,
} from './codec.ts';

/** Positional layouts, with the naming and change rules of facts-codec.ts. */
const SIGNAL_FORMAT = 'signal/1';
const OUTCOME_FORMAT = 'outcome/1';

const address = interned<Address>();
const price = integer<PriceE18>();
const usd = integer<UsdNano>();
const maybeFloat = nullable(float);

/** Feature names with their measured values, in order. */
const features: Codec<Signal['features']> = {
  encode: (value, strings) =>
    Object.entries(value).map(([name, measured]) => [name, maybeFloat.encode(measured, strings)]),
  decode: (json, strings) =>
    Object.fromEntries(
      (json as readonly [string, Json][]).map(([name, measured]) => [
        name,
        maybeFloat.decode(measured, strings),
      ]),
    ),
};

const condition = record<PassedCondition>({
  feature: text,
  value: float,
  least: maybeFloat,
  most: maybeFloat,
});

const signal = record<Signal>({
  rowId: plain(),
  model: plain(),
  version: plain(),
  parametersHash: text,
  mint: address,
  pool: address,
  name: plain(),
  symbol: plain(),
  slot: plain(),
  createdAtMs: plain(),
  asOfSlot: plain(),
  priceUsd: price,
  supplyRaw: integer<RawAmount>(),
  decimals: plain(),
  marketCapUsd: usd,
  liquidityUsd: usd,
  ageMs: plain(),
  features,
  passed: list(condition),
});

const ticketReturns = nullable(
  list(record<TicketReturn>({ ticketUsd: plain(), returnE9: integer<bigint>() })),
);

type Returns = ExecutionOutcome['returns'];

const returns = record<Returns>(
  // Every rule has the same codec.
  Object.fromEntries(EXIT_RULES.map((rule) => [rule, ticketReturns])) as Fields<Returns>,
);

const outcome = record<Outcome>({
  rowId: plain(),
  highPriceUsd: price,
  lowPriceUsd: price,
  athMarketCapUsd: usd,
  maxDrawdownMarketCapUsd: usd,
  roiE9: integer<bigint>(),
  maxDrawdownE9: integer<bigint>(),
  peakDrawdownE9: integer<bigint>(),
  isFinal: plain(),
  slot: plain(),
  execution: record<ExecutionOutcome>({
    enteredAtMs: plain(),
    returns,
    roseBeforeFell: plain(),
  }),
});

export function encodeSignal(value: Signal): string {
  return encodeText(SIGNAL_FORMAT, signal, value);
}

/** Reads what encodeSignal wrote. Throws StoreError for any other text. */
export function decodeSignal(stored: string): Signal {
  return decodeText(SIGNAL_FORMAT, signal, stored);
}

export function encodeOutcome(value: Outcome): string {
  return encodeText(OUTCOME_FORMAT, outcome, value);
}

/** Reads what encodeOutcome wrote. Throws StoreError for any other text. */
export function decodeOutcome(stored: string): Outcome {
  return decodeText(OUTCOME_FORMAT, outcome, stored);
}
