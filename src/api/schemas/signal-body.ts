import { Type } from 'typebox';
import { EXIT_RULES, SIGNAL_MODELS, type SignalModelName } from '../../model/signal.ts';
import { EXAMPLE } from './examples.ts';
import {
  AddressText,
  DecimalText,
  FRESHNESS_HEADERS,
  Instant,
  MaybeInstant,
  Nullable,
  Word,
} from './wire.ts';

const Usd = DecimalText('US dollars.');
const Percent = DecimalText('Percent, four fraction digits.');

/** The fifteen keys of specification 2.5, in its order. */
const signalFields = {
  row_id: Type.Integer({ description: 'ID of the signal.' }),
  token_address: AddressText,
  pair_address: AddressText,
  image: Nullable(
    Type.String({
      description: 'URL of the image in the token metadata; null if unknown.',
    }),
  ),
  name: Nullable(Type.String()),
  symbol: Nullable(Type.String()),
  signal_market_cap: Usd,
  liquidity_usd: Usd,
  ath_market_cap_usd: DecimalText(
    'Highest market cap since the signal in US dollars, based on the supply at the signal.',
  ),
  roi_percentage: DecimalText(
    'Change from the signal to the highest price since, in percent. May be negative.',
  ),
  max_drawdown_percentage: DecimalText(
    'Largest drop below the signal price before the highest price, in percent.',
  ),
  max_drawdown_market_cap: DecimalText('Lowest market cap before the highest, in US dollars.'),
  version: Type.Integer({ description: 'Version of the model.' }),
  model_name: Word(SIGNAL_MODELS, 'The model that issued the signal.'),
  created_at: Instant,
};

export const SignalBody = Type.Object(signalFields);

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
  model_name: 'organic_momentum' as const,
  created_at: EXAMPLE.instant,
};

/** Fields that echo the request. */
export const rangeFields = {
  from_date: Type.String({ description: 'The from_date parameter, as given in the request.' }),
  to_date: Type.String({
    description: 'The to_date parameter, as given in the request; the current time if omitted.',
  }),
  model_name: Type.Unsafe<SignalModelName | null>({
    type: ['string', 'null'],
    enum: [...SIGNAL_MODELS, null],
    description: 'The model_name parameter, as given in the request; null for all models.',
  }),
};

export const RANGE_EXAMPLE = {
  from_date: '2025-01-15',
  to_date: '2025-01-16T00:00:00Z',
  model_name: null,
};

export const SignalsBody = Type.Object(
  {
    ...rangeFields,
    count: Type.Integer({ description: 'Number of signals in this response.' }),
    signals: Type.Array(SignalBody, { description: 'Newest first.' }),
  },
  {
    description: 'Signals in the requested range.',
    headers: FRESHNESS_HEADERS,
    examples: [{ ...RANGE_EXAMPLE, count: 1, signals: [SIGNAL_EXAMPLE] }],
  },
);

const Figure = Nullable(DecimalText('Measured value; null if unknown.'));

const Condition = Type.Object({
  feature: Type.String(),
  value: Figure,
  least: Nullable(DecimalText('Lower bound; null if there is none.')),
  most: Nullable(DecimalText('Upper bound; null if there is none.')),
});

const Outcome = Type.Object(
  {
    slot: Type.Integer({ description: 'Slot that last changed the outcome.' }),
    is_final: Type.Boolean({
      description:
        'Whether the outcome is final: after 30 days, or after 72 hours without a trade.',
    }),
    ath_price_usd: Usd,
    lowest_price_usd: DecimalText('Lowest price before the highest, in US dollars.'),
    peak_drawdown_percentage: DecimalText('Largest drop from a preceding high, in percent.'),
  },
  { description: 'Prices from the second slot after the signal onwards.' },
);

const Execution = Type.Object(
  {
    entered_at: MaybeInstant,
    rose_50_before_fell_30: Nullable(
      Type.Boolean({
        description:
          'Whether the price rose 50 % before it fell 30 %; null while it has done neither.',
      }),
    ),
    returns: Type.Array(
      Type.Object({
        exit_rule: Word(EXIT_RULES, 'Rule by which the position is closed.'),
        tickets: Type.Unsafe<{ ticket_usd: number; return_percentage: string }[] | null>({
          type: ['array', 'null'],
          items: Type.Object({ ticket_usd: Type.Integer(), return_percentage: Percent }),
          description: 'Return by ticket size; null while the position is open.',
        }),
      }),
    ),
  },
  {
    description:
      'Simulated result of buying five seconds after the signal, net of fees, network cost and ' +
      'price impact.',
  },
);

/** A signal with the reasons for it. */
export const SignalDetailBody = Type.Object(
  {
    ...signalFields,
    slot: Type.Integer({
      description: 'The slot that ended the minute. Its own data is not used in the signal.',
    }),
    as_of_slot: Type.Integer({ description: 'The figures are as of this slot.' }),
    price_usd: Usd,
    total_supply: DecimalText('Whole tokens, net of burns.'),
    age_seconds: Nullable(
      DecimalText('Age of the token; null if it is older than the retained history.'),
    ),
    parameters_hash: Type.String({ description: 'SHA-256 of the parameters of the model.' }),
    features: Type.Unsafe<Record<string, string | null>>({
      type: 'object',
      additionalProperties: Figure,
      description: 'All measured features.',
    }),
    passed_conditions: Type.Array(Condition, { description: 'Conditions the signal met.' }),
    outcome: Outcome,
    execution: Execution,
  },
  {
    description: 'The signal.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        ...SIGNAL_EXAMPLE,
        slot: EXAMPLE.slot,
        as_of_slot: EXAMPLE.slot - 1,
        price_usd: '0.01',
        total_supply: '10000000.000000',
        age_seconds: '3600',
        parameters_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        features: { organic_share_5m: '0.75', return_5m: null },
        passed_conditions: [
          { feature: 'organic_share_5m', value: '0.75', least: '0.5', most: null },
        ],
        outcome: {
          slot: EXAMPLE.slot + 500,
          is_final: false,
          ath_price_usd: '0.015',
          lowest_price_usd: '0.009',
          peak_drawdown_percentage: '10.0000',
        },
        execution: {
          entered_at: EXAMPLE.instant,
          rose_50_before_fell_30: true,
          returns: [
            {
              exit_rule: 'hold_5m',
              tickets: [{ ticket_usd: 200, return_percentage: '12.3456' }],
            },
            { exit_rule: 'hold_1h', tickets: null },
          ],
        },
      },
    ],
  },
);
