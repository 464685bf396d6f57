import { Type } from 'typebox';
import { formatFixed, formatRounded } from '../../lib/decimal.ts';
import {
  EXIT_RULES,
  type ExecutionOutcome,
  type ExitRule,
  type Outcome,
  type PassedCondition,
  PERCENT_SCALE,
  SIGNAL_MODELS,
  type Signal,
  type TicketReturn,
} from '../../model/signal.ts';
import { type SignalDetail, type SignalListing, toListing } from '../../model/signal-listing.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import type { TokenImages } from './signal-image.ts';
import {
  address,
  decimal,
  decimalOf,
  described,
  flag,
  instant,
  integer,
  list,
  maybeInstant,
  nullable,
  plain,
  price,
  text,
  usd,
  word,
} from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

const FIGURE_DIGITS = 9;

const percent = decimalOf<bigint>((percentE9) => formatRounded(percentE9, PERCENT_SCALE, 4));
const dollars = described(usd, 'US dollars.');
const dollarPrice = described(price, 'US dollars.');

/** The keys that signals of models and of rules have both. */
export const SignalFigures = wireRecord<Omit<SignalListing, 'model'>, TokenImages>()({
  row_id: [integer, 'rowId', 'ID of the signal.'],
  token_address: [address, 'mint'],
  pair_address: [address, 'pool'],
  image: [
    nullable(text),
    ({ mint }, images) => images.imageOf(mint),
    'URL of the image in the token metadata; null if unknown.',
  ],
  name: [nullable(text), 'name'],
  symbol: [nullable(text), 'symbol'],
  signal_market_cap: [dollars, 'marketCapUsd'],
  liquidity_usd: [dollars, 'liquidityUsd'],
  ath_market_cap_usd: [
    usd,
    'athMarketCapUsd',
    'Highest market cap since the signal in US dollars, based on the supply at the signal.',
  ],
  roi_percentage: [
    percent,
    'roiE9',
    'Change from the signal to the highest price since, in percent. May be negative.',
  ],
  max_drawdown_percentage: [
    percent,
    'maxDrawdownE9',
    'Largest drop below the signal price before the highest price, in percent.',
  ],
  max_drawdown_market_cap: [
    usd,
    'maxDrawdownMarketCapUsd',
    'Lowest market cap before the highest, in US dollars.',
  ],
});

/** The fifteen keys of specification 2.5, in its order. */
export const SignalBody = wireRecord<SignalListing, TokenImages>()({
  ...SignalFigures.fields,
  version: [integer, 'version', 'Version of the model.'],
  model_name: [word(SIGNAL_MODELS), 'model', 'The model that issued the signal.'],
  created_at: [instant, 'createdAtMs'],
});

export const presentSignal = SignalBody.present;

export const SIGNAL_EXAMPLE = {
  row_id: 4_711,
  token_address: EXAMPLE.mint,
  pair_address: EXAMPLE.pool,
  image: null,
  name: 'Example',
  symbol: 'EXMP',
  signal_market_cap: '100000.00',
  liquidity_usd: '25000.00',
  ath_market_cap_usd: '150000.00',
  roi_percentage: '50.0000',
  max_drawdown_percentage: '10.0000',
  max_drawdown_market_cap: '90000.00',
  version: 1,
  model_name: 'organic_momentum',
  created_at: EXAMPLE.instant,
} as const;

/** A statistic in plain notation; null if unknown or not finite. */
const figure = described(nullable(decimal), 'Measured value; null if unknown.');

const Condition = wireRecord<PassedCondition>()({
  feature: [text, 'feature'],
  value: [figure, ({ value }) => formatFigure(value)],
  least: [
    nullable(decimal),
    ({ least }) => formatMaybeFigure(least),
    'Lower bound; null if there is none.',
  ],
  most: [
    nullable(decimal),
    ({ most }) => formatMaybeFigure(most),
    'Upper bound; null if there is none.',
  ],
});

const OutcomeBody = wireRecord<Outcome>()(
  {
    slot: [integer, 'slot', 'Slot that last changed the outcome.'],
    is_final: [
      flag,
      'isFinal',
      'Whether the outcome is final: after 30 days, or after 72 hours without a trade.',
    ],
    ath_price_usd: [dollarPrice, 'highPriceUsd'],
    lowest_price_usd: [price, 'lowPriceUsd', 'Lowest price before the highest, in US dollars.'],
    peak_drawdown_percentage: [
      percent,
      'peakDrawdownE9',
      'Largest drop from a preceding high, in percent.',
    ],
  },
  { description: 'Prices from the second slot after the signal onwards.' },
);

const Ticket = wireRecord<TicketReturn>()({
  ticket_usd: [integer, 'ticketUsd'],
  return_percentage: [percent, 'returnE9', 'Percent, four fraction digits.'],
});

const Returns = wireRecord<ExitRule, ExecutionOutcome>()({
  exit_rule: [word(EXIT_RULES), (rule) => rule, 'Rule by which the position is closed.'],
  tickets: [
    nullable(list(Ticket)),
    (rule, { returns }) => returns[rule],
    'Return by ticket size; null while the position is open.',
  ],
});

const Execution = wireRecord<ExecutionOutcome>()(
  {
    entered_at: [maybeInstant, 'enteredAtMs'],
    rose_50_before_fell_30: [
      nullable(flag),
      'roseBeforeFell',
      'Whether the price rose 50 % before it fell 30 %; null while it has done neither.',
    ],
    returns: [
      plain(Type.Array(Returns.schema)),
      (execution) => EXIT_RULES.map((rule) => Returns.present(rule, execution)),
    ],
  },
  {
    description:
      'Simulated result of buying five seconds after the signal, net of fees, network cost and ' +
      'price impact.',
  },
);

const features = plain(
  Type.Unsafe<Record<string, string | null>>({
    type: 'object',
    additionalProperties: figure.schema,
  }),
);

/** What details add to the row of a signal, of a model or of a rule. */
export const SignalReasons = wireRecord<ReasonedSignal>()({
  slot: [
    integer,
    ({ signal }) => signal.slot,
    'The slot that ended the minute. Its own data is not used in the signal.',
  ],
  as_of_slot: [integer, ({ signal }) => signal.asOfSlot, 'The figures are as of this slot.'],
  price_usd: [dollarPrice, ({ signal }) => signal.priceUsd],
  total_supply: [
    decimal,
    ({ signal }) => formatFixed(signal.supplyRaw, signal.decimals),
    'Whole tokens, net of burns.',
  ],
  age_seconds: [
    nullable(decimal),
    ({ signal }) => (signal.ageMs === null ? null : formatFigure(signal.ageMs / 1_000)),
    'Age of the token; null if it is older than the retained history.',
  ],
  parameters_hash: [
    text,
    ({ signal }) => signal.parametersHash,
    'SHA-256 of the parameters of the model, or of the content of the rule.',
  ],
  features: [
    features,
    ({ signal }) => presentFeatures(signal),
    'All measured features; of a rule those that it names as evidence, null also for one that is ' +
      'no number.',
  ],
  passed_conditions: [
    list(Condition),
    ({ signal }) => signal.passed,
    'Conditions the signal met; empty for a rule, whose conditions are its text.',
  ],
  outcome: [OutcomeBody, 'outcome'],
  execution: [Execution, ({ outcome }) => outcome.execution],
});

interface ReasonedSignal {
  readonly signal: Signal;
  readonly outcome: Outcome;
}

interface ListedDetail extends SignalListing, SignalDetail {}

/** A signal of a model with the reasons for it. */
const SignalDetailRecord = wireRecord<ListedDetail, TokenImages>()({
  ...SignalBody.fields,
  ...SignalReasons.fields,
});

export function presentSignalDetail({ signal, outcome }: SignalDetail, images: TokenImages) {
  return SignalDetailRecord.present({ ...toListing(signal, outcome), signal, outcome }, images);
}

function presentFeatures({ features: measured }: Signal) {
  return Object.fromEntries(
    Object.entries(measured).map(([name, value]) => [name, formatMaybeFigure(value)]),
  );
}

function formatMaybeFigure(value: number | null): string | null {
  return value === null ? null : formatFigure(value);
}

/** A statistic in plain notation, with at most nine fraction digits; null if it is not finite. */
function formatFigure(value: number): string | null {
  if (!Number.isFinite(value) || Math.abs(value) >= Number.MAX_SAFE_INTEGER) return null;
  const digits = value.toFixed(FIGURE_DIGITS).replace(/[.]?0+$/, '');
  return digits === '-0' || digits === '' ? '0' : digits;
}
