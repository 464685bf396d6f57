import { Type } from 'typebox';
import { EXIT_RULES, SIGNAL_MODELS } from '../../model/signal.ts';
import { RANGE_EXAMPLE, rangeFields } from './signal-body.ts';
import { DecimalText, FRESHNESS_HEADERS, Nullable, Word } from './wire.ts';

const Percent = DecimalText('Percent, nine fraction digits.');
const Usd = DecimalText('US dollars, nine fraction digits.');

const RandomMinutes = Nullable(
  Type.Object(
    {
      matched_signal_count: Type.Integer({
        description: 'Number of signals with a comparable random minute.',
      }),
      avg_return: DecimalText('Mean return of those signals, in percent.'),
      base_rate: DecimalText('Mean return of random minutes in the same cells, in percent.'),
      lift: DecimalText('Mean return of the signals above the base rate, in percent.'),
      lift_interval: Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        items: DecimalText('Percent.'),
        description:
          'Bootstrap interval over resampled days: 95 % of the means lie between the two ' +
          'values. Null with fewer than five days.',
      }),
    },
    {
      description:
        'Comparison with randomly drawn minutes of tokens of similar age, market cap and ' +
        'liquidity; null if no comparison is possible.',
    },
  ),
);

const Execution = Type.Object({
  exit_rule: Word(EXIT_RULES, 'Rule by which the position is closed.'),
  ticket_usd: Type.Integer({ description: 'Position size in US dollars.' }),
  signal_count: Type.Integer({ description: 'Number of signals whose position is closed.' }),
  avg_return: Percent,
  median_return: Percent,
  win_rate: Nullable(
    DecimalText('Share of positions with a positive return; null if there are none.'),
  ),
  random_minutes: RandomMinutes,
});

/** Nesting of CONTRACT §2.6. */
export const SignalStatisticsBody = Type.Object(
  {
    ...rangeFields,
    total_signals: Type.Integer(),
    roi_statistics: Type.Object({
      avg_max_roi: Percent,
      median_max_roi: Percent,
      min_roi: Percent,
      max_roi: Percent,
      std_dev_roi: Percent,
    }),
    drawdown_statistics: Type.Object({
      avg_drawdown_before_ath: Percent,
      median_drawdown_before_ath: Percent,
      min_drawdown: Percent,
      max_drawdown: Percent,
      std_dev_drawdown: Percent,
    }),
    market_cap_statistics: Type.Object({
      avg_signal_market_cap: Usd,
      median_signal_market_cap: Usd,
      avg_ath_market_cap: Usd,
      median_ath_market_cap: Usd,
    }),
    liquidity_statistics: Type.Object({ avg_liquidity_usd: Usd, median_liquidity_usd: Usd }),
    model_breakdown: Type.Array(
      Type.Object({
        model_name: Word(SIGNAL_MODELS, 'The model.'),
        signal_count: Type.Integer(),
        avg_max_roi: Percent,
        median_max_roi: Percent,
        avg_drawdown_before_ath: Percent,
      }),
      { description: 'By number of signals, descending.' },
    ),
    daily_breakdown: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date', description: 'Day in UTC.' }),
        signal_count: Type.Integer(),
        avg_max_roi: Percent,
      }),
      { description: 'Oldest first. Days without signals are omitted.' },
    ),
    execution_statistics: Type.Array(Execution, {
      description:
        'Realisable returns (extension of the specification). The maximum ROI above is an upper ' +
        'bound that no trader achieves in practice.',
    }),
  },
  {
    description: 'Statistics of the signals in the requested range.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        ...RANGE_EXAMPLE,
        total_signals: 3,
        roi_statistics: {
          avg_max_roi: '46.666666667',
          median_max_roi: '50.000000000',
          min_roi: '-20.000000000',
          max_roi: '110.000000000',
          std_dev_roi: '65.064070986',
        },
        drawdown_statistics: {
          avg_drawdown_before_ath: '16.000000000',
          median_drawdown_before_ath: '20.000000000',
          min_drawdown: '8.000000000',
          max_drawdown: '20.000000000',
          std_dev_drawdown: '6.928203230',
        },
        market_cap_statistics: {
          avg_signal_market_cap: '100000.000000000',
          median_signal_market_cap: '100000.000000000',
          avg_ath_market_cap: '146666.666666667',
          median_ath_market_cap: '150000.000000000',
        },
        liquidity_statistics: {
          avg_liquidity_usd: '25000.000000000',
          median_liquidity_usd: '25000.000000000',
        },
        model_breakdown: [
          {
            model_name: 'organic_momentum',
            signal_count: 3,
            avg_max_roi: '46.666666667',
            median_max_roi: '50.000000000',
            avg_drawdown_before_ath: '16.000000000',
          },
        ],
        daily_breakdown: [{ date: '2025-01-15', signal_count: 3, avg_max_roi: '46.666666667' }],
        execution_statistics: [
          {
            exit_rule: 'hold_1h',
            ticket_usd: 200,
            signal_count: 3,
            avg_return: '-3.100000000',
            median_return: '-4.000000000',
            win_rate: '0.3333',
            random_minutes: {
              matched_signal_count: 2,
              avg_return: '-2.5000',
              base_rate: '-6.0000',
              lift: '3.5000',
              lift_interval: null,
            },
          },
        ],
      },
    ],
  },
);
